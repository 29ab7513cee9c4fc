import { DataError, dataError, type Place } from '../dataError.ts';

/**
 * Runs a reader of bytes that may be anything. What it throws, if it is not yet an error about data, becomes one about
 * this place.
 */
export function guarded<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DataError) throw error;
    // Views and arrays throw a RangeError for what is not in them.
    const problem = error instanceof RangeError ? 'something goes beyond its end' : (error as Error).message;
    const damage = dataError(place, `is damaged: ${problem}`);
    damage.cause = error;
    throw damage;
  }
}
