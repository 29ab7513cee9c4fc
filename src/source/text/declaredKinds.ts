import { refuse } from '../../math/check.ts';
import { dataError } from '../dataError.ts';
import type { FieldKind } from '../table.ts';

/** Column types that a caller declares, if a sample would guess wrong or too late. */
export type DeclaredTypes = Readonly<Record<string, FieldKind>>;

const textKinds: readonly FieldKind[] = ['float', 'integer', 'exact', 'boolean', 'time', 'mixed', 'text'];

/** The declared kinds by column. Rejects a kind that text cannot have, and a column that does not exist. */
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
        'has a declared type, but there is no such column',
        `the columns are ${columns.join(', ')}`,
      );
  }
  return kinds;
}
