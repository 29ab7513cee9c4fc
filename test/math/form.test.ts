import { expect } from 'chai';
import { form } from '../../src/math/coordinates.ts';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { dot, times } from '../../src/math/vector.ts';

describe('form', () => {
  it("is a'M b to the last digit, with zeros in a, in b, in both, or in neither", () => {
    const random = seeded('form', 'entries');
    const size = 40;
    const draw = (count: number): Float64Array => Float64Array.from({ length: count }, () => normal(random));
    const M = draw(size * size);
    for (const [inA, inB] of [
      [1, 1],
      [3, 1],
      [1, 5],
      [3, 5],
      [Infinity, 1],
    ] as const) {
      const sparse = (every: number): Float64Array => draw(size).map((value, i) => (i % every === 0 ? value : 0));
      const [a, b] = [sparse(inA), sparse(inB)];
      expect(form(a, M, b)).to.equal(dot(a, times(M, b)));
    }
    expect(form(new Float64Array(size), M, draw(size))).to.equal(0);
  });
});
