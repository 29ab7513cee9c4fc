import { dataError } from '../../errors.ts';
import { openBatch } from './batch.ts';
import { damagedAt } from './damaged.ts';
import { type Dictionary, emptyDictionary } from './dictionary.ts';
import { decodeDictionary, type Message } from './message.ts';
import { readDictionary } from './readDictionary.ts';
import type { Region } from './region.ts';
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
      throw dataError({ table, column: name }, 'has two dictionaries', 'write the table as an Arrow stream');
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
        return dataError({ table, column: name }, `${where}: ${problem}`);
      },
    });
    const kept = isDelta ? (before ?? emptyDictionary) : emptyDictionary;
    current.set(id, await readDictionary(type.plain, batch.column(0), kept));
  };
  return { current, add };
}
