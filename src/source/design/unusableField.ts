import { levelsOption } from '../../sample/levelsOption.ts';
import { type DataError, dataError } from '../dataError.ts';
import type { DesignOptions } from '../design.ts';
import type { Field, Schema } from '../table.ts';

/** What to tell of a field that no number can be made of. */
export function unusableField({ name: table }: Schema, options: DesignOptions, field: Field): DataError {
  const { name: column, type, strayRow: row } = field;
  return dataError(
    { table, column, ...(row !== undefined && { row }) },
    row === undefined ? `is ${type}, which is not a number` : 'is not a number, as most rows are',
    wayOut(options, field),
  );
}

function wayOut({ target, isFixed = false }: DesignOptions, { name, kind, strayRow }: Field): string {
  if (isFixed) return 'the model was fitted to numbers there; give data of the same kind';
  const isTarget = name === target;
  if (kind !== 'text') return isTarget ? 'choose another target' : 'leave it out of `features`';
  const levels = `declare its ${isTarget ? 'two levels' : 'levels'}: ${levelsOption(name)}`;
  // Levels would be of no use to numbers with a blemish, such as prices with a sign before them.
  if (strayRow !== undefined)
    return `mend it and others like it, or ${isTarget ? 'read the file by `openSql`' : levels}`;
  return `if it stands for numbers, mend the file or read it by \`openSql\`, since numbers have a point for decimals, and no currency, percent or thousands signs; ${isTarget ? 'if it has two classes' : 'otherwise'}, ${levels}`;
}
