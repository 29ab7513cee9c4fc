import { type DataError, dataError, type Place } from '../../errors.ts';

/** Makes the error for invalid bytes, at a place known to the reader. */
export type Damaged = (problem: string) => DataError;

export const damagedAt =
  (place: Place): Damaged =>
  problem =>
    dataError(place, problem);
