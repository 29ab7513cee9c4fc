import { hashedRounds } from '../../engine/local/hashedRounds.ts';
import { ArgumentError, dataError } from '../../errors.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Samples } from '../../sample/samples.ts';
import type { Design } from '../../source/design/design.ts';
import type { RowSource } from '../../source/memory/rowSource.ts';
import { type OpenRowsOptions, openRows } from '../../source/read/openRows.ts';
import { DEFAULT_ORDER_SEED } from '../input/withChunks.ts';
import type { RemoteSamples } from './openRemote.ts';

/**
 * Rows that are read here, and assigned to pilot, chunks and blocks by a column of ids instead of their positions: as an
 * engine elsewhere assigns them, so that both come to the same estimate.
 */
export async function openHashed(
  source: RowSource,
  id: string,
  options: OpenRowsOptions & { readonly orderSeed?: string | undefined },
): Promise<RemoteSamples> {
  const { features, orderSeed = DEFAULT_ORDER_SEED } = options;
  if (features?.includes(id) || id === options.target || id === options.weights)
    throw new ArgumentError(
      `\`id\` names ${JSON.stringify(id)}, which has another role; leave one of them out`,
      'ERR_CONFLICT',
      { argument: 'id' },
    );
  const samples = await openRows(source, { ...options, ...(features && { features: [...features, id] }) });
  const place = samples.design.features.findIndex(column => column.name === id && column.level === undefined);
  if (place < 0) {
    await samples.close();
    throw dataError(
      { table: 'the rows', column: id },
      'is no column of numbers that could be the `id`',
      'name a column of whole numbers',
      'ERR_COLUMN',
    );
  }
  const moved = withIdLast(samples, place, id);
  const design: Design = Object.freeze({
    ...samples.design,
    features: samples.design.features.filter((_, k) => k !== place),
  });
  return {
    ...samples,
    features: samples.features - 1,
    design,
    engine: hashedRounds(moved, orderSeed),
    place: 'rows assigned by their ids',
  };
}

/** The id as the last column, which is what decides about a row, so that it has to be usable in all of them. */
function withIdLast(samples: Samples, place: number, id: string): Samples {
  return {
    ...samples,
    async *batches() {
      for await (const batch of samples.batches()) {
        const ids = batch.columns[place]!;
        requireIds(ids, batch, id);
        yield { ...batch, columns: [...batch.columns.filter((_, k) => k !== place), ids] };
      }
    },
  };
}

function requireIds(ids: Float64Array, { rows }: SampleBatch, id: string): void {
  for (let i = 0; i < rows; i++) {
    if (Number.isSafeInteger(ids[i]) && ids[i]! >= 0) continue;
    throw dataError(
      { table: 'the rows', column: id },
      `has ${ids[i]}, and an \`id\` is a whole number of 0 or more`,
      'name another column',
      'ERR_ROW',
    );
  }
}
