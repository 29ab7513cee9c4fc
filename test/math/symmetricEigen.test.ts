import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { symmetricEigen } from '../../src/math/symmetricEigen.ts';
import { dot, maxNorm, scaled, subtract } from '../../src/math/vector.ts';
import { flat, normals, orthogonal, withSpectrum } from '../support/linearAlgebra.ts';

const rebuilt = (pairs: ReturnType<typeof symmetricEigen>): Float64Array =>
  flat(
    withSpectrum(
      pairs.map(({ value }) => value),
      pairs.map(({ vector }) => vector),
    ),
  );

describe('symmetricEigen', () => {
  it('diagonalises a small matrix worked by hand', () => {
    const [first, second] = symmetricEigen(Float64Array.of(2, 1, 1, 2), 2);
    expect(first!.value).to.be.closeTo(3, 1e-15);
    expect(second!.value).to.be.closeTo(1, 1e-15);
    expect(Math.abs(first!.vector[0]! + first!.vector[1]!)).to.be.closeTo(Math.SQRT2, 1e-15);
    expect(Math.abs(second!.vector[0]! - second!.vector[1]!)).to.be.closeTo(Math.SQRT2, 1e-15);
  });

  it('rebuilds the matrix from orthonormal vectors, largest value first', () => {
    const random = seeded(1, 'symmetricEigen');
    for (let size = 1; size <= 20; size++) {
      const spectrum = Array.from(normals(random, size), (value, k) => (k % 4 === 3 ? 0 : value));
      const matrix = flat(withSpectrum(spectrum, orthogonal(random, size)));
      const pairs = symmetricEigen(matrix, size);
      const values = pairs.map(({ value }) => value);
      const sorted = spectrum.toSorted((a, b) => b - a);
      const tolerance = 1e-14 * size * Math.max(...spectrum.map(Math.abs));
      expect(values).to.deep.equal(values.toSorted((a, b) => b - a));
      sorted.forEach((value, k) => {
        expect(values[k]).to.be.closeTo(value, tolerance);
      });
      pairs.forEach(({ vector }, i) => {
        pairs.forEach((other, j) => {
          expect(dot(vector, other.vector)).to.be.closeTo(i === j ? 1 : 0, 1e-14 * size);
        });
      });
      expect(maxNorm(subtract(rebuilt(pairs), matrix))).to.be.at.most(tolerance);
    }
  });

  it('is not led astray by an asymmetry of one ulp', () => {
    // A general solver gives this rotation-invariant block complex or non-orthogonal vectors.
    const matrix = Float64Array.of(1, 1e-17, 0, 0, 1, 0, 0, 0, 3);
    const pairs = symmetricEigen(matrix, 3);
    expect(pairs.map(({ value }) => value)).to.deep.equal([3, 1, 1]);
    expect(dot(pairs[1]!.vector, pairs[2]!.vector)).to.be.closeTo(0, 1e-15);

    const random = seeded(2, 'symmetricEigen');
    const exact = flat(withSpectrum([5, 2, 2, 2, 1], orthogonal(random, 5)));
    const nudged = exact.map((value, at) => (at % 5 > at / 5 ? value * (1 + Number.EPSILON) : value));
    expect(nudged).not.to.deep.equal(exact);
    const nudgedPairs = symmetricEigen(nudged, 5);
    expect(maxNorm(subtract(rebuilt(nudgedPairs), exact))).to.be.at.most(1e-14);
  });

  it('is the same at every scale, from 1e-300 to 1e300', () => {
    const random = seeded(3, 'symmetricEigen');
    const matrix = flat(withSpectrum([4, 2, 1, -1], orthogonal(random, 4)));
    const pairs = symmetricEigen(matrix, 4);
    for (const exponent of [-997, -500, 500, 990]) {
      const grown = symmetricEigen(scaled(matrix, 2 ** exponent), 4);
      expect(grown.map(({ value }) => value / 2 ** exponent)).to.deep.equal(pairs.map(({ value }) => value));
      expect(grown.map(({ vector }) => vector)).to.deep.equal(pairs.map(({ vector }) => vector));
    }
  });

  it('takes the zero matrix and the matrix of one number', () => {
    expect(symmetricEigen(new Float64Array(4), 2).map(({ value }) => value)).to.deep.equal([0, 0]);
    expect(symmetricEigen(Float64Array.of(-7), 1)[0]!.value).to.equal(-7);
  });

  it('writes to no argument, and refuses what is not a finite symmetric matrix', () => {
    const matrix = Float64Array.of(2, 1, 1, 2);
    symmetricEigen(matrix, 2);
    expect(matrix).to.deep.equal(Float64Array.of(2, 1, 1, 2));
    expect(() => symmetricEigen(matrix, 3)).to.throw(ArgumentError, 'the length of matrix must be 9, got 4');
    expect(() => symmetricEigen(Float64Array.of(2, 1, 0, 2), 2)).to.throw(ArgumentError, 'matrix[1][0]');
    for (const bad of [NaN, Infinity]) {
      expect(() => symmetricEigen(Float64Array.of(1, bad, bad, 1), 2)).to.throw(ArgumentError, 'matrix[1]');
    }
    expect(() => symmetricEigen(new Float64Array(0), 0)).to.throw(ArgumentError, 'size');
  });
});
