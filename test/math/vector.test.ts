import { expect } from 'chai';
import fc from 'fast-check';
import {
  addScaled,
  blend,
  distance,
  dot,
  filled,
  maxNorm,
  norm,
  oneNorm,
  scaled,
  subtract,
  zeros,
} from '../../src/math/vector.ts';
import { holdsForAll, uniform } from '../laws/holdsForAll.ts';

const vectors = fc.array(uniform(-1, 1), { minLength: 1, maxLength: 30 }).map(array => Float64Array.from(array));

describe('vectors', () => {
  const [a, b] = [Float64Array.of(1, -2, 3), Float64Array.of(10, 20, -30)];

  it('are made of zeros or of one value', () => {
    expect(zeros(2)).to.deep.equal(Float64Array.of(0, 0));
    expect(filled(2, 7)).to.deep.equal(Float64Array.of(7, 7));
  });

  it('add, subtract, scale, blend and multiply as on paper', () => {
    expect(addScaled(a, 2, b)).to.deep.equal(Float64Array.of(21, 38, -57));
    expect(subtract(a, b)).to.deep.equal(Float64Array.of(-9, -22, 33));
    expect(scaled(a, -3)).to.deep.equal(Float64Array.of(-3, 6, -9));
    expect(blend(a, b, 0.25)).to.deep.equal(Float64Array.of(3.25, 3.5, -5.25));
    expect(dot(a, b)).to.equal(-120);
  });

  it('blend to exactly the one or the other at a share of 0 or 1', () => {
    expect(blend(a, filled(3, 0.1), 1)).to.deep.equal(filled(3, 0.1));
    expect(blend(filled(3, 0.1), a, 0)).to.deep.equal(filled(3, 0.1));
  });

  it('are never written to', () => {
    const [before, other] = [a.slice(), b.slice()];
    const results = [addScaled(a, 2, b), subtract(a, b), scaled(a, 2), blend(a, b, 0.5), scaled(a, 1)];
    for (const result of results) result.fill(Number.NaN);
    norm(a);
    expect([a, b]).to.deep.equal([before, other]);
  });

  it('have the norms of their names', () => {
    expect(maxNorm(Float64Array.of(1, -5, 3))).to.equal(5);
    expect(oneNorm(Float64Array.of(1, -5, 3))).to.equal(9);
    expect(norm(Float64Array.of(2, -3, 6))).to.equal(7);
    expect(distance(Float64Array.of(1, 1), Float64Array.of(4, -3))).to.equal(5);
    for (const length of [maxNorm, oneNorm, norm]) {
      expect(length(zeros(3))).to.equal(0);
      expect(length(Float64Array.of(1, NaN))).to.be.NaN;
      expect(length(Float64Array.of(-Infinity, 1))).to.equal(Infinity);
    }
  });
});

describe('norm', () => {
  it('is right where squares overflow or underflow', () => {
    for (const scale of [1e300, 1e200, 1e141, 1e139, 1, 1e-139, 1e-141, 1e-200, 1e-300]) {
      const length = norm(Float64Array.of(2 * scale, -3 * scale, 6 * scale));
      expect(length / scale / 7).to.be.closeTo(1, 4 * Number.EPSILON);
    }
    expect(norm(Float64Array.of(3 * 2 ** -1074, 4 * 2 ** -1074))).to.equal(5 * 2 ** -1074);
    expect(norm(Float64Array.of(1e300, 1e-300))).to.equal(1e300);
    expect(norm(Float64Array.of(Number.MAX_VALUE))).to.equal(Number.MAX_VALUE);
  });

  it('is homogeneous to a few ulps from 1e-290 to 1e290', () => {
    holdsForAll(
      fc.property(vectors, fc.integer({ min: -960, max: 960 }), (vector, exponent) => {
        fc.pre(maxNorm(vector) > 1e-3);
        const ratio = norm(scaled(vector, 2 ** exponent)) / 2 ** exponent;
        expect(ratio).to.be.closeTo(Math.hypot(...vector), 1e-14 * ratio);
      }),
    );
  });

  it('obeys the inequalities between the norms, and the triangle', () => {
    holdsForAll(
      fc.property(vectors, uniform(-1, 1), (a, shift) => {
        const b = a.map((_, i) => Math.sin(i + 9 * shift));
        const slack = 1 + 1e-14;
        expect(maxNorm(a)).to.be.at.most(norm(a) * slack);
        expect(norm(a)).to.be.at.most(oneNorm(a) * slack);
        expect(Math.abs(dot(a, b))).to.be.at.most(norm(a) * norm(b) * slack);
        expect(norm(addScaled(a, 1, b))).to.be.at.most((norm(a) + norm(b)) * slack);
      }),
    );
  });
});
