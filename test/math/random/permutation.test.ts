import { expect } from 'chai';
import { permutation } from '../../../src/math/random/permutation.ts';
import { seeded } from '../../../src/math/random/seeded.ts';

describe('permutation', () => {
  it('sends 0 .. n-1 to 0 .. n-1, each once, for every small n and some large ones', () => {
    for (const size of [...Array.from({ length: 70 }, (_, k) => k + 1), 1000, 4096, 4097, 65_535, 100_003]) {
      const place = permutation(size, seeded(size, 'bijection'));
      const seen = new Uint8Array(size);
      for (let i = 0; i < size; i++) seen[place(i)]!++;
      expect(
        seen.every(count => count === 1),
        `size ${size}`,
      ).to.equal(true);
    }
  });

  it('is the same for the same seed and another for another', () => {
    const first = Array.from({ length: 50 }, (_, i) => permutation(1000, seeded(1, 'x'))(i));
    expect(Array.from({ length: 50 }, (_, i) => permutation(1000, seeded(1, 'x'))(i))).to.deep.equal(first);
    expect(Array.from({ length: 50 }, (_, i) => permutation(1000, seeded(2, 'x'))(i))).to.not.deep.equal(first);
  });

  it('stays exact beyond 2^32 rows', () => {
    const size = 2 ** 40 + 12_345;
    const place = permutation(size, seeded(5, 'large'));
    const places = new Set(Array.from({ length: 10_000 }, (_, i) => place(size - 1 - i)));
    expect(places.size).to.equal(10_000);
    expect([...places].every(value => Number.isInteger(value) && value >= 0 && value < size)).to.equal(true);
    expect(Math.max(...places)).to.be.above(size * 0.99);
  });

  it('leaves no trace of the order: places of neighbours and of sorted runs look uniform', () => {
    // Chi-square over 100 cells of 100,000 places; with 99 degrees of freedom 180 has probability below 1e-6.
    const size = 1_000_000;
    const place = permutation(size, seeded(7, 'uniform'));
    for (const start of [0, 123_456, 899_999]) {
      const counts = new Float64Array(100);
      for (let i = 0; i < 100_000; i++) counts[Math.floor((place(start + i) * 100) / size)]!++;
      const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
      expect(chiSquare).to.be.below(180);
    }
    // Differences of neighbours modulo 16: 15 degrees of freedom, 61 has probability below 1e-6.
    const steps = new Float64Array(16);
    for (let i = 0; i < 160_000; i++) steps[(((place(i + 1) - place(i)) % 16) + 16) % 16]!++;
    expect(steps.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)).to.be.below(61);
  });

  it('refuses sizes that are no number of rows', () => {
    for (const size of [0, -1, 1.5, NaN, Infinity, 2 ** 53]) {
      expect(() => permutation(size, seeded(1, 'x'))).to.throw('size must');
    }
  });
});
