import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { cholesky } from '../../src/math/cholesky.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { distance, norm, zeros } from '../../src/math/vector.ts';
import { flat, normals, orthogonal, solveBy, times, withSpectrum } from '../support/linearAlgebra.ts';

describe('cholesky', () => {
  it('solves a small system worked by hand', () => {
    // L = [2, 0; 1, 3]
    const factor = cholesky(Float64Array.of(4, 2, 2, 10), 2)!;
    expect(factor.size).to.equal(2);
    expect(factor.timesTransposed(Float64Array.of(1, 1))).to.deep.equal(Float64Array.of(3, 3));
    expect(factor.solveFactor(Float64Array.of(2, 4))).to.deep.equal(Float64Array.of(1, 1));
    expect(factor.solveTransposed(Float64Array.of(3, 3))).to.deep.equal(Float64Array.of(1, 1));
    expect(factor.solve(Float64Array.of(6, 12))).to.deep.equal(Float64Array.of(1, 1));
  });

  it('agrees with multiplication, and with elimination, for sizes to 20 and conditions to 1e6', () => {
    const random = seeded(1, 'cholesky');
    for (let size = 1; size <= 20; size++) {
      for (const condition of [1, 1e3, 1e6]) {
        const spectrum = Array.from({ length: size }, (_, k) => condition ** (k / size));
        const matrix = withSpectrum(spectrum, orthogonal(random, size));
        const factor = cholesky(flat(matrix), size)!;
        const v = normals(random, size);
        const tolerance = 1e-14 * size * condition * norm(v);
        expect(distance(times(matrix, factor.solve(v)), v)).to.be.at.most(tolerance);
        expect(distance(factor.solve(v), solveBy(matrix, v))).to.be.at.most(tolerance);
        expect(distance(factor.solveTransposed(factor.solveFactor(v)), factor.solve(v))).to.equal(0);
        expect(distance(factor.timesTransposed(factor.solveTransposed(v)), v)).to.be.at.most(tolerance);
        // ||L'v||^2 = v'Av ties the factor to the matrix.
        const form = times(matrix, v).reduce((sum, w, i) => sum + w * v[i]!, 0);
        expect(norm(factor.timesTransposed(v)) ** 2).to.be.closeTo(form, 1e-13 * size * form);
      }
    }
  });

  it('is undefined where the matrix is not positive definite', () => {
    for (const matrix of [[0], [-1], [1, 2, 2, 1], [1, 1, 1, 1], [0, 0, 0, 1], [4, 0, 0, 0, -1e-3, 0, 0, 0, 4]]) {
      expect(cholesky(Float64Array.from(matrix), Math.sqrt(matrix.length))).to.equal(undefined);
    }
  });

  it('takes an asymmetry of one ulp, on either side, as rounding', () => {
    const exact = cholesky(Float64Array.of(4, 2, 2, 10), 2)!;
    for (const matrix of [
      [4, 2, 2 * (1 + Number.EPSILON), 10],
      [4, 2 * (1 + Number.EPSILON), 2, 10],
    ]) {
      const factor = cholesky(Float64Array.from(matrix), 2)!;
      const v = Float64Array.of(6, 12);
      expect(distance(factor.solve(v), exact.solve(v))).to.be.at.most(1e-15);
    }
  });

  it('refuses a matrix that is not symmetric, not finite or not square', () => {
    expect(() => cholesky(Float64Array.of(4, 2, 1, 10), 2)).to.throw(
      ArgumentError,
      'matrix[1][0] must equal matrix[0][1] = 2, got 1',
    );
    for (const bad of [NaN, Infinity]) {
      expect(() => cholesky(Float64Array.of(bad), 1)).to.throw(ArgumentError, `matrix[0] must be a finite`);
      expect(() => cholesky(Float64Array.of(4, bad, bad, 10), 2)).to.throw(ArgumentError, 'matrix[1]');
    }
    expect(() => cholesky(new Float64Array(3), 2)).to.throw(ArgumentError, 'the length of matrix must be 4');
    expect(() => cholesky(new Float64Array(0), 0)).to.throw(ArgumentError, 'size');
  });

  it('refuses vectors of another length, and writes to none', () => {
    const matrix = Float64Array.of(4, 2, 2, 10);
    const factor = cholesky(matrix, 2)!;
    const v = Float64Array.of(6, 12);
    for (const map of [factor.timesTransposed, factor.solveFactor, factor.solveTransposed, factor.solve]) {
      expect(() => map(zeros(3))).to.throw(ArgumentError, 'the length of v must be 2, got 3');
      map(v).fill(Number.NaN);
    }
    expect(v).to.deep.equal(Float64Array.of(6, 12));
    matrix.fill(0);
    expect(factor.solve(v)).to.deep.equal(Float64Array.of(1, 1));
    expect(factor).to.be.frozen;
  });
});
