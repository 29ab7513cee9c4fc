import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { duplicateRows } from '../../../source/inspect/duplicateRows.ts';
import { percent, type Tell } from '../notes.ts';

/**
 * The share of rows that duplicate another exactly, in target and features, by the same rule as `inspect` has for whole
 * files; 0 where there are few, or where rows of such values often coincide.
 */
export function duplicateShare({ rows, columns, target }: SampleBatch): number {
  const all = [target, ...columns];
  const counter = duplicateRows(all.length, Math.min(rows, AT_ONCE));
  for (let start = 0; start < rows; start += AT_ONCE) {
    const count = Math.min(AT_ONCE, rows - start);
    all.forEach((values, column) => {
      counter.add(column, values.subarray(start, start + count), null, count);
    });
    counter.end(count);
  }
  return counter.found()?.share ?? 0;
}

/** Few enough for the cache. */
const AT_ONCE = 1024;

/** A duplicate adds no information. A target that is computed from the features has a note of its own. */
export const duplicateNotes: Tell = ({ pilot, uncertainty }) => {
  if (pilot.rows.duplicateShare === 0) return null;
  const effect = uncertainty === null ? '' : ': intervals treat them as new rows, and are too narrow if they are not';
  return `${percent(pilot.rows.duplicateShare)} of the pilot rows duplicate others in target and features${effect}; remove them, for example by \`fromSql\` with SELECT DISTINCT`;
};
