import { expect } from 'chai';
import fc from 'fast-check';
import { shareOf, unitCounts } from '../../../src/sample/transform/perUnit.ts';

describe('unitCounts', () => {
  it('counts as many rows of every unit as may count, and no more', () => {
    const unit = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-0, 2 ** 32, 2 ** 53 - 1, 1 - 2 ** 53));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), (units, most) => {
        const counts = unitCounts();
        units.forEach((each, i) => {
          const before = units.slice(0, i).filter(other => other === each).length;
          expect(counts.take(each, most)).to.equal(before < most);
        });
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('gives every Map its share of units, however they are numbered, for none may hold more than 2^24', () => {
    const rows = 64_000;
    for (const [stride, first] of [
      [1, 0],
      [1, -rows],
      [64, 7],
      [1000, 1],
      [2 ** 26, 0],
      [2 ** 32, 5],
      [2 ** 37 - 1, 0],
    ] as const) {
      const shares = new Map<number, number>();
      for (let i = 0; i < rows; i++) {
        const share = shareOf(first + i * stride);
        shares.set(share, (shares.get(share) ?? 0) + 1);
      }
      expect(shares.size, `${stride}`).to.equal(64);
      expect(Math.max(...shares.values()), `${stride}`).to.be.below(1500);
    }
  });
});
