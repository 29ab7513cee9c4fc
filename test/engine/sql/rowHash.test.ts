import { expect } from 'chai';
import fc from 'fast-check';
import { HASHES, REDUCED_IDS, rowHash } from '../../../src/engine/sql/rowHash.ts';
import { integerBelow } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';

describe('the keyed hash of row ids', () => {
  it('is the same in whole numbers of any size', () => {
    const hash = rowHash('seed');
    const random = seeded('seed', 'assignment');
    const [k1, k2, k3] = [0, 0, 0].map(() => BigInt(integerBelow(random, HASHES))) as [bigint, bigint, bigint];
    const [p, q] = [BigInt(HASHES), BigInt(REDUCED_IDS)];
    const cube = (u: bigint): bigint => (u * u * u) % p;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), id => {
        const own = BigInt(id);
        const expected = cube((cube((cube((own + k1) % p) + (own % q) + k2) % p) + k3) % p);
        expect(BigInt(hash.of(id))).to.equal(expected);
      }),
    );
  });

  it('gives different ids different hashes, up to chance', () => {
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
