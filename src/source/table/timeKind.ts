/** What a column of times holds: points in time, in seconds since 1970; seconds since midnight; or how long something took. */
export type TimeKind = 'instant' | 'time of day' | 'duration';

/** By the names of types in Arrow and Parquet, also as the values of a dictionary. */
export function timeKind(type: string): TimeKind {
  if (/\bDuration\b/.test(type)) return 'duration';
  return /\bTime(32|64)\b|\(TIME[ _)]/.test(type) ? 'time of day' : 'instant';
}
