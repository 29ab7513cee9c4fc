import { refuse, requireLength, requireVector } from '../../errors.ts';
import { normal } from '../../math/random/normal.ts';
import { type Random, uniform } from '../../math/random/random.ts';
import { type Vector, zeros } from '../../math/vector.ts';
import { l2Ball } from '../../method/constraint/l2Ball.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { isFeasible, type Prescription } from '../../plan/theorem/prescription.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';

/** n^2 steps: beyond this many rows the baseline takes hours. A limit of this program, not of the lemma. */
export const LARGEST_SGD_ROWS = 1000;

export interface SgdIterate {
  readonly gradients: number;
  readonly theta: Vector;
}

/**
 * alg:Priv_SGD (Bassily et al.), the paper's baseline, over rows in memory:
 *
 *   theta_{t+1} = P_C(theta_t - eta_t (gradient of one row + N(0, sigma^2 I))),   t = 0 .. n^2 - 1
 *
 * The row is drawn uniformly with replacement and its index kept secret: the guarantee rests on that (the text says
 * "without replacement", which n^2 draws of n rows cannot be; public passes over the rows would cost a true epsilon of
 * 9.6 for a nominal 0.9). Its parameters come from theorem Util_Priv_SGD.
 *
 *   C -> l2Ball(prescription.radius), eta_t -> prescription.stepSize, sigma -> prescription.privacy
 *
 * Guarantee. None as run here: floating-point noise simulates the accuracy of a private run, as in
 * simulatedGaussian.ts.
 * Edge cases. More than 1,000 rows are refused: n^2 steps take hours.
 *
 * Yields the iterate after every n gradients, n times.
 */
export function privateSgd({
  data,
  loss,
  prescription,
  random,
  start = zeros(data.columns.length),
}: {
  readonly data: SampleBatch;
  readonly loss: Loss;
  readonly prescription: Prescription;
  readonly random: Random;
  readonly start?: Vector;
}): Generator<SgdIterate, void> {
  const { stepSize, radius, privacy, rule } = prescription;
  if (rule !== 'private-sgd' || typeof stepSize !== 'object' || radius === null || !isFeasible(prescription)) {
    refuse('prescription', 'come from theorem Util_Priv_SGD with its conditions met', prescription.theorem);
  }
  requireFewRows(data.rows);
  requireVector('start', start, data.columns.length);
  requireLength('data', data.target, Math.sqrt(prescription.steps));
  const sigma = privacy?.sigma ?? refuse('prescription', 'have noise', prescription.theorem);
  const ball = l2Ball(radius);
  const { columns } = data;

  // A generator of its own: it would refuse a bad argument only when its first iterate is asked for.
  const iterates = function* (): Generator<SgdIterate, void> {
    const theta = ball.project(start);
    for (let t = 0; t < prescription.steps; ) {
      const row = Math.floor(uniform(random) * data.rows);
      // Plain loops, since there are a million steps of a few numbers each.
      let score = 0;
      for (let j = 0; j < theta.length; j++) score += columns[j]![row]! * theta[j]!;
      const slope = (data.weights?.[row] ?? 1) * loss.slope(score, data.target[row]!);
      const eta = stepSize.inverseRoot / Math.sqrt(t + 1);
      let square = 0;
      for (let j = 0; j < theta.length; j++) {
        const gradient = slope * columns[j]![row]! + loss.penalty * theta[j]!;
        theta[j]! -= eta * (gradient + sigma * normal(random));
        square += theta[j]! * theta[j]!;
      }
      const shrink = radius / Math.sqrt(square);
      if (shrink < 1) for (let j = 0; j < theta.length; j++) theta[j]! *= shrink;
      t++;
      if (t % data.rows === 0) yield { gradients: t, theta: ball.project(theta) };
    }
  };
  return iterates();
}

/** Refuses what would take hours. */
export function requireFewRows(rows: number): void {
  if (rows <= LARGEST_SGD_ROWS) return;
  refuse('rows', `be at most ${LARGEST_SGD_ROWS} for private SGD, which takes n^2 steps`, rows, 'use fewer rows');
}
