import type { SampleBatch } from '../../sample/sampleBatch.ts';

export interface RareColumn {
  readonly column: number;
  /** Rows that have another value than the usual one. */
  readonly rows: number;
}

/**
 * Columns where fewer rows than `few`, and than a tenth of all, have another value than the usual one, which is 0 in
 * standardized units.
 */
export const rareColumns = (
  { rows, columns }: SampleBatch,
  { constant, few }: { readonly constant: readonly number[]; readonly few: number },
): readonly RareColumn[] =>
  columns.flatMap((values, column) => {
    if (constant.includes(column)) return [];
    const others = values.length - zerosIn(values);
    return others < Math.min(few, rows / 10) ? [{ column, rows: others }] : [];
  });

/** A function of its own, so that it is compiled once for all columns. */
function zerosIn(values: Float64Array): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] === 0) count++;
  return count;
}
