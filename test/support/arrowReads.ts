import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface Reads {
  calls: number;
  bytes: number;
  /** The end of the last byte asked for. */
  furthest: number;
  /** The memory that was read into. */
  readonly targets: ArrayBufferLike[];
}

/** Notes every read through a FileHandle while `work` runs. */
export async function observeReads<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
  const probe = await open(fileURLToPath(import.meta.url));
  const handles = Object.getPrototypeOf(probe);
  await probe.close();
  const { read } = handles;
  const reads: Reads = { calls: 0, bytes: 0, furthest: 0, targets: [] };
  handles.read = function (into: Uint8Array, offset: number, length: number, position: number) {
    reads.calls++;
    reads.bytes += length;
    reads.furthest = Math.max(reads.furthest, position + length);
    reads.targets.push(into.buffer);
    return read.call(this, into, offset, length, position);
  };
  try {
    return await work(reads);
  } finally {
    handles.read = read;
  }
}
