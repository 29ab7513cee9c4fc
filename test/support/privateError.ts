/** The error of private streams beside the formula for it, measured by the product's own code. */

import { reportPrivate } from '../../src/inference/online/privateIntervals.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { logistic } from '../../src/method/loss/logistic.ts';
import { type Loss, slopeOfSlope } from '../../src/method/loss/loss.ts';
import { poisson } from '../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { type PrivateOnlineOptions, planPrivateOnline } from '../../src/plan/online/planPrivateOnline.ts';
import { boundedLoss } from '../../src/plan/private/boundedLoss.ts';
import type { RowDraw } from './privateStream.ts';
import {
  correlated,
  linearRows,
  logisticRows,
  normalNoise,
  poissonRows,
  scoreOf,
  simulatePrivate,
  t3Noise,
} from './privateStream.ts';
import { rootOf } from './statistics.ts';
import { unitScaling } from './unitScaling.ts';

export interface PrivateCell {
  readonly epsilon: number;
  readonly features: number;
  readonly kind: 'huber' | 't3' | 'logistic' | 'poisson' | 'squared';
  readonly rho: number;
  readonly repeats: number;
  /** Standard deviation of features, of a bound of 1. */
  readonly spread?: number;
  /** Standard deviation of linear targets. */
  readonly scale?: number;
  /** In chunks. */
  readonly forget?: number;
  /** The length of the run, in preambles. */
  readonly preambles?: number;
}

export interface PrivateError {
  /** Root mean square error over sqrt((k v/n)(1 + m* / m)). */
  readonly ratio: number;
  /** The standard error of the ratio, by how runs differ. */
  readonly ratioError: number;
  /** The share of coefficients outside of their interval of 95 % at the end. */
  readonly outside: number;
  /** The share of coefficients that were ever outside of their any-time interval. */
  readonly everOutside: number;
  /** The share of coefficients that noise hid at the end, which have no intervals. */
  readonly hidden: number;
  readonly halfway: number;
  readonly preamble: number;
}

/** Counts are at most this. */
const MOST = 8;

export function privateError(cell: PrivateCell): PrivateError {
  const { epsilon, features, kind, rho, repeats, spread = 1 / 3, scale = 0.1, forget, preambles = 10 } = cell;
  const size = features + 1;
  const isGlm = kind === 'logistic' || kind === 'poisson';
  const most = kind === 'logistic' ? 1 : MOST;
  const scaling = unitScaling(features, isGlm ? { target: { least: 0, most }, scalesTarget: false } : {});
  const given: Loss | undefined =
    kind === 'logistic' ? logistic() : kind === 'poisson' ? poisson() : kind === 'squared' ? squared() : undefined;
  const length = (kind === 'logistic' ? 1.2 : kind === 'poisson' ? 0.4 : 0.3) / (3 * spread);
  const truth = Float64Array.from({ length: size }, (_, j) =>
    j < features
      ? ((j % 2 ? -1 : 1) * length * (1 + (j % 3))) / (2 * Math.sqrt(features))
      : kind === 'logistic'
        ? -0.5
        : kind === 'poisson'
          ? Math.log(most / 8)
          : 0.1,
  );
  const rowsOf = (seed: number): RowDraw => {
    const random = seeded(seed, 'rows');
    const x = correlated(random, features, rho, { spread });
    if (kind === 'logistic') return logisticRows(random, x, truth);
    if (kind === 'poisson') return poissonRows(random, x, truth, most);
    return linearRows(random, x, truth, scale, kind === 't3' ? t3Noise : normalNoise);
  };
  const options: PrivateOnlineOptions = { scaling, epsilon, delta: 1e-6, ...(given && { loss: given }) };
  const { v, bend, steepest, moments } = atTheTruth(rowsOf(-1), truth, given && boundedLoss(given, scaling));
  const { rowMu } = planPrivateOnline(options).figures;
  const halfway =
    ((2.5 * Math.sqrt(size) * (kind === 'poisson' ? Math.max(Math.E, most) : steepest)) / (rowMu * bend)) ** 2 / v;
  const chunk = Math.ceil(2 * halfway);
  const plan = planPrivateOnline({ ...options, chunk, ...(forget && { forget: forget * chunk }) });
  const { preamble } = plan.figures;
  const shares: number[] = [];
  let [outside, everOutside, hidden] = [0, 0, 0];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const ever = new Set<number>();
    let rows = 0;
    const last = simulatePrivate(plan, rowsOf(repeat), seeded(repeat, 'noise'), (state, read) => {
      rows = read;
      reportPrivate(state, plan).anyTime.forEach((interval, j) => {
        if (interval !== null && (truth[j]! < interval[0] || truth[j]! > interval[1])) ever.add(j);
      });
      return read < preambles * preamble;
    });
    const { theta, now } = reportPrivate(last, plan);
    const away = theta.map((value, j) => value - truth[j]!);
    const error = away.reduce(
      (all, a, i) => all + away.reduce((row, b, j) => row + a * b * moments[i * size + j]!, 0),
      0,
    );
    const counted = forget ? Math.min(rows, 2 * forget * chunk) : rows;
    shares.push(error / (((size * v) / counted) * (1 + halfway / chunk)));
    hidden += 1 - now.filter(interval => interval !== null).length / size;
    now.forEach((interval, j) => {
      if (interval !== null && (truth[j]! < interval[0] || truth[j]! > interval[1])) outside++;
    });
    everOutside += ever.size;
  }
  const all = repeats * size;
  return {
    ...rootOf(shares),
    outside: outside / all,
    everOutside: everOutside / all,
    hidden: hidden / repeats,
    halfway,
    preamble,
  };
}

/** E psi', E psi^2/(E psi')^2, the steepest slope and second moments of (x, 1), from 40,000 rows. */
function atTheTruth(
  draw: RowDraw,
  truth: Float64Array,
  given: Loss | undefined,
): { v: number; bend: number; steepest: number; moments: Float64Array } {
  const size = truth.length;
  const rows = Array.from({ length: 40_000 }, () => {
    const x = new Float64Array(size - 1);
    const y = draw(x);
    return { x, y, score: scoreOf(x, truth) };
  });
  const residuals = rows.map(({ y, score }) => Math.abs(y - score)).sort((a, b) => a - b);
  const loss = given ?? pseudoHuber(residuals[20_000]! / 0.6745);
  const moments = new Float64Array(size * size);
  let [bend, squares, steepest] = [0, 0, 0];
  for (const { x, y, score } of rows) {
    const slope = loss.slope(score, y);
    bend += slopeOfSlope(loss, score, y) / rows.length;
    squares += slope ** 2 / rows.length;
    const z = [...x, 1];
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) moments[i * size + j]! += (z[i]! * z[j]!) / rows.length;
  }
  steepest = given === undefined ? loss.kernel!.parameter : given.name.startsWith('huber') ? 2 : 1;
  return { v: squares / bend ** 2, bend, steepest, moments };
}
