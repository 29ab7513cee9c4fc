import type { CellShape } from './cellShape.ts';

/** The shapes of a column's cells seen so far. */
export interface ShapeTally {
  readonly shapes: ReadonlySet<CellShape>;
  /** The first row that is not a number, if more than half of the cells are numbers; otherwise undefined. */
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
