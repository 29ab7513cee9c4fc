import { dataError } from '../../errors.ts';
import type { Schema } from '../table/table.ts';
import type { DesignColumn, DesignOptions } from './design.ts';
import { fieldNamed } from './fieldNamed.ts';
import { singleColumn } from './singleColumn.ts';

export function weightsColumn(schema: Schema, options: DesignOptions, name: string): DesignColumn {
  const { kind, type } = fieldNamed(schema, name).field;
  if (kind !== 'text' && kind !== 'unsupported') return singleColumn(schema, options, name);
  throw dataError(
    { table: schema.name, column: name },
    `is ${type}, which cannot be used as weights`,
    'choose another column as `weights`',
  );
}
