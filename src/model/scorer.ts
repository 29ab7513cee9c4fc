import { ArgumentError, refuse } from '../errors.ts';
import { LOSS_NAMES, lossByName, type NamedLoss } from '../method/loss/lossByName.ts';
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Model } from './model.ts';

/** Writes what a model expects of every row's target into `out`: the score itself, a probability, or a rate. */
export function scorer(
  model: Model,
  { predict }: Pick<NamedLoss, 'predict'> = predictorOf(model),
): (batch: SampleBatch, out: Float64Array) => void {
  const score = linearScore(model);
  return (batch, out) => {
    score(batch, out);
    for (let i = 0; i < batch.rows; i++) out[i] = predict(out[i]!);
  };
}

/** Writes x.theta plus the intercept of every row of a batch into `out`, column by column. */
export function linearScore({
  features,
  coefficients,
  intercept,
}: Pick<Model, 'features' | 'coefficients' | 'intercept'>): (batch: SampleBatch, out: Float64Array) => void {
  const theta = Float64Array.from(features, name => coefficients[name]!);
  return (batch, out) => {
    const { rows, columns } = requireBatch(batch, theta.length);
    if (out.length < rows) refuse('the length of out', `be at least batch.rows = ${rows}`, out.length);
    out.fill(intercept ?? 0, 0, rows);
    columns.forEach((column, j) => {
      const coefficient = theta[j]!;
      for (let i = 0; i < rows; i++) out[i]! += coefficient * column[i]!;
    });
  };
}

/** What scores predict. Those of a loss of the caller's own are predictions, unless the model says otherwise. */
function predictorOf(model: Pick<Model, 'loss'>): Pick<NamedLoss, 'predict'> {
  const isOwn = !(LOSS_NAMES as readonly string[]).includes(model.loss.name);
  return isOwn && model.loss.mean === undefined ? { predict: score => score } : lossOf(model);
}

/** The loss that a model was fitted with, its penalty included. */
export function lossOf({ loss: { name, parameter, ridge } }: Pick<Model, 'loss'>): NamedLoss {
  if (!(LOSS_NAMES as readonly string[]).includes(name))
    throw new ArgumentError(
      `the model was fitted with ${JSON.stringify(name)}, a loss of the caller's own, which no file holds; give it as \`loss\``,
      'ERR_ARGUMENT',
      { argument: 'loss', value: name },
    );
  return lossByName(name, {
    ...(parameter === undefined ? {} : { parameter }),
    ...(ridge === undefined ? {} : { penalty: ridge }),
  });
}
