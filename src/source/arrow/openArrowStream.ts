import { dataError, refuse } from '../../errors.ts';
import { gatheredReads } from '../../sample/shuffle/gatheredReads.ts';
import { fileError } from '../table/fileError.ts';
import type { Table } from '../table/table.ts';
import { type Delivery, ipcTable } from './ipcTable.ts';
import { CONTINUATION, decodeMessage, isSchema, requireMetadataLength } from './message.ts';
import { allocate, type Damaged, damagedAt, fileRegion, memoryRegion, openHandle, type Region } from './region.ts';
import { type ArrowSchema, decodeSchema } from './schema.ts';

/**
 * The Arrow IPC stream format: a sequence of messages, the schema first. From a file on disk, only the bytes needed for
 * a fill are read; from a pipe, one body is held at a time, and the rows can be read once.
 */
export async function openArrowStream(
  source: string | AsyncIterable<Uint8Array>,
  name = typeof source === 'string' ? source : 'standard input',
): Promise<Table> {
  if (typeof source !== 'string') return openChunks(source, name, async () => {});
  const { file, size, isRegular } = await openHandle(source);
  const close = (): Promise<void> => file.close();
  if (!isRegular) return openChunks(file.createReadStream({ highWaterMark: CHUNK }), name, close);
  const damaged = damagedAt({ table: name });
  const region = fileRegion(gatheredReads(file), 0, size, damaged);
  const messages = () => readMessages(regionCursor(region), damaged);
  try {
    const schema = await readSchema(messages(), damaged);
    async function* deliveries(): AsyncGenerator<Delivery> {
      const all = messages();
      await all.next();
      yield* all;
    }
    return ipcTable({ name, format: 'arrow-stream', schema, rows: null, close }, deliveries);
  } catch (error) {
    await close();
    throw error;
  }
}

async function openChunks(
  source: AsyncIterable<Uint8Array>,
  name: string,
  release: () => Promise<void>,
): Promise<Table> {
  const damaged = damagedAt({ table: name });
  const chunks = source[Symbol.asyncIterator]();
  const messages = readMessages(streamCursor(chunks, name, damaged), damaged);
  let isTaken = false;
  const close = async (): Promise<void> => {
    await chunks.return?.();
    await release();
  };
  try {
    const schema = await readSchema(messages, damaged);
    async function* deliveries(): AsyncGenerator<Delivery> {
      if (isTaken) throw dataError({ table: name }, 'can be read only once', 'save it as a file first');
      isTaken = true;
      try {
        yield* messages;
      } finally {
        await close();
      }
    }
    return ipcTable({ name, format: 'arrow-stream', schema, rows: null, close }, deliveries);
  } catch (error) {
    await close();
    throw error;
  }
}

async function readSchema(messages: AsyncIterator<Delivery>, damaged: Damaged): Promise<ArrowSchema> {
  const { done, value } = await messages.next();
  if (done) throw damaged('is empty');
  const { message } = value;
  if (!isSchema(message)) throw damaged('does not begin with a schema');
  return decodeSchema(message.content, message.version, damaged);
}

async function* readMessages(cursor: ByteCursor, damaged: Damaged): AsyncGenerator<Delivery> {
  for (;;) {
    const metadata = await readMetadata(cursor, damaged);
    if (metadata === undefined) return;
    const message = decodeMessage(metadata, damaged);
    yield { message, body: await cursor.region(message.bodyLength) };
  }
}

/** The metadata of the next message; undefined after the end marker, or if the stream simply ends. */
async function readMetadata(cursor: ByteCursor, damaged: Damaged): Promise<Uint8Array | undefined> {
  const cutShort = (): never => {
    throw damaged('was cut short within the metadata of a message');
  };
  const first = await cursor.take(4);
  if (first.length === 0) return undefined;
  const word = wordOf(first) ?? cutShort();
  if (word === START_OF_A_FILE) throw damaged('is an Arrow file, not an Arrow stream; read it as a file');
  const length = word === CONTINUATION ? (wordOf(await cursor.take(4)) ?? cutShort()) : word;
  if (length === 0) return undefined;
  requireMetadataLength(length, damaged);
  const metadata = await cursor.take(length);
  return metadata.length < length ? cutShort() : metadata;
}

const wordOf = (bytes: Uint8Array): number | undefined =>
  bytes.length < 4 ? undefined : new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);

/** The letters ARRO read as a length. */
const START_OF_A_FILE = 0x4f525241;

const CHUNK = 2 ** 20;

/** Bytes in order of arrival: from a file, whose bodies are read only when needed, or from a stream. */
interface ByteCursor {
  /** The next `length` bytes, fewer only at the end. */
  take(length: number): Promise<Uint8Array>;
  /** The next `length` bytes as a region, valid until the next call. */
  region(length: number): Promise<Region>;
}

function regionCursor(source: Region): ByteCursor {
  let at = 0;
  const pass = (length: number): number => {
    at += length;
    return at - length;
  };
  return {
    take: async length => {
      const available = Math.min(length, source.length - at);
      return source.bytes(pass(available), available);
    },
    region: async length => source.part(pass(length), length),
  };
}

/**
 * Memory is allocated as bytes arrive, never for a length that is only claimed; the memory of a region is reused for
 * the next.
 */
function streamCursor(chunks: AsyncIterator<Uint8Array>, name: string, damaged: Damaged): ByteCursor {
  let rest: Uint8Array = new Uint8Array(0);
  let memory: Uint8Array = new Uint8Array(0);

  /** Fills part of `into`, and returns how much: 0 at the end of the stream. */
  const receive = async (into: Uint8Array): Promise<number> => {
    while (rest.length === 0) {
      const { done, value } = await chunks.next().catch(error => Promise.reject(fileError(name, error)));
      if (done) return 0;
      rest = value instanceof Uint8Array ? value : refuse('source', 'consist of Uint8Arrays', value);
    }
    const part = rest.subarray(0, into.length);
    into.set(part);
    rest = rest.subarray(part.length);
    return part.length;
  };

  const gather = async (length: number, start: Uint8Array): Promise<{ held: Uint8Array; filled: number }> => {
    let held = start;
    let filled = 0;
    while (filled < length) {
      if (filled === held.length) {
        const larger = allocate(Math.min(length, Math.max(2 * filled, FIRST_PIECE)), damaged);
        larger.set(held);
        held = larger;
      }
      const count = await receive(held.subarray(filled, length));
      if (count === 0) break;
      filled += count;
    }
    return { held, filled };
  };

  return {
    take: async length => {
      const { held, filled } = await gather(length, new Uint8Array(0));
      return held.subarray(0, filled);
    },
    region: async length => {
      const { held, filled } = await gather(length, memory);
      if (filled < length) throw damaged(`was cut short: it has ${filled} bytes of a body of ${length}`);
      memory = held;
      return memoryRegion(memory.subarray(0, length), damaged);
    },
  };
}

const FIRST_PIECE = 2 ** 16;
