import { DataError, dataError, type Place } from '../../errors.ts';

/**
 * Runs a reader on bytes that may be damaged. Whatever it throws, unless already an error about data, becomes one about
 * this place.
 */
export function guarded<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DataError) throw error;
    // Views and arrays throw a RangeError for positions outside them.
    const problem = error instanceof RangeError ? 'something extends beyond its end' : (error as Error).message;
    const damage = dataError(place, `is damaged: ${problem}`, undefined, 'ERR_FILE');
    damage.cause = error;
    throw damage;
  }
}

/** Checks a length, count or offset that a file states. */
export function requireCount(what: string, count: number | undefined): number {
  if (count !== undefined && Number.isSafeInteger(count) && count >= 0) return count;
  throw new Error(
    count === undefined ? `it does not say how many ${what}` : `${count} is not a valid number of ${what}`,
  );
}

/** The same bytes, with the methods of a Buffer. */
export const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);
