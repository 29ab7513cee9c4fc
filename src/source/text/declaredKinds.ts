import { refuse } from '../../math/check.ts';
import { dataError } from '../dataError.ts';
import type { FieldKind } from '../table.ts';

/** Types by column that a caller declares, where a sample would guess otherwise or too late. */
export type DeclaredTypes = Readonly<Record<string, FieldKind>>;

const textKinds: readonly FieldKind[] = ['float', 'integer', 'exact', 'boolean', 'time', 'mixed', 'text'];

/** The declared kinds by column. Refuses one that text cannot have, and one for a column that is not there. */
export function declaredKinds(
  types: DeclaredTypes,
  table: string,
  columns: readonly string[],
): ReadonlyMap<string, FieldKind> {
  const kinds = new Map(Object.entries(types));
  for (const [column, kind] of kinds) {
    if (!textKinds.includes(kind))
      refuse(`types[${JSON.stringify(column)}]`, `be one of ${textKinds.join(', ')}`, kind);
    if (!columns.includes(column))
      throw dataError(
        { table, column },
        'is declared but not there',
        `the columns are ${columns.join(', ')}`,
      );
  }
  return kinds;
}
