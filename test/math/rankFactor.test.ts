import { expect } from 'chai';
import { seeded } from '../../src/math/random/seeded.ts';
import { rankFactor } from '../../src/math/rankFactor.ts';
import { distance, norm } from '../../src/math/vector.ts';
import { flat, normals, orthogonal, type Rows, solveBy, times, withSpectrum } from '../support/linearAlgebra.ts';

/** B A B', where B takes from size coordinates to more: every coordinate is a combination of the given ones. */
const blownUp = (matrix: Rows, sources: Rows): Rows =>
  sources.map(left =>
    Float64Array.from(sources, right => left.reduce((sum, own, i) => sum + own * times(matrix, right)[i]!, 0)),
  );

describe('rankFactor', () => {
  it('is the Cholesky factor where all coordinates count', () => {
    // L = [2, 0; 1, 3]
    const factor = rankFactor(Float64Array.of(4, 2, 2, 10), 2);
    expect(factor.kept).to.deep.equal([0, 1]);
    expect(factor.solveFactor(Float64Array.of(2, 4))).to.deep.equal(Float64Array.of(1, 1));
    expect(factor.solveTransposed(Float64Array.of(3, 3))).to.deep.equal(Float64Array.of(1, 1));
    expect(factor).to.be.frozen;
  });

  it('solves as elimination does, for sizes to 12 and conditions to 1e6', () => {
    const random = seeded(1, 'rankFactor');
    for (let size = 1; size <= 12; size++) {
      for (const condition of [1, 1e3, 1e6]) {
        const spectrum = Array.from({ length: size }, (_, k) => condition ** (k / size));
        const matrix = withSpectrum(spectrum, orthogonal(random, size));
        const factor = rankFactor(flat(matrix), size);
        const v = normals(random, size);
        const solution = factor.solveTransposed(factor.solveFactor(v));
        expect(factor.kept).to.have.length(size);
        expect(distance(solution, solveBy(matrix, v))).to.be.at.most(1e-14 * size * condition * norm(v));
      }
    }
  });

  it('leaves out what those before it make up, wherever it stands, and solves over the others', () => {
    const random = seeded(2, 'rankFactor');
    const matrix = withSpectrum([1, 2, 5], orthogonal(random, 3));
    const [a, b, c] = [Float64Array.of(1, 0, 0), Float64Array.of(0, 1, 0), Float64Array.of(0, 0, 1)];
    const cases: [sources: Rows, kept: number[]][] = [
      [
        [a, a, b, c],
        [0, 2, 3],
      ],
      [
        [a, b, Float64Array.of(2, -3, 0), c],
        [0, 1, 3],
      ],
      [
        [a, b, c, Float64Array.of(1, 1, 1)],
        [0, 1, 2],
      ],
      [
        [new Float64Array(3), a, b],
        [1, 2],
      ],
      [[new Float64Array(3), new Float64Array(3)], []],
    ];
    for (const [sources, kept] of cases) {
      const size = sources.length;
      const whole = blownUp(matrix, sources);
      const factor = rankFactor(flat(whole), size);
      expect(factor.kept).to.deep.equal(kept);
      const v = normals(random, size);
      const solution = factor.solveTransposed(factor.solveFactor(v));
      const part = kept.map(i => Float64Array.from(kept, j => whole[i]![j]!));
      const expected = solveBy(
        part,
        Float64Array.from(kept, i => v[i]!),
      );
      kept.forEach((i, k) => {
        expect(solution[i]).to.be.closeTo(expected[k]!, 1e-12 * (1 + norm(expected)));
      });
      solution.forEach((value, i) => {
        if (!kept.includes(i)) expect(value).to.equal(0);
      });
    }
  });

  it('keeps the same coordinates in whatever units they are', () => {
    const random = seeded(3, 'rankFactor');
    const matrix = blownUp(withSpectrum([1, 2], orthogonal(random, 2)), [
      Float64Array.of(1, 0),
      Float64Array.of(0, 1),
      Float64Array.of(1, 1),
    ]);
    const units = [1e-9, 1e6, 1e3];
    const scaled = matrix.map((row, i) => row.map((value, j) => value * units[i]! * units[j]!));
    expect(rankFactor(flat(scaled), 3).kept).to.deep.equal([0, 1]);
  });

  it('leaves out a coordinate that curves down or is not a number, and writes to no argument', () => {
    expect(rankFactor(Float64Array.of(1, 2, 2, 1), 2).kept).to.deep.equal([0]);
    expect(rankFactor(Float64Array.of(-1, 0, 0, 1), 2).kept).to.deep.equal([1]);
    expect(rankFactor(Float64Array.of(NaN, 0, 0, 1), 2).kept).to.deep.equal([1]);
    const matrix = Float64Array.of(4, 2, 2, 10);
    const v = Float64Array.of(6, 12);
    const factor = rankFactor(matrix, 2);
    matrix.fill(0);
    factor.solveFactor(v).fill(7);
    factor.solveTransposed(v).fill(7);
    expect(v).to.deep.equal(Float64Array.of(6, 12));
    expect(factor.solveTransposed(factor.solveFactor(v))).to.deep.equal(Float64Array.of(1, 1));
  });
});
