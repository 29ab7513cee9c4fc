import { open } from 'node:fs/promises';
import { type DataError, dataError, type Place } from '../../errors.ts';
import type { ReadAt } from '../../sample/shuffle/gatheredReads.ts';
import { fileError } from '../table/fileError.ts';

/** A range of bytes, in memory or in a file, that cannot be read beyond its end. */
export interface Region {
  readonly length: number;
  /** Reads the bytes from `from` on directly into `into`. */
  read(from: number, into: Uint8Array): Promise<void>;
  /** The bytes [from, from + length): a view if the region is in memory, otherwise a new copy. */
  bytes(from: number, length: number): Promise<Uint8Array>;
  /** Bytes [from, from + length) as a separate region, which may have its own error messages. */
  part(from: number, length: number, damaged?: Damaged): Region;
}

export function memoryRegion(memory: Uint8Array, damaged: Damaged): Region {
  const cut = (from: number, length: number): Uint8Array => {
    requireInside(memory.length, from, length, damaged);
    return memory.subarray(from, from + length);
  };
  return Object.freeze({
    length: memory.length,
    read: async (from: number, into: Uint8Array) => into.set(cut(from, into.length)),
    bytes: async (from: number, length: number) => cut(from, length),
    part: (from: number, length: number, other = damaged) => memoryRegion(cut(from, length), other),
  });
}

/** Opens a file; one that is not regular, such as a pipe, has no size and can be read once, from its beginning. */
export async function openHandle(path: string) {
  const refuse = (error: unknown): never => {
    throw fileError(path, error);
  };
  const file = await open(path).catch(refuse);
  const stat = await file.stat();
  if (!stat.isDirectory()) return { file, size: stat.size, isRegular: stat.isFile() };
  await file.close();
  return refuse({ code: 'EISDIR' });
}

export function fileRegion(readAt: ReadAt, start: number, length: number, damaged: Damaged): Region {
  const read = async (from: number, into: Uint8Array): Promise<void> => {
    requireInside(length, from, into.length, damaged);
    for (let done = 0; done < into.length; done += MOST_AT_ONCE) {
      await readAt(into.subarray(done, done + MOST_AT_ONCE), start + from + done).catch(error =>
        Promise.reject(damaged(`could not be read: ${error.message}`)),
      );
    }
  };
  return Object.freeze({
    length,
    read,
    bytes: async (from: number, count: number) => {
      requireInside(length, from, count, damaged);
      const bytes = allocate(count, damaged);
      await read(from, bytes);
      return bytes;
    },
    part: (from: number, count: number, other = damaged) => {
      requireInside(length, from, count, other);
      return fileRegion(readAt, start + from, count, other);
    },
  });
}

/** Sizes are checked against the file before this is called; a file can still be larger than the memory. */
export function allocate(length: number, damaged: Damaged): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length);
  } catch {
    throw damaged(`needs ${length} bytes of memory at once; write it in smaller record batches`);
  }
}

function requireInside(size: number, from: number, length: number, damaged: Damaged): void {
  if (from >= 0 && length >= 0 && from + length <= size) return;
  throw damaged(`bytes ${from} to ${from + length} are needed, but there are only ${size}`);
}

/** Node rejects reads of 2^31 bytes in one call. */
const MOST_AT_ONCE = 2 ** 30;

/** Makes the error for invalid bytes, at a place known to the reader. */
export type Damaged = (problem: string) => DataError;

export const damagedAt =
  (place: Place): Damaged =>
  problem =>
    dataError(place, problem);
