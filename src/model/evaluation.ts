import { ArgumentError, refuse, requireLength } from '../errors.ts';
import { moments } from '../math/moments.ts';
import { leastValue } from '../method/loss/loss.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { requireTarget, type Samples } from '../sample/samples.ts';
import { type Classes, classMeasures } from './classMeasures.ts';
import { type Errors, errorMeasures } from './errorMeasures.ts';
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
    throw new ArgumentError(
      'no row is left to evaluate the model on; give rows without nulls',
      'ERR_NO_ROWS',
      { rows },
    );

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
