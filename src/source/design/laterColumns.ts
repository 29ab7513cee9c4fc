import type { Schema } from '../table/table.ts';
import type { PassedOver } from './design.ts';
import { isRowIndex } from './isRowIndex.ts';

/**
 * Columns of later tables that the first one lacks, each with the first table that has it. If features are not named,
 * the columns of the first table are used, and these would be dropped silently.
 */
export function laterColumns([first, ...later]: readonly Schema[]): readonly PassedOver[] {
  const known = new Set(first?.fields.map(({ name }) => name));
  return later.flatMap(table =>
    table.fields.flatMap(({ name }) => {
      if (known.has(name) || isRowIndex(name)) return [];
      known.add(name);
      return [{ name, onlyIn: { table: table.name, not: first!.name } }];
    }),
  );
}
