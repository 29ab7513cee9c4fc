import { dataError, refuse } from '../../errors.ts';
import type { FieldKind } from '../table/table.ts';
import type { Malformed } from './records.ts';

/** Column types that a caller declares, if a sample would guess wrong or too late. */
export type DeclaredTypes = Readonly<Record<string, FieldKind>>;

const textKinds: readonly FieldKind[] = ['float', 'integer', 'exact', 'boolean', 'time', 'mixed', 'text'];

interface Header {
  readonly table: string;
  readonly columns: readonly string[];
  readonly malformed: Malformed;
}

/**
 * The declared kinds by column. Rejects a kind that text cannot have, and a column that does not exist. If malformed
 * records become nulls, the columns are not listed, because the first line of a file without a header is a row.
 */
export function declaredKinds(
  types: DeclaredTypes,
  { table, columns, malformed }: Header,
): ReadonlyMap<string, FieldKind> {
  const kinds = new Map(Object.entries(types));
  for (const [column, kind] of kinds) {
    if (!textKinds.includes(kind))
      refuse(`types[${JSON.stringify(column)}]`, `be one of ${textKinds.join(', ')}`, kind);
    if (!columns.includes(column))
      throw dataError(
        { table, column },
        'has a declared type, but there is no such column',
        malformed === 'nulls'
          ? 'compare the column names with the first line of the file'
          : `the columns are ${columns.join(', ')}`,
      );
  }
  return kinds;
}
