import { writeSync } from 'node:fs';
import { dataError } from './dataError.ts';

/** The way out of a folder that is too small for a shuffle. */
export const ROOMIER =
  "name a roomier folder with `scratch`, or use `order: 'as-is'` if the rows already come in random order";

/**
 * Writes all bytes to a temporary file in `folder`, however few a call takes: a disk that fills takes some, and refuses
 * the rest.
 */
export function writeAll(
  fd: number,
  bytes: Uint8Array,
  position: number,
  folder: string,
  write: typeof writeSync = writeSync,
): void {
  try {
    for (let done = 0; done < bytes.length; )
      done += write(fd, bytes, done, bytes.length - done, position + done);
  } catch (error) {
    const { message } = error as Error;
    throw dataError({ table: folder }, `takes no more of the rows to be shuffled (${message})`, ROOMIER);
  }
}
