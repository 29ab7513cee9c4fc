import { expect } from 'chai';
import {
  covarianceOf,
  residualDegrees,
  type UncertaintyOptions,
  uncertaintyOf,
} from '../../../src/inference/intervals/uncertaintyOf.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';

/** Quantiles of Student's t in closed form, for 1, 2 and 4 degrees of freedom. */
const student: Readonly<Record<number, (level: number) => number>> = {
  1: level => Math.tan(Math.PI * (level - 1 / 2)),
  2: level => (2 * level - 1) / Math.sqrt(2 * level * (1 - level)),
  4: level => {
    const root = Math.sqrt(4 * level * (1 - level));
    return Math.sign(level - 1 / 2) * 2 * Math.sqrt(Math.cos(Math.acos(root) / 3) / root - 1);
  },
};

const SIZE = 2;

/**
 * Coordinates P of the curvature A = (4, 2; 2, 5), by hand: P = (1/2, -1/4; 0, 1/2), so that P'AP = I, and PP' is
 * A^-1 = (5, -2; -2, 4)/16.
 */
const coordinates = {
  size: SIZE,
  rank: SIZE,
  toTheta: (phi: Float64Array) => Float64Array.of(phi[0]! / 2 - phi[1]! / 4, phi[1]! / 2),
  ofGradient: (g: Float64Array) => Float64Array.of(g[0]! / 2, -g[0]! / 4 + g[1]! / 2),
};
const inverse = [5 / 16, 4 / 16];
const NOISE = 6;

interface Findings {
  readonly positiveWeight?: number;
  readonly rare?: readonly number[];
  readonly fewEvents?: number;
  readonly isCurvatureConcentrated?: boolean;
  readonly peakCurvatureRatio?: number;
}

/** As much of a pilot of 100 rows as intervals need. */
const pilotOf = (found: Findings = {}): UncertaintyOptions['pilot'] =>
  ({
    rows: { count: 100, positiveWeight: found.positiveWeight ?? 100 },
    estimate: { coordinates, noise: NOISE },
    leverage: { isCurvatureConcentrated: found.isCurvatureConcentrated ?? false },
    targets: { fewEvents: found.fewEvents ?? null },
    columns: { rare: (found.rare ?? []).map(column => ({ column, rows: 3 })), weak: [] },
    residuals: { peakCurvatureRatio: found.peakCurvatureRatio ?? 1 },
  }) as unknown as UncertaintyOptions['pilot'];

const theta = Float64Array.of(10, -20);

const told = (given: Partial<UncertaintyOptions>, rowsBehind = 1000) =>
  uncertaintyOf({
    fit: { theta, rowsBehind } as unknown as UncertaintyOptions['fit'],
    pilot: pilotOf(),
    rows: null,
    blocks: null,
    neighbours: null,
    ...given,
  });

const rowsOf = (variances: readonly number[], degrees: readonly number[], most = 50) => ({
  variances: Float64Array.from(variances),
  degrees: Float64Array.from(degrees),
  most,
  covariance: () => Float64Array.from([variances[0]!, 0.5, 0.5, variances[1]!]),
});

const blocksOf = (variances: readonly number[], degrees: number) =>
  ({ variances: Float64Array.from(variances), degrees, noise: 1 }) as unknown as NonNullable<
    UncertaintyOptions['blocks']
  >;

const expectClose = (found: ArrayLike<number>, expected: readonly number[], within = 1e-12): void => {
  expect(found).to.have.length(expected.length);
  expected.forEach((value, j) => {
    expect(found[j]).to.be.closeTo(value, within * Math.abs(value), `coefficient ${j}`);
  });
};

describe('uncertaintyOf', () => {
  it('has the squares of its errors on the diagonal of its covariance, and the correlations of the rows', () => {
    const found = told({ rows: rowsOf([4, 9], [2, 4]) })!;
    const { rows, pilot } = { rows: rowsOf([4, 9], [2, 4]), pilot: pilotOf() };
    expectClose(covarianceOf({ rows, pilot }, found), [4, 0.5, 0.5, 9]);
  });

  it("reaches a quantile of each coefficient's own t to either side, and so do those that cover all at once", () => {
    const found = told({ rows: rowsOf([4, 9], [2, 4]) })!;
    expectClose(found.errors, [2, 3]);
    const reaches = [2 * student[2]!(0.975), 3 * student[4]!(0.975)];
    // The expansion behind the quantiles is exact to seven digits here.
    expectClose(found.lower, [10 - reaches[0]!, -20 - reaches[1]!], 1e-7);
    expectClose(found.upper, [10 + reaches[0]!, -20 + reaches[1]!], 1e-7);
    expectClose(
      found.radii,
      [2, 4].map(degrees => student[degrees as 2 | 4]!(1 - 0.05 / (2 * SIZE))),
      1e-5,
    );
    expect([found.level, found.from]).to.deep.equal([0.95, 'rows']);
  });

  it('divides the variance of one row by the rows behind, less one for each coefficient', () => {
    const found = told({ blocks: blocksOf([4, 9], 4) })!;
    expectClose(found.errors, [Math.sqrt(4 / 998), Math.sqrt(9 / 998)]);
    expectClose(found.degrees, [4, 4]);
    expect(found.from).to.equal('blocks');
    // Of rows half of which have weight 0, each coefficient uses up two.
    const half = told({ blocks: blocksOf([4, 9], 4), pilot: pilotOf({ positiveWeight: 50 }) })!;
    expectClose(half.errors, [Math.sqrt(4 / 996), Math.sqrt(9 / 996)]);
  });

  it('has none without rows and blocks, and none where blocks have no more rows than coefficients', () => {
    expect(told({})).to.equal(null);
    const blocks = blocksOf([4, 9], 4);
    expect(told({ blocks }, 2)).to.equal(null);
    expectClose(told({ blocks }, 3)!.errors, [2, 3]);
    expect(residualDegrees({ rowsBehind: 7 } as never, pilotOf({ positiveWeight: 50 }))).to.equal(2);
  });

  it('takes the larger variance and the fewer degrees where neighbouring rows are correlated', () => {
    const neighbours = blocksOf([998 * 16, 998], 2) as unknown as NonNullable<UncertaintyOptions['neighbours']>;
    const found = told({ rows: rowsOf([4, 9], [4, 1]), neighbours })!;
    expectClose(found.errors, [4, 3]);
    expectClose(found.degrees, [2, 1]);
    expect(found.upper[1]).to.be.closeTo(-20 + 3 * student[1]!(0.975), 1e-9);
    expect(found.from).to.equal('neighbours');
  });

  it('gives a column that few rows determine no less than the same noise in all rows would', () => {
    // Of each coordinate, times (A^-1)_jj.
    const usual = inverse.map(value => ((NOISE / SIZE) * value) / 998);
    const small = rowsOf([usual[0]! / 4, usual[1]! / 4], [2, 2]);
    expectClose(
      told({ rows: small })!.errors,
      usual.map(value => Math.sqrt(value) / 2),
    );
    const one = told({ rows: small, pilot: pilotOf({ rare: [1] }) })!;
    expectClose(one.errors, [Math.sqrt(usual[0]!) / 2, Math.sqrt(usual[1]!)]);
    // That variance comes from all rows, and so do its degrees of freedom.
    expectClose(one.degrees, [2, 50]);
    const extreme = told({ rows: rowsOf([usual[0]! / 4, usual[1]! / 4], [2, 1]) })!;
    expectClose(extreme.errors, [Math.sqrt(usual[0]!) / 2, Math.sqrt(usual[1]!)]);
    for (const pilot of [pilotOf({ fewEvents: 3 }), pilotOf({ isCurvatureConcentrated: true })])
      expectClose(told({ rows: small, pilot })!.errors, usual.map(Math.sqrt));
    const peaked = pilotOf({ rare: [0], peakCurvatureRatio: 9 });
    expect(told({ rows: small, pilot: peaked })!.errors[0]).to.be.closeTo(3 * Math.sqrt(usual[0]!), 1e-12);
  });

  it('keeps a larger variance of such a column, with at least four degrees and no more than all rows have', () => {
    const large = [1, 1];
    const degreesOf = (own: number, most: number) =>
      told({ rows: rowsOf(large, [own, own], most), pilot: pilotOf({ rare: [0] }) })!.degrees;
    expectClose(degreesOf(2, 50), [4, 2]);
    expectClose(degreesOf(1, 50), [4, 4]);
    expectClose(degreesOf(7, 50), [7, 7]);
    expectClose(degreesOf(70, 50), [50, 70]);
    expectClose(degreesOf(1, 2), [2, 2]);
    expectClose(told({ rows: rowsOf(large, [1, 1]), pilot: pilotOf({ rare: [0] }) })!.errors, large);
  });

  it('covers 95 % of normal estimates whose variance was estimated with as many degrees', () => {
    const random = seeded('uncertaintyOf', 'coverage');
    const [runs, degrees, rows] = [4000, 4, 502];
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      let chi = 0;
      for (let k = 0; k < degrees; k++) chi += normal(random) ** 2;
      const estimate = normal(random) / Math.sqrt(rows - SIZE);
      const { lower, upper } = uncertaintyOf({
        fit: {
          theta: Float64Array.of(estimate, 0),
          rowsBehind: rows,
        } as unknown as UncertaintyOptions['fit'],
        pilot: pilotOf(),
        rows: null,
        blocks: blocksOf([chi / degrees, 1], degrees),
        neighbours: null,
      })!;
      if (lower[0]! <= 0 && 0 <= upper[0]!) covered++;
    }
    // Five standard deviations of the count.
    expect(covered / runs).to.be.closeTo(0.95, 5 * Math.sqrt((0.95 * 0.05) / runs));
  });
});
