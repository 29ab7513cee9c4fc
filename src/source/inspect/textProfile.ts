import { MOST_DISTINCT } from './numberProfile.ts';

/** The values of a text column and how often each occurs. */
export interface TextSummary {
  readonly values: number;
  /** Null if there are more than 1,000, or some are too long to be levels. */
  readonly distinct: number | null;
  /** The most frequent, at most 20, among the first 1,000 that occur. */
  readonly levels: readonly { readonly level: string; readonly rows: number }[];
}

export interface TextProfile {
  /** The values found so far; the reader appends to them. */
  readonly levels: string[];
  /** Takes indices into the levels, -1 for a value that is not among them. */
  add(indices: Float64Array): void;
  /** Null before the first value. */
  summary(): TextSummary | null;
}

const MOST_SHOWN = 20;

export function textProfile(): TextProfile {
  const levels: string[] = [];
  const rows = new Float64Array(MOST_DISTINCT);
  let values = 0;
  let beyond = 0;
  return Object.freeze({
    levels,
    add(indices: Float64Array) {
      for (const index of indices) {
        if (index < 0) beyond++;
        else rows[index]!++;
      }
      values += indices.length;
    },
    summary() {
      if (values === 0) return null;
      // A dictionary may list values that no row has.
      const counted = levels
        .map((level, k) => Object.freeze({ level, rows: rows[k]! }))
        .filter(counts => counts.rows > 0);
      return Object.freeze({
        values,
        distinct: beyond > 0 ? null : counted.length,
        levels: Object.freeze(counted.sort((a, b) => b.rows - a.rows).slice(0, MOST_SHOWN)),
      });
    },
  });
}
