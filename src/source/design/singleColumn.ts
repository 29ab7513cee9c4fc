import { dataError } from '../../errors.ts';
import type { Schema } from '../table/table.ts';
import type { DesignColumn, DesignOptions } from './design.ts';
import { featureColumns } from './featureColumns.ts';

/** The column made from a field, which must be a single one. */
export function singleColumn(schema: Schema, options: DesignOptions, name: string): DesignColumn {
  const [column, ...more] = featureColumns(schema, options, name);
  if (column !== undefined && more.length === 0) return column;
  throw dataError({ table: schema.name, column: name }, 'is not a single number', 'choose another column');
}
