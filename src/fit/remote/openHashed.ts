import { hashedRounds } from '../../engine/local/hashedRounds.ts';
import { ArgumentError, dataError } from '../../errors.ts';
import type { Samples } from '../../sample/samples.ts';
import type { Design } from '../../source/design/design.ts';
import { knownSource, type RowSource } from '../../source/memory/rowSource.ts';
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
  const { features, target, weights, orderSeed = DEFAULT_ORDER_SEED } = options;
  const refuse = (problem: string): never => {
    throw new ArgumentError(`\`id\` names ${JSON.stringify(id)}, ${problem}`, 'ERR_CONFLICT', { argument: 'id' });
  };
  if (features?.includes(id) || id === target || id === weights)
    refuse('which has another role; leave one of them out');
  if (knownSource(source).is === 'once') refuse('and rows that pass once are not read for it; gather them first');
  const ids = await openRows(source, { features: [id], nulls: 'error' });
  try {
    const samples = await openRows(source, options);
    const place = samples.design.features.findIndex(column => column.name === id);
    const design: Design = Object.freeze({
      ...samples.design,
      features: samples.design.features.filter((_, k) => k !== place),
    });
    const rows = { ...samples, features: design.features.length };
    return {
      ...rows,
      design,
      engine: hashedRounds(withIds(samples, place, ids, id), orderSeed),
      place: 'files here',
      close: async () => {
        await Promise.all([samples.close(), ids.close()]);
      },
    };
  } catch (error) {
    await ids.close();
    throw error;
  }
}

/**
 * The rows without the column at `place`, if there is one, and with their ids as the last. These are read by themselves:
 * a row that cannot be used still has its id, though nothing else is left of it.
 */
function withIds(samples: Samples, place: number, ids: Samples, id: string): Samples {
  return {
    ...samples,
    features: samples.features + (place < 0 ? 1 : 0),
    async *batches() {
      const next = idReader(ids, id);
      for await (const batch of samples.batches())
        yield {
          ...batch,
          columns: [...batch.columns.filter((_, k) => k !== place), await next(batch.rows)],
        };
    },
  };
}

/** Gives so many ids at a time, whatever the batches in which they come. */
function idReader(samples: Samples, id: string): (rows: number) => Promise<Float64Array> {
  const batches = samples.batches()[Symbol.asyncIterator]();
  let [held, used] = [new Float64Array(0), 0];
  return async rows => {
    const found = new Float64Array(rows);
    for (let filled = 0; filled < rows; ) {
      if (used === held.length) {
        const next = await batches.next();
        if (next.done) throw new Error('the rows have fewer ids than they are');
        // A batch is borrowed.
        [held, used] = [next.value.columns[0]!.slice(0, next.value.rows), 0];
        requireIds(held, id);
      }
      const taken = held.subarray(used, used + rows - filled);
      found.set(taken, filled);
      filled += taken.length;
      used += taken.length;
    }
    return found;
  };
}

function requireIds(ids: Float64Array, id: string): void {
  const wrong = ids.find(value => !(Number.isSafeInteger(value) && value >= 0));
  if (wrong === undefined) return;
  throw dataError(
    { table: 'the rows', column: id },
    `has ${wrong}, and an \`id\` is a whole number of 0 or more`,
    'name another column',
    'ERR_ROW',
  );
}
