import { expect } from 'chai';
import type { Estimate } from '../../src/flow/estimate.ts';
import { unboundedNotes } from '../../src/model/explain/columnNotes.ts';
import { sortedNotes } from '../../src/model/explain/orderNotes.ts';
import { weightNotes } from '../../src/model/explain/outlierNotes.ts';
import { eventNotes, saturationNotes, separationNotes } from '../../src/model/explain/targetNotes.ts';
import { isGrave } from '../../src/report/graveNotes.ts';
import { headline } from '../../src/report/headline.ts';
import { plainReport } from '../support/reportModels.ts';

/** As much of an estimate as a note is made of. */
const estimateOf = (parts: object): Estimate =>
  ({ fit: { theta: [1, 2] }, loss: { name: 'logistic' }, ...parts }) as unknown as Estimate;

const asGiven = { names: ['a', 'b'], order: 'as-is' } as const;
const sorted = (mode: string) =>
  sortedNotes(
    estimateOf({ pilot: { noise: 1 }, blockVariances: { noise: 1e6 }, layout: { mode }, uncertainty: null }),
    asGiven,
  );

// Models keep notes as sentences, so these must be known by their words: whoever changes them changes both.
describe('isGrave', () => {
  const grave: Readonly<Record<string, readonly string[]>> = {
    'rows look sorted and steps see a part of them': sorted('fresh'),
    'rows look sorted and steps see all of them': sorted('full'),
    'classes are told apart': separationNotes(estimateOf({ pilot: { isSeparated: true } })),
    'all counts are 0': separationNotes(
      estimateOf({ pilot: { isSeparated: true }, loss: { name: 'poisson' } }),
    ),
    'a column has no finite estimate': unboundedNotes(
      estimateOf({ pilot: { unboundedColumns: [1] } }),
      asGiven,
    ),
    'there are as many coefficients as rows': saturationNotes(
      estimateOf({ pilot: { positiveWeightRows: 2 } }),
    ),
    'one row has most of the weight': weightNotes(
      estimateOf({ pilot: { largestWeightShare: 0.9, positiveWeightRows: 500 } }),
    ),
  };
  for (const [what, notes] of Object.entries(grave)) {
    it(`knows the note where ${what}`, () => {
      expect(notes).to.have.length(1);
      expect(notes.filter(isGrave)).to.deep.equal(notes);
    });
  }

  it('lets others be', () => {
    const rough = eventNotes(estimateOf({ pilot: { fewEvents: 7 } }));
    expect(rough).to.have.length(1);
    expect([...rough, ...plainReport.notes!].some(isGrave)).to.equal(false);
  });
});

describe('headline', () => {
  it('knows the note on sorted rows, by which no direction is told', () => {
    expect(headline(plainReport)).to.include('rises with');
    for (const mode of ['fresh', 'full'])
      expect(headline({ ...plainReport, notes: sorted(mode) })).to.match(/^delay, fitted on /);
  });
});
