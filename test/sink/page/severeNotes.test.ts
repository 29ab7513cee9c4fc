import { expect } from 'chai';
import { unboundedNotes } from '../../../src/inference/diagnostics/columns/unboundedColumns.ts';
import { listNotes, type Note, sentences, type Tell } from '../../../src/inference/diagnostics/notes.ts';
import { sortedNotes, weightNotes } from '../../../src/inference/diagnostics/rows/rowOrder.ts';
import { eventNotes, saturationNotes, separationNotes } from '../../../src/inference/diagnostics/targets/fewEvents.ts';
import type { PilotedRun } from '../../../src/inference/fittedRun.ts';
import { headline } from '../../../src/sink/page/headline.ts';
import { mildNotes, severeNotes } from '../../../src/sink/page/reportPage.ts';
import { plainReport } from '../../support/reportModels.ts';

/** What is told of as much of an estimate as a note is made of. */
const told = (tell: Tell, parts: object): readonly Note[] =>
  sentences(
    tell({ fit: { theta: [1, 2] }, loss: { name: 'logistic' }, ...parts } as unknown as PilotedRun, {
      names: ['a', 'b'],
      order: 'as-is',
    }),
  );
const sorted = (mode: string) =>
  told(sortedNotes, {
    pilot: { estimate: { noise: 1 } },
    blockVariances: { noise: 1e6 },
    layout: { mode },
    uncertainty: null,
  });

const separated = { estimate: { isSeparated: true }, targets: { constant: null } };

describe('severeNotes', () => {
  const severe: Readonly<Record<string, readonly Note[]>> = {
    'rows look sorted and steps see a part of them': sorted('fresh'),
    'rows look sorted and steps see all of them': sorted('full'),
    'classes are separated': told(separationNotes, { pilot: separated }),
    'all counts are 0': told(separationNotes, { pilot: separated, loss: { name: 'poisson' } }),
    'a column has no finite estimate': told(unboundedNotes, { pilot: { columns: { unbounded: [1] } } }),
    'there are as many coefficients as rows': told(saturationNotes, {
      pilot: { rows: { positiveWeight: 2 } },
    }),
    'one row has most of the weight': told(weightNotes, {
      pilot: { rows: { largestWeightShare: 0.9, positiveWeight: 500 } },
    }),
  };
  for (const [what, notes] of Object.entries(severe)) {
    it(`stand above the coefficients where ${what}`, () => {
      expect(notes).to.have.length(1);
      const model = listNotes(['another', ...notes]);
      expect(model.severeNotes).to.deep.equal([1]);
      expect(severeNotes(model)).to.have.property('markup').that.includes('Do not take these numbers');
      expect(mildNotes(model)).to.deep.equal(['another']);
    });
  }

  it('are not those on rough coefficients', () => {
    const rough = told(eventNotes, {
      pilot: { targets: { fewEvents: 7, rarerClass: null }, rows: { positiveWeight: 90 } },
    });
    expect(rough).to.have.length(1);
    expect(listNotes(rough)).to.deep.equal({ notes: rough });
  });

  it('are none in a file that does not name any', () => {
    expect(severeNotes(plainReport)).to.equal('');
    expect(mildNotes(plainReport)).to.deep.equal(plainReport.notes);
  });
});

describe('headline', () => {
  it('tells no direction beside a severe note, such as that on sorted rows', () => {
    expect(headline(plainReport)).to.include('rises with');
    for (const mode of ['fresh', 'full'])
      expect(headline({ ...plainReport, ...listNotes(sorted(mode)) })).to.match(/^delay, fitted on /);
  });
});
