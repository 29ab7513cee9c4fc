import { expect } from 'chai';
import fc from 'fast-check';
import { hashedRows } from '../../../../src/inference/pilot/blend/rowHashes.ts';

const rowsOf = (values: readonly number[]) => Float64Array.from(values);

describe('hashedRows', () => {
  it('has the same rows in the same order however they come, and without one row the others in theirs', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 3, maxLength: 60 }), given => {
        const inOrder = (values: readonly number[]): number[] =>
          [...hashedRows([rowsOf(values), rowsOf(values.map(value => value / 3))], values.length, 1e5).order].map(
            place => values[place]!,
          );
        const all = inOrder(given);
        expect(inOrder([...given].reverse())).to.deep.equal(all);
        expect(inOrder(given.slice(1))).to.deep.equal(all.filter(value => value !== given[0]));
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it('spreads equal rows, of which some would otherwise all be in one half', () => {
    const { hashes } = hashedRows([new Float64Array(10_000).fill(7)], 10_000, 1e5);
    const low = hashes.filter(hash => hash < 2 ** 31).length;
    // Six standard deviations.
    expect(low).to.be.within(4700, 5300);
    expect(new Set(hashes).size).to.be.above(9990);
  });

  it('takes as many rows as are asked for of more', () => {
    const values = Float64Array.from({ length: 50_000 }, (_, i) => i);
    const { order, hashes } = hashedRows([values], 50_000, 10_000);
    expect(order).to.have.length(10_000);
    expect([...hashes]).to.deep.equal([...hashes].sort((a, b) => a - b));
  });
});
