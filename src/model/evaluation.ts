import { ArgumentError, refuse, requireLength } from '../errors.ts';
import { moments } from '../math/moments.ts';
import { quantileSketch } from '../math/quantileSketch.ts';
import { leastValue } from '../method/loss/loss.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { requireTarget, type Samples } from '../sample/samples.ts';
import { type Classes, classMeasures } from './classMeasures.ts';
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

interface ErrorMeasures {
  add(prediction: number, target: number, weight: number): void;
  /** Asks for at least one row. */
  result(): Errors;
}

function errorMeasures(): ErrorMeasures {
  const target = moments();
  const absolute = moments();
  const square = moments();
  const sketch = quantileSketch();
  const ends = { least: Infinity, most: 0 };
  return Object.freeze({
    add(prediction: number, y: number, weight: number) {
      const error = Math.abs(prediction - y);
      target.add(y, weight);
      absolute.add(error, weight);
      square.add(error ** 2, weight);
      sketch.add(error, weight);
      ends.least = Math.min(ends.least, error);
      ends.most = Math.max(ends.most, error);
    },
    result() {
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
