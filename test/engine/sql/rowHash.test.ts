import { expect } from 'chai';
import fc from 'fast-check';
import { HASHES, rowHash } from '../../../src/engine/sql/rowHash.ts';

describe('the keyed hash of row ids', () => {
  it('is the same in whole numbers of any size', () => {
    // The keys, from the hashes of a small id, cannot be read back; so the formula is checked by its differences.
    const hash = rowHash('seed');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), id => {
        const h = hash.of(id);
        expect(Number.isInteger(h)).to.equal(true);
        expect(h).to.be.within(0, HASHES - 1);
      }),
    );
  });

  it('permutes the ids below a common multiple of nothing: different small ids have different hashes', () => {
    const hash = rowHash('another');
    const found = new Set(Array.from({ length: 100_000 }, (_, id) => hash.of(id)));
    // Some meet by chance: of n draws of N, about n^2 / 2N, which is 75 here with a deviation of 9.
    expect(100_000 - found.size).to.be.below(75 + 8 * 9);
  });

  it('depends on its seed, and on nothing else', () => {
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    const [one, same, other] = ['a', 'a', 'b'].map(seed => ids.map(rowHash(seed).of));
    expect(one).to.deep.equal(same);
    expect(one!.filter((h, k) => h === other![k]).length).to.be.below(5);
  });

  it('spreads consecutive ids, and every thousandth, evenly over blocks', () => {
    // Chi-squared of 15 degrees of freedom is above 70 with a chance of 4e-9.
    for (const stride of [1, 1000, 7919]) {
      const hash = rowHash('blocks');
      const counts = new Float64Array(16);
      for (let k = 0; k < 32_000; k++) counts[hash.of(k * stride) % 16]!++;
      const chi = counts.reduce((sum, count) => sum + (count - 2000) ** 2 / 2000, 0);
      expect(chi, `stride ${stride}`).to.be.below(70);
    }
  });
});
