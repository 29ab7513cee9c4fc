import { dataError } from '../../errors.ts';
import type { Table } from '../table/table.ts';
import { type ArrowTableParts, arrowTable, type OpenBatch } from './arrowTable.ts';
import { openBatch } from './batch.ts';
import { type Dictionary, emptyDictionary, readDictionary } from './dictionary.ts';
import { decodeBatch, decodeDictionary, isBatch, isDictionary, type Message } from './message.ts';
import { damagedAt, type Region } from './region.ts';

/** A message with its body, which is valid until the next message is pulled. */
export interface Delivery {
  readonly message: Message;
  readonly body: Region;
}

/** A table of messages. `deliveries` gives its dictionaries and record batches, in an order in which they can be read. */
export function ipcTable(parts: ArrowTableParts, deliveries: () => AsyncIterable<Delivery>): Table {
  const damaged = damagedAt({ table: parts.name });
  const extents = parts.schema.columns.map(({ type }) => type.extent);
  return arrowTable(parts, async function* (wanted): AsyncGenerator<OpenBatch> {
    const dictionaries = openDictionaries(parts, wanted);
    for await (const { message, body } of deliveries()) {
      if (isDictionary(message)) {
        await dictionaries.add(message, body);
        continue;
      }
      if (!isBatch(message)) throw damaged('contains a message that is neither a record batch nor a dictionary');
      const header = decodeBatch(message.content, damaged);
      yield names => openBatch({ header, body, extents, dictionaries: dictionaries.current, ...names });
    }
  });
}

/** The dictionaries of the requested columns, as of the batches read so far. */
function openDictionaries({ name: table, format, schema }: ArrowTableParts, wanted: ReadonlySet<number>) {
  // Streams may replace a dictionary; in a file, one set of values serves every batch.
  const mayReplace = format === 'arrow-stream';
  const ids = new Set([...wanted].map(index => schema.columns[index]!.dictionary));
  const current = new Map<number, Dictionary>();
  const damaged = damagedAt({ table });

  /** Processes a dictionary batch, which replaces the values or appends to them. */
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
