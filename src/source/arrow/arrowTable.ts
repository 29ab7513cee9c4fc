import { requireInteger } from '../../errors.ts';
import type { Frame, Table } from '../table/table.ts';
import { openDictionaries } from './dictionaries.ts';
import { openFrame } from './frame.ts';
import { decodeBatch, isBatch, isDictionary, type Message } from './message.ts';
import { damagedAt, type Region } from './region.ts';
import { type ArrowSchema, fieldOf } from './schema.ts';

/** A message with its body, which is valid until the next message is pulled. */
export interface Delivery {
  readonly message: Message;
  readonly body: Region;
}

export interface ArrowTableParts {
  readonly name: string;
  readonly format: 'arrow-file' | 'arrow-stream';
  readonly schema: ArrowSchema;
  readonly rows: number | null;
  /** The dictionaries and record batches, in an order in which they can be read. */
  deliveries(): AsyncIterable<Delivery>;
  close(): Promise<void>;
}

export function arrowTable({ name, format, schema, rows, deliveries, close }: ArrowTableParts): Table {
  async function* frames(wanted: ReadonlySet<number>): AsyncGenerator<Frame> {
    const mayReplace = format === 'arrow-stream';
    const dictionaries = openDictionaries({ table: name, schema, wanted, mayReplace });
    const damaged = damagedAt({ table: name });
    let firstRow = 0;
    for await (const { message, body } of deliveries()) {
      if (isDictionary(message)) {
        await dictionaries.add(message, body);
        continue;
      }
      if (!isBatch(message))
        throw damaged('contains a message that is neither a record batch nor a dictionary');
      const header = decodeBatch(message.content, damaged);
      const shared = { table: name, schema, wanted, dictionaries: dictionaries.current };
      const { frame, retire } = openFrame({ ...shared, header, body, firstRow });
      try {
        yield frame;
      } finally {
        retire();
      }
      firstRow += header.rows;
    }
  }

  return Object.freeze({
    name,
    format,
    fields: Object.freeze(schema.columns.map(fieldOf)),
    rows,
    frames: (fields: readonly number[]) => {
      for (const field of fields) requireInteger('fields', field, 0, schema.columns.length - 1);
      return frames(new Set(fields));
    },
    close,
  });
}
