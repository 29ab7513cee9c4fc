import type { RecordBatch, Table } from 'apache-arrow';
import { concatMap, from, type OperatorFunction } from 'rxjs';
import { ArgumentError, requireKnown } from '../errors.ts';
import { type GivenLoss, namedLossOf } from '../method/loss/namedLossOf.ts';
import { type Model, requireModel } from '../model/model.ts';
import { modelDesign } from '../model/modelDesign.ts';
import { scorer } from '../model/scorer.ts';
import { unknownLevelLines } from '../model/unknownLevels.ts';
import type { LevelRows, LevelTally } from '../sample/levelTally.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { withColumn } from '../sink/table/withColumn.ts';
import { batches } from '../source/memory/batches.ts';
import { type ArrowBatch, knownSource, type RowSource } from '../source/memory/rowSource.ts';
import { type CallOptions, given, watchedRun } from './call.ts';
import { type ModelRowsOptions, openForModel } from './openForModel.ts';

/** Which columns go along with the predictions, and how rows are read. */
export interface PredictOptions extends CallOptions, Pick<ModelRowsOptions, 'nulls' | 'stdin' | 'types'> {
  /** Columns of the source that are carried along, before the predictions; none unless given. */
  readonly keep?: readonly string[];
  /** The loss of a model that was fitted with one of the caller's own, where its scores are not predictions. */
  readonly loss?: GivenLoss;
}

/** Predictions, batch by batch, in the order of the rows; each iteration reads the source anew. */
export interface Predictions extends AsyncIterable<RecordBatch> {
  /** All of them as one table. */
  table(): Promise<Table>;
  /** What the latest pass met, as far as it came. */
  account(): PredictionAccount;
}

/** What a pass over predictions met. */
export interface PredictionAccount {
  readonly rows: number;
  /** Rows that cannot be used, whose prediction is null. */
  readonly invalid: number;
  /** Such as levels that the model does not know, in plain words. */
  readonly warnings: readonly string[];
}

/** The column of the predictions. */
const PREDICTION = 'prediction';

/**
 * What a model expects of every row's target: the score itself, a probability or a rate, as Arrow record batches with
 * the kept columns and `prediction`. A row that cannot be used has a null for its prediction, unless `nulls` is `error`.
 *
 * @example
 * const scored = await predict(model, 'new.parquet', { keep: ['id'] }).table();
 */
export function predict(model: Model, source: RowSource, options: PredictOptions = {}): Predictions {
  requireModel(model);
  requireKnown(options, 'keep loss nulls onProgress signal stdin types');
  knownSource(source);
  const { keep = [], signal, loss, types, stdin = process.stdin } = options;
  if (keep.includes(PREDICTION))
    throw new ArgumentError(
      `\`keep\` names ${JSON.stringify(PREDICTION)}, which is the column of the predictions; rename it before`,
      'ERR_CONFLICT',
      { arguments: ['keep'], column: PREDICTION },
    );
  const score = loss === undefined ? scorer(model) : scorer(model, namedLossOf(loss));
  let [rows, invalid, levels] = [0, 0, new Map<string, LevelTally>()];

  async function* scored(part: RowSource, kept: RecordBatch | null): AsyncGenerator<RecordBatch> {
    const samples = await openForModel(model, part, {
      ...given(options, ['nulls', 'stdin']),
      // Kept columns have been read with their types.
      ...(kept === null && types && { types }),
      withTarget: false,
    });
    try {
      let done = 0;
      for await (const batch of watchedRun(options, 'reading').source(samples).batches()) {
        const found = new Float64Array(batch.rows);
        score(batch, found);
        const beside = kept?.slice(done, done + batch.rows) ?? null;
        done += batch.rows;
        yield await withColumn(beside, keep, PREDICTION, found, missingIn(batch, options));
      }
      rows += samples.tally.read;
      invalid += samples.tally.invalid;
      for (const tally of samples.levels()) levels.set(tally.column, together(levels.get(tally.column), tally));
    } finally {
      await samples.close();
    }
  }
  async function* all(): AsyncGenerator<RecordBatch> {
    signal?.throwIfAborted();
    [rows, invalid, levels] = [0, 0, new Map()];
    const columns = [...new Set([...modelDesign(model).features.map(columnOf), ...keep])];
    for await (const part of partsOf(source)) {
      if (keep.length === 0) yield* scored(part, null);
      else
        for await (const batch of batches(part, { stdin, columns, ...given(options, ['signal', 'types']) }))
          yield* scored([batch], batch);
    }
  }
  return {
    [Symbol.asyncIterator]: all,
    table: async () => {
      const { Table } = await import('apache-arrow');
      const found: RecordBatch[] = [];
      for await (const batch of all()) found.push(batch);
      return new Table(found);
    },
    account: () => ({ rows, invalid, warnings: unknownLevelLines(model, [...levels.values()]) }),
  };
}

/** Batches that are pulled leave as they come, however many there are; other sources are read as a whole. */
async function* partsOf(source: RowSource): AsyncGenerator<RowSource> {
  const known = knownSource(source);
  if (known.is !== 'once' || 'subscribe' in known.source) yield source;
  else for await (const batch of known.source) yield [batch];
}

/** The column behind an element of a vector. */
const columnOf = (name: string): string => name.replace(/\[\d+\]$/, '');

/**
 * The same as an operator: every record batch that arrives leaves with its kept columns and its predictions, in order.
 *
 * @example
 * from(batches('new.parquet')).pipe(predictBatches(model, { keep: ['id'] }));
 */
export function predictBatches(model: Model, options: PredictOptions = {}): OperatorFunction<ArrowBatch, RecordBatch> {
  requireModel(model);
  return concatMap(batch => from(predict(model, [batch], options)));
}

/** Marks the rows that the null policy has emptied, where it may: their prediction would be that of a row of zeros. */
const missingIn = ({ rows, weights }: SampleBatch, { nulls }: PredictOptions): Uint8Array | undefined =>
  nulls !== 'error' ? Uint8Array.from({ length: rows }, (_, i) => (weights?.[i] === 0 ? 1 : 0)) : undefined;

/** The tallies of one column in two parts of the rows. */
function together(before: LevelTally | undefined, after: LevelTally): LevelTally {
  if (before === undefined) return after;
  const sum = (a: readonly LevelRows[], b: readonly LevelRows[]): readonly LevelRows[] => {
    const counts = new Map(a.map(({ level, rows }) => [level, rows]));
    for (const { level, rows } of b) counts.set(level, (counts.get(level) ?? 0) + rows);
    return [...counts].map(([level, rows]) => ({ level, rows }));
  };
  return {
    ...after,
    rows: before.rows + after.rows,
    declared: sum(before.declared, after.declared),
    others: sum(before.others, after.others),
    unnamed: before.unnamed + after.unnamed,
  };
}
