import type { SampleBatch } from '../sample/sampleBatch.ts';

/**
 * Weights of rows that are longer than `rowLength` shrink by as much as they are longer. `constant` is what an
 * intercept has in every row: 1, or 0 for none.
 */
export function weighLongRows(
  { rows, columns, weights }: Required<SampleBatch>,
  rowLength: number,
  constant: number,
): void {
  for (let i = 0; i < rows; i++) {
    let squares = constant;
    for (const column of columns) squares += column[i]! ** 2;
    weights[i]! *= Math.min(1, rowLength / Math.sqrt(squares));
  }
}
