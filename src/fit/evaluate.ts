import { requireKnown } from '../errors.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { type GivenLoss, namedLossOf } from '../method/loss/namedLossOf.ts';
import { type Evaluation, evaluateRows } from '../model/evaluation.ts';
import { type Model, requireModel } from '../model/model.ts';
import { lossOf } from '../model/scorer.ts';
import { type UnknownLevels, unknownLevelLines, unknownLevels } from '../model/unknownLevels.ts';
import type { RowSource } from '../source/memory/rowSource.ts';
import { type CallOptions, watchedRun } from './call.ts';
import { type ModelRowsOptions, openForModel } from './openForModel.ts';

/** How rows are read and judged. */
export interface EvaluateOptions extends CallOptions, Omit<ModelRowsOptions, 'withTarget'> {
  /** The loss of a model that was fitted with one of the caller's own. */
  readonly loss?: GivenLoss;
}

/** The measures, and rows with levels that the model does not know. */
export interface SourceEvaluation extends Evaluation {
  /** None unless there are some. */
  readonly unknownLevels?: readonly UnknownLevels[];
  /** The same in plain words. */
  readonly warnings: readonly string[];
}

/**
 * How well a model predicts rows, in one pass and in memory that does not grow with them. The measures are computed
 * from the rows exactly, without noise: unlike a private model they are not private.
 *
 * @example
 * const { meanLoss, errors } = await evaluate(model, 'test.parquet');
 */
export async function evaluate(
  model: Model,
  source: RowSource,
  given: EvaluateOptions = {},
): Promise<SourceEvaluation> {
  requireModel(model);
  requireKnown(given, 'loss nulls onProgress signal stdin types weights');
  const { loss, ...options } = given;
  options.signal?.throwIfAborted();
  const named: NamedLoss = loss === undefined ? lossOf(model) : namedLossOf(loss);
  const samples = await openForModel(model, source, { ...options, withTarget: true });
  try {
    const found = await evaluateRows(model, watchedRun(options, 'reading').source(samples), named);
    const unknown = unknownLevels(model, samples.levels());
    return {
      ...found,
      ...(unknown.length > 0 && { unknownLevels: unknown }),
      warnings: unknownLevelLines(model, samples.levels()),
    };
  } finally {
    await samples.close();
  }
}
