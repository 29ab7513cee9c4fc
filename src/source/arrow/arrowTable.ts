import { requireInteger } from '../../errors.ts';
import type { Frame, Table } from '../table/table.ts';
import { type Batch, type BatchNames, openBatch } from './batch.ts';
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

export function arrowTable({ deliveries, ...parts }: ArrowTableParts): Table {
  const { name, format, schema } = parts;
  const extents = schema.columns.map(({ type }) => type.extent);
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
      if (!isBatch(message)) throw damaged('contains a message that is neither a record batch nor a dictionary');
      const header = decodeBatch(message.content, damaged);
      const shared = { header, body, extents, dictionaries: dictionaries.current };
      const open = (names: BatchNames): Batch => openBatch({ ...shared, ...names });
      const { frame, retire } = openFrame({ table: name, schema, wanted, open, firstRow });
      try {
        yield frame;
      } finally {
        retire();
      }
      firstRow += header.rows;
    }
  }
  return tableOf(parts, frames);
}

/** A table of Arrow columns whose frames come from anywhere. */
export function tableOf(
  { schema, ...parts }: Pick<Table, 'name' | 'format' | 'rows' | 'close'> & { readonly schema: ArrowSchema },
  frames: (wanted: ReadonlySet<number>) => AsyncIterable<Frame>,
): Table {
  return Object.freeze({
    ...parts,
    fields: Object.freeze(schema.columns.map(fieldOf)),
    frames: (fields: readonly number[]) => {
      for (const field of fields) requireInteger('fields', field, 0, schema.columns.length - 1);
      return frames(new Set(fields));
    },
  });
}
