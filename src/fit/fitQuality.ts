import type { FitQuality } from '../inference/fittedRun.ts';
import { meanOf, median, weightedMedian } from '../math/median.ts';
import type { Vector } from '../math/vector.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { rankingArea } from '../model/evaluation.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

/**
 * How well an estimate describes the rows that a run has in memory: those of its pilot, which may be all of them.
 *
 *   numbers, squared loss   R2 = 1 - sum of r^2 / sum of (y - mean)^2
 *   numbers, robust losses  R2 = 1 - (scale of r)^2 / (scale of y - median)^2,   scale of z = 1.4826 median |z|
 *   classes and counts      D2 = 1 - sum of deviances / sum of deviances of the mean
 *
 * An intercept, where there is one, is the last coordinate of theta.
 */
export function fitQuality(
  batch: SampleBatch,
  { theta, loss }: { readonly theta: Vector; readonly loss: NamedLoss },
): FitQuality | null {
  const { rows, target } = batch;
  const weights = batch.weights ?? new Float64Array(rows).fill(1);
  const count = weights.reduce((sum, weight) => (weight > 0 ? sum + 1 : sum), 0);
  if (count === 0) return null;
  const scores = new Float64Array(rows).fill(theta[batch.columns.length] ?? 0);
  batch.columns.forEach((column, j) => {
    for (let i = 0; i < rows; i++) scores[i]! += theta[j]! * column[i]!;
  });
  if (loss.name === 'logistic' || loss.name === 'poisson') {
    const mean = meanOf(target, weights);
    const shrunk = deviance(target, weights, i => loss.predict(scores[i]!), loss.name);
    const area = loss.name === 'logistic' ? areaOf(scores, target, weights) : null;
    return {
      rows: count,
      ...share('devianceExplained', shrunk / deviance(target, weights, () => mean, loss.name)),
      ...(area !== null && { auc: area }),
    };
  }
  const residuals = scores.map((score, i) => target[i]! - score);
  if (loss.name === 'squared') {
    const mean = meanOf(target, weights);
    const squares = residuals.map(value => value ** 2);
    const spread = target.map(value => (value - mean) ** 2);
    const variance = meanOf(squares, weights);
    const degrees = count - theta.length;
    return {
      rows: count,
      ...(degrees > 0 && { residualError: Math.sqrt((variance * count) / degrees) }),
      ...share('r2', variance / meanOf(spread, weights)),
    };
  }
  const middleOf = (values: Float64Array): number =>
    batch.weights === undefined ? median(values) : weightedMedian(values, weights);
  const centre = middleOf(target.slice());
  const scale = NORMAL_SCALE * middleOf(residuals.map(Math.abs));
  const spread = NORMAL_SCALE * middleOf(target.map(value => Math.abs(value - centre)));
  return { rows: count, residualScale: scale, ...share('robustR2', (scale / spread) ** 2) };
}

/** 1 less a ratio; nothing where the target does not vary. */
const share = <Name extends string>(name: Name, ratio: number): { readonly [K in Name]?: number } =>
  Number.isFinite(ratio) ? ({ [name]: 1 - ratio } as { readonly [K in Name]: number }) : {};

/** The standard deviation of normal values over their median absolute value. */
const NORMAL_SCALE = 1.4826;

/** Of the mean of each row, 0 log 0 being 0. */
function deviance(
  target: Float64Array,
  weights: Float64Array,
  meanAt: (row: number) => number,
  kind: 'logistic' | 'poisson',
): number {
  const part = (y: number, mean: number): number => (y === 0 ? 0 : y * Math.log(y / mean));
  let sum = 0;
  for (let i = 0; i < target.length; i++) {
    if (weights[i] === 0) continue;
    const [y, mean] = [target[i]!, meanAt(i)];
    const rest = kind === 'logistic' ? part(1 - y, 1 - mean) : mean - y;
    sum += weights[i]! * (part(y, mean) + rest);
  }
  return sum;
}

function areaOf(scores: Float64Array, target: Float64Array, weights: Float64Array): number | null {
  const ranking = rankingArea();
  for (let i = 0; i < target.length; i++)
    ranking.add(scores[i]!, weights[i]! * target[i]!, weights[i]! * (1 - target[i]!));
  return ranking.result()?.area ?? null;
}
