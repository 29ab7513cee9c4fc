import { expect } from 'chai';
import fc from 'fast-check';
import { foundLevels, OTHER } from '../../../src/source/design/foundLevels.ts';
import { casesOf } from '../../laws/holdsForAll.ts';

const levels = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([level, rows]) => ({ level, rows }));
const found = (counts: Readonly<Record<string, number>>, long = 0) => foundLevels({ levels: levels(counts), long });

describe('foundLevels', () => {
  it('takes the most frequent level as reference, and the others in order of their texts', () => {
    expect(found({ Ulm: 50, Lyon: 20, Bath: 30 })).to.deep.equal({
      levels: ['Bath', 'Lyon'],
      reference: 'Ulm',
      pools: false,
    });
    expect(found({ b: 30, a: 30 })).to.deep.include({ levels: ['b'], reference: 'a' });
  });

  it('pools levels with fewer than 10 rows, or than one in a thousand', () => {
    expect(found({ a: 50, b: 10, c: 9, d: 9 })).to.deep.include({ levels: ['b', OTHER], pools: true });
    expect(found({ a: 49_900, b: 49, c: 51 })).to.deep.include({ levels: ['c'], pools: false });
    expect(found({ a: 49_880, b: 49, c: 51, d: 20 })).to.deep.include({ levels: ['c', OTHER], pools: true });
  });

  it('counts a pool that is rare itself as the reference', () => {
    expect(found({ a: 50, b: 10, c: 4, d: 5 })).to.deep.include({ levels: ['b'], pools: false });
    expect(found({ a: 50, c: 4 })).to.deep.equal({ is: 'constant', least: 10, reference: 'a' });
    expect(found({ a: 50 })).to.deep.equal({ is: 'constant', least: 10, reference: 'a' });
    expect(found({ a: 50, c: 4, d: 6 })).to.deep.include({ levels: [OTHER], reference: 'a' });
  });

  it('pools texts that are too long, and a level that is called like the pool', () => {
    expect(found({ a: 50, b: 20 }, 12)).to.deep.include({ levels: ['b', OTHER], pools: true });
    expect(found({ a: 50, b: 20, [OTHER]: 30 })).to.deep.include({ levels: ['b', OTHER], pools: true });
  });

  it('leaves out a column where most rows have a rare text, and one of more texts than are counted', () => {
    const names = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`name ${i}`, 1]));
    expect(found({ ...names, a: 59 })).to.deep.equal({ is: 'unique', texts: 61, rows: 119, least: 10 });
    expect(found({ ...names, a: 60 })).to.deep.include({ levels: [OTHER], reference: 'a' });
    expect(foundLevels({ levels: null, long: 7 })).to.include({ is: 'unique', texts: null });
  });

  it('pools all but the 51 most frequent levels', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`level ${i}`, 100 + i]));
    const chosen = found(many);
    expect(chosen).to.deep.include({ reference: 'level 59', pools: true });
    expect('levels' in chosen && chosen.levels)
      .to.have.length(51)
      .and.not.include('level 8');
    expect('levels' in chosen && chosen.levels).to.include('level 9');
  });

  it('does not depend on the order in which levels were seen', () =>
    fc.assert(
      fc.property(
        fc
          .dictionary(fc.string({ maxLength: 3 }), fc.integer({ min: 1, max: 40 }), { maxKeys: 80 })
          .chain(counts =>
            fc.tuple(
              fc.constant(levels(counts)),
              fc.shuffledSubarray(levels(counts), { minLength: Object.keys(counts).length }),
            ),
          ),
        ([ordered, shuffled]) => {
          expect(foundLevels({ levels: shuffled, long: 0 })).to.deep.equal(foundLevels({ levels: ordered, long: 0 }));
        },
      ),
      { seed: 1, numRuns: casesOf(300) },
    ));
});
