import type { TableSamples } from '../index.ts';
import { counted } from './text.ts';

/** Whoever declared fewer rows than there are is told; how many were declared is public, also of a private run. */
export function tellOfMore({ rows, hasMore }: Pick<TableSamples, 'rows' | 'hasMore'>): void {
  if (!hasMore()) return;
  process.stderr.write(`sluice: the data go on after ${counted(rows, 'row')}, where --rows ends them\n`);
}
