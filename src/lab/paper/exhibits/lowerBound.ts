import { seeded } from '../../../math/random/seeded.ts';
import { symmetricEigen } from '../../../math/symmetricEigen.ts';
import { dot, norm } from '../../../math/vector.ts';
import { squared } from '../../../method/loss/squared.ts';
import { noplConvDpFw, squaredGeometry } from '../../../plan/theorem/noplConvDpFw.ts';
import { planTheorem } from '../../../plan/theorem/planTheorem.ts';
import { upRidge } from '../../../plan/theorem/upRidge.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { lowerBoundData } from '../../synthetic/lowerBoundData.ts';
import type { Exhibit } from '../exhibit.ts';
import type { Point } from '../figure.ts';
import { lastTheta } from '../runFigure.ts';
import { momentsOf, squaredExcess, withinBall } from './excessRisk.ts';

const features = 16;
/** k, the rows of the Hadamard matrix. */
const sizes = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384];
/** w of tau = k/(w p) = 1/10 */
const codeRowsOf = (orthogonalRows: number): number => (10 * orthogonalRows) / features;
const [floor, found] = ['S1 claimed', 'condition on the rows'];

const readings = [
  { name: 'primary', about: 'algorithms 3 and 2 with the paper’s noise, delta = 1/3' },
  {
    name: 'MatchData',
    about:
      'the proposition: log S1, and the log of inf over C of alpha_C ||gradient|| / beta_L on the rows, which is to be no less',
  },
];

/** As measured. */
const workOf = (orthogonalRows: number): number => 6_000_000 + 400 * orthogonalRows;

/**
 * The data of theorem LBRidge with free tau, on which proposition MatchData says that theorem UPRidge's condition
 * holds. Private accelerated Frank-Wolfe (UPRidge) and plain Frank-Wolfe (NOPLconvDPFW), p = 16, tau = 1/10, S1 = 1,
 * delta = 1/3. Shown: log excess empirical risk against n.
 *
 * The reading MatchData shows the condition on the same axes: S1, and the quantity that it bounds from below, computed
 * exactly on every sample.
 */
export const lowerBound = (): Exhibit => ({
  name: 'lower-bound',
  title: 'The data of the lower bound, tau free',
  x: 'n',
  xScale: 'log',
  y: 'log excess empirical risk',
  readings,
  claim: {
    text: 'on the data of the lower bound theorem UPRidge’s condition holds, and accelerated Frank-Wolfe outperforms Frank-Wolfe',
    comparisons: [
      ...[0.5, 0.9].map(epsilon => ({ lower: `ACCFW eps=${epsilon}`, upper: `FW eps=${epsilon}` })),
      { lower: floor, upper: found },
    ],
    range: { from: 13_312, to: 26_624, because: 'the upper half of n, where the rates should tell' },
  },
  remark:
    'These data meet the proposition’s conditions, but their code is planted and no fingerprinting code: this shows the method under its conditions, and cannot show the lower bound n^(-2/3) itself.',
  work: sizes.reduce((sum, size) => sum + workOf(size), 0),
  run: async (seed, { reading: only, onWork } = {}) => {
    const points: Point[] = [];
    for (const orthogonalRows of sizes) {
      const { batch, radius, gradientFloor } = lowerBoundData({
        features,
        codeRows: codeRowsOf(orthogonalRows),
        orthogonalRows,
        random: seeded(seed, `lower bound ${orthogonalRows}`),
      });
      const { rows } = batch;
      const add = (reading: string, series: string, value: number): void => {
        if (only === undefined || only === reading) points.push({ reading, series, x: rows, value });
      };
      add('MatchData', floor, Math.log(gradientFloor));
      add('MatchData', found, Math.log(leastGradient(batch, radius)));
      const excess = squaredExcess(batch, radius);
      const lipschitz = Math.sqrt(features) + features * radius;
      for (const epsilon of [0.5, 0.9]) {
        const budget = { epsilon, delta: 1 / 3 };
        const geometry = squaredGeometry({ features, radius });
        for (const [method, given] of [
          ['ACCFW', upRidge({ rows, features, radius, gradientRatio: gradientFloor, ...budget })],
          ['FW', noplConvDpFw({ rows, radius, lipschitz, ...geometry, ...budget })],
        ] as const) {
          const series = `${method} eps=${epsilon}`;
          const plan = planTheorem(given, { rows, features, loss: squared() });
          const theta = await lastTheta(plan, batch, seeded(seed, `lower bound, ${series}, ${rows}`));
          add('primary', series, Math.log(excess(theta)));
        }
      }
      onWork?.(workOf(orthogonalRows));
    }
    return points;
  },
});

/**
 * The condition of theorem UPRidge on given rows: inf over C = B2(D) of alpha_C ||gradient|| / beta_L, which must be at
 * least S1, for the squared loss.
 *
 * With A = X'X and b = X'y it is ||A theta - b|| / (D lambda_max(A)) at its minimum; n cancels. In the eigenbasis of A
 * the minimiser is theta_i = lambda_i b_i / (lambda_i^2 + mu), with the multiplier mu >= 0 that puts it in the ball.
 *
 *   D -> radius
 */
export function leastGradient({ columns, target }: SampleBatch, radius: number): number {
  const { gram, moment } = momentsOf(columns, target);
  const pairs = symmetricEigen(gram, columns.length).map(({ value, vector }) => ({ value, b: dot(vector, moment) }));
  const largest = pairs[0]!.value;
  // For mu this large, the minimiser is shorter than the radius.
  const theta = withinBall(mu => Float64Array.from(pairs, ({ value, b }) => (value * b) / (value ** 2 + mu)), {
    radius,
    most: (largest * norm(moment)) / radius,
    halvings: 200,
  });
  const gradient = Float64Array.from(pairs, ({ value, b }, i) => value * theta[i]! - b);
  return norm(gradient) / (radius * largest);
}
