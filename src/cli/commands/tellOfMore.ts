import type { TableSamples } from '../../index.ts';
import { counted } from '../render/text.ts';

/** Warns that the data have more rows than declared. The declared number is public, even in a private run. */
export function tellOfMore({ rows, hasMore }: Pick<TableSamples, 'rows' | 'hasMore'>): void {
  if (!hasMore()) return;
  process.stderr.write(
    `sluice: the data have more than the ${counted(rows, 'row')} that --rows declares; the rest is not read\n`,
  );
}
