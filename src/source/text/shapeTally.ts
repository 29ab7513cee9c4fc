import type { CellShape } from './cellShape.ts';

/** What the cells of a column look like, as far as they have been seen. */
export interface ShapeTally {
  readonly shapes: ReadonlySet<CellShape>;
  /** The first row that is no number, where more than half of the cells are; otherwise undefined. */
  strayRow(): number | undefined;
  add(shape: CellShape, row: number): void;
}

export function shapeTally(): ShapeTally {
  const shapes = new Set<CellShape>();
  let [cells, numbers] = [0, 0];
  let stray: number | undefined;
  return {
    shapes,
    strayRow: () => (2 * numbers > cells ? stray : undefined),
    add(shape, row) {
      shapes.add(shape);
      cells++;
      if (shape === 'whole' || shape === 'number') numbers++;
      else stray ??= row;
    },
  };
}
