import { ArgumentError, refuse, requireLength } from '../errors.ts';
import { moments } from '../math/moments.ts';
import { quantileSketch } from '../math/quantileSketch.ts';
import { leastValue } from '../method/loss/loss.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { requireTarget, type Samples } from '../sample/samples.ts';
import type { Model } from './model.ts';
import { linearScore, lossOf } from './scorer.ts';

/** Means and shares are over weights. An invalid row, of weight 0, counts nowhere. */
export interface Evaluation {
  /** Its name. */
  readonly loss: string;
  /** How many rows count, and the sum of their weights. */
  readonly rows: number;
  readonly weight: number;
  /** Of the model's own loss, without its penalty. */
  readonly meanLoss: number;
  /** For targets that are numbers or counts. */
  readonly errors?: Errors;
  /** For targets of 0 and 1. */
  readonly classes?: Classes & { readonly logLoss: number };
  /** For counts: the mean of twice the loss beyond that of predicting each count itself. */
  readonly meanDeviance?: number;
}

/** How well a model predicts rows that it is given, in one pass and in memory that does not grow with them. */
export async function evaluateRows(
  model: Model,
  samples: Samples,
  { name, loss, predict }: NamedLoss = lossOf(model),
): Promise<Evaluation> {
  requireLength('model.features', model.features, samples.features);
  requireTarget(samples);
  const { least, most } = loss.targets;
  const score = linearScore(model);
  const losses = moments();
  const deviances = name === 'poisson' ? moments() : null;
  const classes = name === 'logistic' ? classMeasures() : null;
  const errors = classes === null ? errorMeasures() : null;
  let rows = 0;
  let scores = new Float64Array(0);

  for await (const batch of samples.batches()) {
    const { target, weights } = batch;
    if (scores.length < batch.rows) scores = new Float64Array(batch.rows);
    score(batch, scores);
    for (let i = 0; i < batch.rows; i++) {
      const weight = weights === undefined ? 1 : weights[i]!;
      if (weight === 0) continue;
      const s = scores[i]!;
      const y = target[i]!;
      if (!(y >= least && y <= most)) refuse('target', `be from ${least} to ${most} for ${name}`, y);
      const value = loss.value(s, y);
      const prediction = predict(s);
      rows++;
      losses.add(value, weight);
      errors?.add(prediction, y, weight);
      classes?.add(s, prediction, y, weight);
      deviances?.add(2 * (value - leastValue(loss, y)), weight);
    }
  }
  if (rows === 0)
    throw new ArgumentError('no row is left to evaluate the model on; give rows without nulls', 'ERR_NO_ROWS', {
      rows,
    });

  return Object.freeze({
    loss: name,
    rows,
    weight: losses.weight,
    meanLoss: losses.mean,
    ...(errors === null ? {} : { errors: errors.result() }),
    ...(classes === null ? {} : { classes: Object.freeze({ ...classes.result(), logLoss: losses.mean }) }),
    ...(deviances === null ? {} : { meanDeviance: deviances.mean }),
  });
}

/** How far predictions of a number are from it. */
interface Errors {
  /** 1 - squared error / squared deviation of the target from its mean; null where the target is constant. */
  readonly r2: number | null;
  readonly meanAbsolute: number;
  readonly rootMeanSquare: number;
  /** Of the absolute error. The quantiles are right to 1/128 of themselves, the ends exact. */
  readonly absolute: {
    readonly least: number;
    readonly median: number;
    readonly p90: number;
    readonly p99: number;
    readonly most: number;
  };
}

function errorMeasures() {
  const target = moments();
  const absolute = moments();
  const square = moments();
  const sketch = quantileSketch();
  const ends = { least: Infinity, most: 0 };
  return Object.freeze({
    add(prediction: number, y: number, weight: number): void {
      const error = Math.abs(prediction - y);
      target.add(y, weight);
      absolute.add(error, weight);
      square.add(error ** 2, weight);
      sketch.add(error, weight);
      ends.least = Math.min(ends.least, error);
      ends.most = Math.max(ends.most, error);
    },
    /** Asks for at least one row. */
    result(): Errors {
      const quantile = (share: number): number => sketch.quantile(share).value;
      return Object.freeze({
        r2: target.squares === 0 ? null : 1 - (square.weight * square.mean) / target.squares,
        meanAbsolute: absolute.mean,
        rootMeanSquare: Math.sqrt(square.mean),
        absolute: Object.freeze({
          ...ends,
          median: quantile(0.5),
          p90: quantile(0.9),
          p99: quantile(0.99),
        }),
      });
    },
  });
}

/** How well probabilities foretell a target of 0 or 1. */
interface Classes {
  /** The area under the ROC curve, and how far the exact one may be away; null where all targets are equal. */
  readonly auc: { readonly area: number; readonly within: number } | null;
  /** The share of rows whose target is 1 and probability at least 1/2, or 0 and below. */
  readonly accuracy: number;
  /** The mean square of probability - target. */
  readonly brier: number;
  /** The share of ones: what a model without features would say of every row. */
  readonly positives: number;
}

function classMeasures() {
  const ranking = rankingArea();
  const hits = moments();
  const squares = moments();
  const positives = moments();
  return Object.freeze({
    add(score: number, probability: number, target: number, weight: number): void {
      ranking.add(score, weight * target, weight * (1 - target));
      hits.add(probability >= 0.5 ? target : 1 - target, weight);
      squares.add((probability - target) ** 2, weight);
      positives.add(target, weight);
    },
    result: (): Classes =>
      Object.freeze({
        auc: ranking.result(),
        accuracy: hits.mean,
        brier: squares.mean,
        positives: positives.mean,
      }),
  });
}

/**
 * The area under the ROC curve of a stream: the chance that a random positive scores above a random negative, equal
 * scores counting half.
 *
 * Scores are counted in 2^16 equal bins of s / (1 + |s|), which resolves probabilities near 0 and 1 as well as those
 * between: at a logit of -7, one in a thousand, a bin is 0.2 % wide. Scores of one bin count as equal, so the exact
 * area is away by at most half the share of pairs that fall into a bin together; that bound is part of the result.
 */
export function rankingArea() {
  const positives = new Float64Array(BINS);
  const negatives = new Float64Array(BINS);
  return Object.freeze({
    /** A row that is partly both, as a target between 0 and 1 is, adds to both. */
    add(score: number, positive: number, negative: number): void {
      // Of infinite scores, which are no part of themselves, the ends.
      const place = Number.isFinite(score) ? score / (1 + Math.abs(score)) : Math.sign(score);
      const bin = Math.min(BINS - 1, Math.floor((1 + place) * (BINS / 2)));
      positives[bin]! += positive;
      negatives[bin]! += negative;
    },
    /** Null where there are no positives, or no negatives. */
    result(): { readonly area: number; readonly within: number } | null {
      let positivesBelow = 0;
      let negativesBelow = 0;
      let ordered = 0;
      let together = 0;
      for (let bin = 0; bin < BINS; bin++) {
        const positive = positives[bin]!;
        const negative = negatives[bin]!;
        ordered += positive * negativesBelow;
        together += positive * negative;
        positivesBelow += positive;
        negativesBelow += negative;
      }
      const pairs = positivesBelow * negativesBelow;
      if (pairs === 0) return null;
      return Object.freeze({ area: (ordered + together / 2) / pairs, within: together / 2 / pairs });
    },
  });
}

const BINS = 2 ** 16;
