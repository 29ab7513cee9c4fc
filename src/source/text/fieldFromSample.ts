import type { Field, FieldKind } from '../table/table.ts';
import type { CellShape } from './cellShape.ts';
import type { ShapeTally } from './shapeTally.ts';

/** A field of a text file: as declared, or else by the shapes of its cells in the sample. */
export function fieldFromSample(name: string, tally: ShapeTally, declared?: FieldKind): Field {
  if (declared !== undefined)
    return Object.freeze({ name, kind: declared, type: `declared ${declared}`, width: 1 });
  const [kind, type] = sampledKind(tally.shapes);
  const strayRow = kind === 'text' ? tally.strayRow() : undefined;
  return Object.freeze({
    name,
    kind,
    type,
    width: 1,
    ...(strayRow !== undefined && { strayRow }),
    ...(tally.shapes.size === 0 && { isBlank: true }),
  });
}

function sampledKind(shapes: ReadonlySet<CellShape>): [kind: FieldKind, type: string] {
  const all = (...allowed: readonly CellShape[]): boolean =>
    [...shapes].every(shape => allowed.includes(shape));
  if (shapes.size === 0) return ['text', 'empty in the sample'];
  if (shapes.has('nested')) return ['unsupported', 'objects or arrays'];
  // A whole number claims to be exact, so it must not be rounded silently: it may be an identifier.
  if (all('whole')) return ['exact', 'whole numbers'];
  if (all('whole', 'number')) return ['float', 'numbers'];
  if (all('boolean')) return ['boolean', 'true or false'];
  if (all('time')) return ['time', 'dates or times'];
  return ['text', 'text'];
}
