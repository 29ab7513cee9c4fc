import { dataError } from '../../errors.ts';
import type { Field, Schema } from '../table/table.ts';

/** A field and its index. */
export function fieldNamed(
  { name: table, fields }: Schema,
  name: string,
): { readonly field: Field; readonly place: number } {
  const place = fields.findIndex(candidate => candidate.name === name);
  if (place >= 0) return { field: fields[place]!, place };
  const known = fields.map(candidate => candidate.name).join(', ');
  throw dataError({ table }, `has no column ${JSON.stringify(name)}`, `its columns are ${known}`);
}
