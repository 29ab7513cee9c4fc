import { open } from 'node:fs/promises';
import { dataError } from '../../errors.ts';
import { fileError } from '../table/fileError.ts';

/** Bytes of a file, or of a stream that can be read once. A chunk is valid until the next is pulled. */
export interface ByteSource {
  readonly name: string;
  /** Whether it can be looked through to the end without keeping it in memory. */
  readonly isFile: boolean;
  /** From the beginning, any number of times, as long as nothing has been read. */
  look(): AsyncIterable<Uint8Array>;
  /** From the beginning to the end; only once for a stream. Leaving early closes the file or ends the stream. */
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

export function byteSource(source: string | AsyncIterable<Uint8Array>, name: string): ByteSource {
  if (typeof source !== 'string') return streamSource(source, name);
  const read = (): AsyncIterable<Uint8Array> => fileBytes(source);
  return Object.freeze({ name, isFile: true, look: read, read, close: async () => {} });
}

const CHUNK = 1 << 20;

async function* fileBytes(path: string): AsyncGenerator<Uint8Array> {
  const refuse = (error: unknown): never => {
    throw fileError(path, error);
  };
  const file = await open(path).catch(refuse);
  try {
    const chunk = Buffer.allocUnsafeSlow(CHUNK);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK).catch(refuse);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function streamSource(stream: AsyncIterable<Uint8Array>, name: string): ByteSource {
  const chunks = stream[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let isTaken = false;

  async function* look(): AsyncGenerator<Uint8Array> {
    for (let i = 0; ; i++) {
      if (i === seen.length) {
        const { done, value } = await chunks.next();
        if (done) return;
        // Copied, because the stream may reuse the chunk's memory.
        seen.push(Buffer.from(value));
      }
      yield seen[i]!;
    }
  }
  async function* read(): AsyncGenerator<Uint8Array> {
    if (isTaken) throw dataError({ table: name }, 'can be read only once', 'save it as a file to read it again');
    isTaken = true;
    try {
      while (seen.length > 0) yield seen.shift()!;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  const close = async (): Promise<void> => {
    await chunks.return?.();
  };
  return Object.freeze({ name, isFile: false, look, read, close });
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** The length of a UTF-8 byte order mark at the beginning: 3 or 0. */
export async function bomLength(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const first = await firstBytes(chunks, BOM.length);
  return first.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}

/** The first `least` bytes and the rest of the last chunk; fewer only if there are no more. */
export async function firstBytes(chunks: AsyncIterable<Uint8Array>, least: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(Buffer.from(chunk));
    length += chunk.length;
    if (length >= least) break;
  }
  return Buffer.concat(parts);
}
