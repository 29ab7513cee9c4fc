import { DataError, dataError, type Place } from '../dataError.ts';

/** Runs a reader of bytes that may be anything. What it throws, if it is not yet an error about data, becomes one about this place. */
export function guarded<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof DataError) throw error;
    const damage = dataError(place, `is damaged: ${error instanceof Error ? error.message : error}`);
    damage.cause = error;
    throw damage;
  }
}
