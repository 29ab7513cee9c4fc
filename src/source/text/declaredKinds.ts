import { refuse } from '../../math/check.ts';
import { dataError } from '../dataError.ts';
import type { FieldKind } from '../table.ts';
import type { Malformed } from './records.ts';

/** Types by column that a caller declares, where a sample would guess otherwise or too late. */
export type DeclaredTypes = Readonly<Record<string, FieldKind>>;

const textKinds: readonly FieldKind[] = ['float', 'integer', 'exact', 'boolean', 'time', 'mixed', 'text'];

interface Header {
  readonly table: string;
  readonly columns: readonly string[];
  readonly malformed: Malformed;
}

/**
 * The declared kinds by column. Refuses one that text cannot have, and one for a column that is not there. Where
 * malformed records are nulls, the columns are not listed: a file without a header has a row in its place.
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
        'is declared but not there',
        malformed === 'nulls'
          ? 'compare the names of the columns with the first line of the file'
          : `the columns are ${columns.join(', ')}`,
      );
  }
  return kinds;
}
