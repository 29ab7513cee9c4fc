import { existsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { openScratchFile, type ScratchUse, writeAll } from '../../sample/shuffle/scratchFile.ts';
import { overfull, type SpoolOptions, scratchRoom } from '../memory/spool.ts';

/** The bytes of a stream that has ended, as a file. */
export interface SpooledInput {
  readonly path: string;
  close(): Promise<void>;
}

/** What messages call it. */
export const INPUT = 'standard input';

/**
 * Keeps all bytes of a stream in a temporary file, which is unlinked at once, so that they can be read as often as those
 * of any file: levels and keys that come late are found, and rows need not be declared. Undefined where the system gives
 * an unlinked file no path; the stream is then read once.
 */
export async function spooledInput(
  stdin: AsyncIterable<Uint8Array>,
  { scratch = tmpdir(), scratchBytes, signal }: Pick<SpoolOptions, 'scratch' | 'scratchBytes' | 'signal'>,
): Promise<SpooledInput | undefined> {
  const file = await openScratchFile(0, scratch, USE);
  const path = `/proc/self/fd/${file.fd}`;
  try {
    if (!existsSync(path)) {
      await file.close();
      return undefined;
    }
    const room = scratchRoom(scratch, scratchBytes);
    let written = 0;
    for await (const chunk of stream(stdin, signal)) {
      if (written + chunk.length > room.bytes) throw overfull(INPUT, room, `${written} bytes`);
      writeAll(file.fd, chunk, written, scratch, writeSync, USE);
      written += chunk.length;
    }
    return { path, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const USE: ScratchUse = { name: INPUT, instead: 'declare `rows` to read them as they come' };

/** Ends when the signal says so, even while nothing comes. */
async function* stream(stdin: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = stdin[Symbol.asyncIterator]();
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal!.reason);
  });
  aborted.catch(() => {});
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort);
  try {
    for (;;) {
      const { done, value } = await Promise.race([chunks.next(), aborted]);
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    // A stream that waits ends only when something has come.
    if (!signal?.aborted) await chunks.return?.();
  }
}
