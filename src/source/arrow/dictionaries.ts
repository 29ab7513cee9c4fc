import { dataError } from '../../errors.ts';
import { openBatch } from './batch.ts';
import { type BatchColumn, type Dictionary, emptyDictionary } from './batchColumn.ts';
import { decodeDictionary, type Message } from './message.ts';
import type { Plain } from './plain.ts';
import { damagedAt, type Region } from './region.ts';
import type { ArrowSchema } from './schema.ts';

/** The dictionaries of the requested columns, as of the batches read so far. */
export interface Dictionaries {
  readonly current: ReadonlyMap<number, Dictionary>;
  /** Processes a dictionary batch, which replaces the values or appends to them. */
  add(message: Message, body: Region): Promise<void>;
}

export interface DictionariesOptions {
  readonly table: string;
  readonly schema: ArrowSchema;
  readonly wanted: ReadonlySet<number>;
  /** Streams may replace a dictionary; in a file, one set of values serves every batch. */
  readonly mayReplace: boolean;
}

export function openDictionaries({ table, schema, wanted, mayReplace }: DictionariesOptions): Dictionaries {
  const ids = new Set([...wanted].map(index => schema.columns[index]!.dictionary));
  const current = new Map<number, Dictionary>();
  const damaged = damagedAt({ table });

  const add = async (message: Message, body: Region): Promise<void> => {
    const { id, isDelta, batch: header } = decodeDictionary(message.content, damaged);
    const column = schema.dictionaries.get(id);
    if (column === undefined) throw damaged(`dictionary ${id} belongs to no column`);
    const { name, type } = column;
    const before = current.get(id);
    if (!mayReplace && !isDelta && before !== undefined) {
      throw dataError(
        { table, column: name },
        'has two dictionaries',
        'write the table as an Arrow stream',
        'ERR_FILE',
      );
    }
    if (!ids.has(id) || type.plain === undefined) return;
    const batch = openBatch({
      header,
      body,
      extents: [type.extent],
      dictionaries: current,
      nameOf: () => `${table}, column ${JSON.stringify(name)}`,
      damaged: (problem, _, entry) => {
        const where = entry === undefined ? 'dictionary' : `dictionary, entry ${entry}`;
        return dataError({ table, column: name }, `${where}: ${problem}`, undefined, 'ERR_FILE');
      },
    });
    const kept = isDelta ? (before ?? emptyDictionary) : emptyDictionary;
    current.set(id, await readDictionary(type.plain, batch.column(0), kept));
  };
  return { current, add };
}

/** Reads the values of a dictionary batch and appends them to those that a delta extends. */
export async function readDictionary(plain: Plain, column: BatchColumn, before: Dictionary): Promise<Dictionary> {
  const { rows } = column;
  const { length } = await column.buffer(1);
  // Checked before memory is allocated for the number of values that the batch claims.
  const hasRoom = rows * plain.bitsPerRow <= 8 * length;
  if (!hasRoom) throw column.damaged(`${length} bytes cannot hold ${rows} values`);
  const missing = new Uint8Array(rows);
  const numbers = new Float64Array(plain.of === 'numbers' ? rows : 0);
  const texts = new Array<Uint8Array>(plain.of === 'texts' ? rows : 0).fill(new Uint8Array(0));
  if (rows > 0 && plain.of === 'numbers') {
    // An entry that no row refers to does no harm; one that a row uses is detected there, because it is not finite.
    await plain.fill(column, { start: 0, out: numbers, missing, lenient: true });
  }
  if (rows > 0 && plain.of === 'texts') {
    // Copied once for any number of texts, because views may share their bytes.
    const copies = new Map<Uint8Array, Uint8Array>();
    await plain.visit(column, { start: 0, missing, longest: Infinity }, (row, bytes, from, to) => {
      const copy = copies.get(bytes) ?? Uint8Array.from(bytes);
      copies.set(bytes, copy);
      texts[row] = copy.subarray(from, to);
    });
  }
  return {
    numbers: behind(before.numbers, numbers),
    texts: before.texts.concat(texts),
    missing: behind(before.missing, missing),
  };
}

function behind<A extends Float64Array | Uint8Array>(before: A, added: A): A {
  const joined = new (added.constructor as new (length: number) => A)(before.length + added.length);
  joined.set(before);
  joined.set(added, before.length);
  return joined;
}
