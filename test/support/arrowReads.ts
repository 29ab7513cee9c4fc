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
  const { read, readv } = handles;
  const reads: Reads = { calls: 0, bytes: 0, furthest: 0, targets: [] };
  const note = (parts: readonly Uint8Array[], length: number, position: number): void => {
    reads.calls++;
    reads.bytes += length;
    reads.furthest = Math.max(reads.furthest, position + length);
    reads.targets.push(...parts.map(({ buffer }) => buffer));
  };
  handles.read = function (into: Uint8Array, offset: number, length: number, position: number) {
    note([into], length, position);
    return read.call(this, into, offset, length, position);
  };
  handles.readv = function (parts: readonly Uint8Array[], position: number) {
    note(
      parts,
      parts.reduce((sum, part) => sum + part.length, 0),
      position,
    );
    return readv.call(this, parts, position);
  };
  try {
    return await work(reads);
  } finally {
    handles.read = read;
    handles.readv = readv;
  }
}
