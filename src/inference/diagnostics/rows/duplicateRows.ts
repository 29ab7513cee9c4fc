import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { percent, type Tell } from '../notes.ts';
import { multiplicities } from '../valueCounts.ts';

/**
 * The share of rows that duplicate another exactly, in target and features, as where a file was read twice: intervals
 * take each for a new row. Rows of a continuous target have no ties, while ratings from 1 to 5, counts and the like do.
 * So the other rows must have different targets, but for one in twenty.
 *
 * 0 where there are few, or where ties are to be expected.
 */
export function duplicateShare({ rows, columns, target }: SampleBatch): number {
  const distinct = multiplicities(target.slice(0, rows).sort()).length;
  // Most targets are ruled out here, before whole rows are compared.
  if (rows - distinct < LEAST_SHARE * rows || distinct < MOST_ALIKE * rows) return 0;
  const inOrder = [target, ...columns];
  const compare = (i: number, k: number): number => {
    for (const values of inOrder) if (values[i] !== values[k]) return values[i]! - values[k]!;
    return 0;
  };
  const order = Uint32Array.from({ length: rows }, (_, i) => i).sort(compare);
  let copies = 0;
  for (let place = 1; place < rows; place++) if (compare(order[place - 1]!, order[place]!) === 0) copies++;
  const isContinuous = distinct >= DIFFERENT * (rows - copies);
  return isContinuous && copies >= Math.max(LEAST_ROWS, LEAST_SHARE * rows) ? copies / rows : 0;
}

const LEAST_SHARE = 0.02;
const LEAST_ROWS = 3;
const DIFFERENT = 0.95;

/** Files with every row twenty times are not looked for. */
const MOST_ALIKE = 0.05;

/** A duplicate adds no information. */
export const duplicateNotes: Tell = ({ pilot, uncertainty }) => {
  if (pilot.rows.duplicateShare === 0) return null;
  const effect = uncertainty === null ? '' : ': intervals treat them as new rows, and are too narrow if they are not';
  return `${percent(pilot.rows.duplicateShare)} of the pilot rows duplicate others in target and features${effect}; remove them, for example by \`fromSql\` with SELECT DISTINCT`;
};
