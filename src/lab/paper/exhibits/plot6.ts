import { distance, filled, type Vector } from '../../../math/vector.ts';
import { squared } from '../../../method/loss/squared.ts';
import type { Plan } from '../../../plan/plan.ts';
import { planTheorem } from '../../../plan/theorem/planTheorem.ts';
import type { Prescription } from '../../../plan/theorem/prescription.ts';
import { accFwLambdaZero, nonAccLambdaZero } from '../../../plan/theorem/spectrum.ts';
import * as synthetic from '../../synthetic/figures.ts';
import type { Figure, FigureStudy } from '../figure.ts';
import { inSmallChunks } from './variants.ts';

const features = 10;
const ranks = [3, 6, 9];

const planned = (rows: number, given: Prescription): Plan =>
  planTheorem(given, { rows, features, loss: squared(), despite: ['n~ >= 2b'] });

const methods = (rows: number, eigenvalues: Vector): Record<string, Prescription> => {
  const truth = filled(features, 1 / Math.sqrt(features));
  const problem = { rows, failureProbability: 1 / 10, mode: 'full', eigenvalues, truth } as const;
  return { ACCFW: accFwLambdaZero(problem), FW: nonAccLambdaZero({ ...problem, radius: 1 }) };
};

function study(rank: number): FigureStudy {
  const eigenvalues = new Float64Array(features).fill(1, 0, rank);
  const plans = (rows: number, change: (given: Prescription) => Prescription) =>
    Object.fromEntries(
      Object.entries(methods(rows, eigenvalues))
        .map(([name, given]) => [name, change(given)] as const)
        .filter(([, { chunkRows }]) => chunkRows > 0)
        .map(([name, given]) => [`${name} m=${rank}`, planned(rows, given)]),
    );
  return {
    sample: (rows, seed, place) => synthetic.plot6(rows, seed, { ...place, rank }),
    sizes: [1000, 2000, 5000, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000, 40_000, 45_000, 50_000],
    measure: (_, truth) => theta => distance(theta, truth),
    readings: [
      { name: 'primary', about: 'every gradient from all rows', plans: rows => plans(rows, given => given) },
      {
        name: 'split',
        about: 'T disjoint chunks, with as many blocks as they allow',
        sizes: [5000, 20_000, 50_000],
        plans: rows => plans(rows, given => inSmallChunks(given, rows)),
      },
    ],
  };
}

/**
 * Figure plot6: theorem ACCFW_lambda=0 against NonACC_lambda=0 with G_MOM, ridge, a covariance of rank m < p = 10.
 * Shown: ||theta_T - theta*|| against n. The primary reading computes every gradient from all rows: T chunks of these n
 * are too small for G_MOM.
 */
export const plot6 = (): Figure => ({
  name: 'plot6',
  title: 'Frank-Wolfe and ridge, singular covariance of rank m',
  x: 'n',
  y: '||theta_T - theta*||',
  studies: ranks.map(study),
  claim: {
    text: 'plain Frank-Wolfe ultimately incurs less error',
    comparisons: ranks.map(rank => ({ lower: `FW m=${rank}`, upper: `ACCFW m=${rank}` })),
    range: { from: 25_000, to: 50_000, because: 'the upper half of n, since the claim is about the end' },
  },
});
