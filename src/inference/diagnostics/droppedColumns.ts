/** Columns that are dropped, with coefficient 0, because others determine them. */
import type { RankFactor } from '../../math/rankFactor.ts';
import type { Vector } from '../../math/vector.ts';
import { solveBy } from '../pilot/curvatureFactor.ts';

export type DropReason = 'constant' | 'combination' | 'nearly a combination';

export interface DroppedColumn {
  readonly column: number;
  readonly why: DropReason;
}

/** The columns that a factor does not keep. */
export function droppedColumns(
  columns: number,
  { kept, near }: RankFactor,
  constant: readonly number[],
): readonly DroppedColumn[] {
  const whyOf = (column: number): DropReason => {
    if (constant.includes(column)) return 'constant';
    return near.includes(column) ? 'nearly a combination' : 'combination';
  };
  return Array.from({ length: columns }, (_, column) => column)
    .filter(column => !kept.includes(column))
    .map(column => ({ column, why: whyOf(column) }));
}

/**
 * The same predictions with coefficient 0 for dropped columns: theirs go to the columns that they are combinations of.
 */
export function withoutDropped(t: Vector, factor: RankFactor, curvature: Float64Array): Vector {
  const { size, kept } = factor;
  const found = t.slice();
  for (let j = 0; j < size; j++) {
    if (kept.includes(j)) continue;
    const made = solveBy(factor, curvature.subarray(j * size, (j + 1) * size));
    for (const k of kept) found[k]! += made[k]! * t[j]!;
    found[j] = 0;
  }
  return found;
}
