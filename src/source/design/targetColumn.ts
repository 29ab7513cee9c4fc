import { dataError } from '../../errors.ts';
import type { Schema } from '../table/table.ts';
import { declaredLevels } from './declaredLevels.ts';
import type { DesignColumn, DesignOptions } from './design.ts';
import { fieldNamed } from './fieldNamed.ts';
import { singleColumn } from './singleColumn.ts';

/** Text with two declared levels, or one number. */
export function targetColumn(schema: Schema, options: DesignOptions, name: string): DesignColumn {
  const { field, place } = fieldNamed(schema, name);
  const levels = declaredLevels(options, name);
  if (field.kind !== 'text' || levels === undefined) return singleColumn(schema, options, name);
  if (levels.length === 2) return { name, field: place, levels };
  throw dataError(
    { table: schema.name, column: name },
    `must have two levels as a target, got ${levels.length}`,
  );
}
