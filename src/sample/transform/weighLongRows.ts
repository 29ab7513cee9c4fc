import type { SampleBatch } from '../sampleBatch.ts';

/**
 * Reduces the weights of rows longer than `rowLength` in proportion to their length. `constant` is the value of the
 * intercept's column: 1, or 0 if there is none.
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
