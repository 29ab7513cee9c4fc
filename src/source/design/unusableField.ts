import { type DataError, dataError } from '../../errors.ts';
import { levelsOption } from '../../sample/levelsOption.ts';
import type { Field, Schema } from '../table/table.ts';
import type { DesignOptions } from './design.ts';

/** The error for a field that cannot be read as numbers. */
export function unusableField({ name: table }: Schema, options: DesignOptions, field: Field): DataError {
  const { name: column, type, strayRow: row } = field;
  return dataError(
    { table, column, ...(row !== undefined && { row }) },
    row === undefined ? `is ${type}, which is not a number` : 'is not a number, as most rows are',
    remedy(options, field),
  );
}

function remedy({ target, isFixed = false }: DesignOptions, { name, kind, strayRow }: Field): string {
  if (isFixed) return 'the model was fitted to numbers in this column; use data of the same type';
  const isTarget = name === target;
  if (kind !== 'text') return isTarget ? 'choose another target' : 'leave it out of `features`';
  const levels = `declare its ${isTarget ? 'two levels' : 'levels'}: ${levelsOption(name)}`;
  // Levels would not help with numbers that have a defect, such as prices with a currency sign.
  if (strayRow !== undefined)
    return `fix it and others like it, or ${isTarget ? 'read the file with `openSql`' : levels}`;
  return `if it is meant to be numeric, fix the file or read it with \`openSql\`: numbers need a decimal point, and no currency, percent or thousands signs; ${isTarget ? 'if it has two classes' : 'otherwise'}, ${levels}`;
}
