import type { SampleBatch } from '../sample/sampleBatch.ts';
import { linearScore } from './linearScore.ts';
import { lossOf } from './lossOf.ts';
import type { Model } from './model.ts';

/** Writes what a model expects of every row's target into `out`: the score itself, a probability, or a rate. */
export function scorer(model: Model): (batch: SampleBatch, out: Float64Array) => void {
  const score = linearScore(model);
  const { predict } = lossOf(model);
  return (batch, out) => {
    score(batch, out);
    for (let i = 0; i < batch.rows; i++) out[i] = predict(out[i]!);
  };
}
