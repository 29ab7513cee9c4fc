import { expect } from 'chai';
import { curvatureFactor, solveBy } from '../../../../src/inference/pilot/risk/curvatureFactor.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { distance, norm } from '../../../../src/math/vector.ts';
import * as algebra from '../../../support/linearAlgebra.ts';

/** The second moments of rows. */
const momentsOf = (rows: readonly (readonly number[])[]): Float64Array => {
  const size = rows[0]!.length;
  return Float64Array.from({ length: size * size }, (_, at) =>
    rows.reduce((sum, row) => sum + row[Math.floor(at / size)]! * row[at % size]!, 0),
  );
};

describe('curvatureFactor', () => {
  it('solves as elimination does, wherever the intercept stands', () => {
    const random = seeded('curvatureFactor', 'solve');
    for (let size = 1; size <= 6; size++) {
      const matrix = algebra.withSpectrum(
        Array.from({ length: size }, (_, k) => 1 + k),
        algebra.orthogonal(random, size),
      );
      const v = algebra.normals(random, size);
      for (const intercept of [true, false]) {
        const found = solveBy(curvatureFactor(algebra.flat(matrix), size, intercept), v);
        expect(distance(found, algebra.solveBy(matrix, v))).to.be.below(1e-12 * norm(v));
      }
    }
  });

  it("makes the curvature the identity: P = L'^-1, P'AP = I", () => {
    const random = seeded('curvatureFactor', 'identity');
    const matrix = algebra.withSpectrum([1, 10, 100], algebra.orthogonal(random, 3));
    const factor = curvatureFactor(algebra.flat(matrix), 3, true);
    const u = algebra.normals(random, 3);
    const back = factor.solveFactor(algebra.times(matrix, factor.solveTransposed(u)));
    expect(distance(back, u)).to.be.below(1e-12);
  });

  it('keeps the intercept and leaves out the last of the levels that add up to it', () => {
    // Columns a, b = 1 - a, and the intercept.
    const moments = momentsOf([
      [1, 0, 1],
      [0, 1, 1],
      [1, 0, 1],
    ]);
    const { kept, solveTransposed } = curvatureFactor(moments, 3, true);
    expect(kept).to.deep.equal([2, 0]);
    expect(solveTransposed(Float64Array.of(1, 1))[1]).to.equal(0);
    // As mere columns the last is the one that is left out.
    expect(curvatureFactor(moments, 3, false).kept).to.deep.equal([0, 1]);
  });
});
