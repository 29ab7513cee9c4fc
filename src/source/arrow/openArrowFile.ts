import { dataError } from '../../errors.ts';
import { gatheredReads } from '../../sample/shuffle/gatheredReads.ts';
import type { Table } from '../table/table.ts';
import { arrowTable, type Delivery } from './arrowTable.ts';
import { placeColumns } from './batch.ts';
import { type Block, readFooter } from './footer.ts';
import { decodeBatch, decodeMessage, isBatch, isDictionary, type Message, unframe } from './message.ts';
import { openHandle } from './openHandle.ts';
import { type Damaged, damagedAt, fileRegion, type Region } from './region.ts';
import type { ArrowSchema } from './schema.ts';

/**
 * The Arrow IPC file format, also known as Feather version 2: a footer has the position of every record batch. Opening
 * reads the footer and the batches' metadata. Of the rows, only the bytes needed for a fill are read, and doubles go
 * directly to their destination.
 */
export async function openArrowFile(path: string): Promise<Table> {
  const damaged = damagedAt({ table: path });
  const { file, size, isRegular } = await openHandle(path);
  try {
    if (!isRegular) throw dataError({ table: path }, 'is not a file on disk', 'pipe it as an Arrow stream');
    const whole = fileRegion(gatheredReads(file), 0, size, damaged);
    const { schema, dictionaries, batches, content } = await readFooter(whole, damaged);
    const rows = await countRows(content, batches, schema, damaged);

    async function* deliver(blocks: readonly Block[], isExpected: (message: Message) => boolean) {
      for (const { from, length } of blocks) {
        const message = decode(await content.bytes(from, length), isExpected, damaged);
        yield { message, body: content.part(from + length, message.bodyLength) };
      }
    }
    async function* deliveries(): AsyncGenerator<Delivery> {
      yield* deliver(dictionaries, isDictionary);
      yield* deliver(batches, isBatch);
    }
    const close = (): Promise<void> => file.close();
    return arrowTable({ name: path, format: 'arrow-file', schema, rows, deliveries, close });
  } catch (error) {
    await file.close();
    throw error;
  }
}

function decode(bytes: Uint8Array, isExpected: (message: Message) => boolean, damaged: Damaged): Message {
  const message = decodeMessage(unframe(bytes, damaged), damaged);
  if (isExpected(message)) return message;
  throw damaged('metadata is damaged: a message is not of the kind that the footer says');
}

/** Metadata of nearby batches are read together, so a file of 100,000 small ones opens in about a second. */
async function countRows(
  content: Region,
  batches: readonly Block[],
  schema: ArrowSchema,
  damaged: Damaged,
): Promise<number> {
  const extents = schema.columns.map(({ type }) => type.extent);
  let rows = 0;
  for (let first = 0; first < batches.length; ) {
    const { from, length } = batches[first]!;
    let after = first + 1;
    let end = from + length;
    for (; after < batches.length; after++) {
      const next = batches[after]!;
      const gap = next.from - end;
      if (gap < 0 || gap > NEAR || next.from + next.length - from > PIECE) break;
      end = next.from + next.length;
    }
    const bytes = await content.bytes(from, end - from);
    for (; first < after; first++) {
      const block = batches[first]!;
      const metadata = bytes.subarray(block.from - from, block.from - from + block.length);
      const header = decodeBatch(decode(metadata, isBatch, damaged).content, damaged);
      placeColumns(header, extents, damaged);
      rows += header.rows;
    }
  }
  return rows;
}

/** The number of bytes that can be read in the time that a separate read would take. */
const NEAR = 2 ** 16;
const PIECE = 2 ** 20;
