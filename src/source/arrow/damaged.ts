import { type DataError, dataError, type Place } from '../dataError.ts';

/** Makes the error for bytes that are not what they should be, at the place that the reader knows. */
export type Damaged = (problem: string) => DataError;

export const damagedAt =
  (place: Place): Damaged =>
  problem =>
    dataError(place, problem);
