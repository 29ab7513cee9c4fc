import { writeSync } from 'node:fs';
import { dataError } from '../../errors.ts';

/** The remedy if a folder has too little space for a shuffle. */
export const ROOMIER =
  "use `scratch` to name a folder with more space, or use `order: 'as-is'` if the rows already come in random order";

/**
 * Writes all bytes to a temporary file in `folder`, in several calls if needed: a disk that is nearly full accepts some
 * bytes and rejects the rest.
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
    throw dataError(
      { table: folder },
      `has no more space for the temporary file of the shuffle (${message})`,
      ROOMIER,
    );
  }
}
