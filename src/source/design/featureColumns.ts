import { DataError, dataError } from '../../errors.ts';
import { levelsOption } from '../../sample/levelTally.ts';
import type { Field, Schema } from '../table/table.ts';
import type { DesignColumn, DesignOptions } from './design.ts';
import { declaredLevels, type LeftOut } from './foundLevels.ts';

/** The columns made from a field: one, except for text and vectors. */
export function featureColumns(schema: Schema, options: DesignOptions, name: string): readonly DesignColumn[] {
  const { field, place } = fieldNamed(schema, name);
  if (name === options.unit) {
    requireUnits(schema, field);
    if (field.kind === 'text') return [{ name, field: place, isUnit: true }];
  }
  if (field.kind === 'text') {
    const levels = declaredLevels(options, name);
    // Nothing shows that it is text, and naming it without levels asks for numbers.
    if (levels === undefined && field.isBlank) return [{ name, field: place }];
    if (levels === undefined) throw unusableField(schema, options, field);
    const found = options.found && Object.hasOwn(options.found, name) ? options.found[name]! : undefined;
    return levels.map((level, k) => ({
      name: `${name}=${level}`,
      field: place,
      levels,
      level: k,
      ...(found && { found }),
    }));
  }
  if (field.kind === 'vector') {
    return Array.from({ length: field.width }, (_, element) => ({
      name: `${name}[${element}]`,
      field: place,
      element,
    }));
  }
  if (field.kind === 'unsupported') throw unusableField(schema, options, field);
  return [{ name, field: place, ...(field.kind === 'exact' && !/decimal/i.test(field.type) && { isLong: true }) }];
}

/** Rejects a column that cannot distinguish units, in any of the tables. */
export function requireUnits(
  { name: table }: Schema,
  { name, kind, type }: Pick<Field, 'name' | 'kind' | 'type'>,
): void {
  const refuse = (why: string): never => {
    throw dataError(
      { table, column: name },
      `is ${type}, ${why}`,
      'name a column with a text or a whole number for each unit',
    );
  };
  if (!UNIT_KINDS.has(kind)) refuse('but units must be identified by texts or whole numbers');
  if (SHORT_FLOAT.test(type)) refuse('which rounds large numbers, so that two units may have become one');
}

/** Kinds that can identify units: two times may become the same number. */
const UNIT_KINDS: ReadonlySet<Field['kind']> = new Set(['float', 'integer', 'exact', 'text']);

/**
 * By the names used in Arrow and Parquet, also for values of a dictionary: such a column rounds whole numbers above
 * 2^24, or 2^11.
 */
const SHORT_FLOAT = /\bFloat(16|32)\b|^FLOAT$|\(FLOAT16\)/;

/** The column made from a field, which must be a single one. */
export function singleColumn(schema: Schema, options: DesignOptions, name: string): DesignColumn {
  const [column, ...more] = featureColumns(schema, options, name);
  if (column !== undefined && more.length === 0) return column;
  throw dataError({ table: schema.name, column: name }, 'is not a single number', 'choose another column');
}

/** The error for a field that cannot be read as numbers. */
function unusableField({ name: table }: Schema, options: DesignOptions, field: Field): DataError {
  const { name: column, type, strayRow: row } = field;
  const why = options.leftOut?.get(column);
  if (why !== undefined && why.is !== 'scarce' && why.is !== 'index')
    return dataError({ table, column }, noLevels(why), remedy(options, field));
  return dataError(
    { table, column, ...(row !== undefined && { row }) },
    row === undefined ? `is ${type}, which is not a number` : 'is not a number, as most rows are',
    remedy(options, field),
  );
}

function noLevels(why: Exclude<LeftOut, { readonly is: 'scarce' | 'index' }>): string {
  if (why.is === 'differing') return `is text, but not in ${why.table}`;
  return why.is === 'constant'
    ? `is text with the same value in all rows but fewer than ${why.least}`
    : `is text of which most rows have a value that fewer than ${why.least} rows have, as in names or ids`;
}

function remedy({ target, isFixed = false }: DesignOptions, { name, kind, strayRow }: Field): string {
  if (isFixed) return 'the model was fitted to numbers in this column; use data of the same type';
  const isTarget = name === target;
  if (kind !== 'text') return isTarget ? 'choose another target' : 'leave it out of `features`';
  const levels = `declare its ${isTarget ? 'two levels' : 'levels'}: ${levelsOption(name)}`;
  // Levels would not help with numbers that have a defect, such as prices with a currency sign.
  if (strayRow !== undefined) return `fix it and others like it, or ${isTarget ? 'read it with `fromSql`' : levels}`;
  return `if it is meant to be numeric, fix it, or read it with \`fromSql\`: numbers need a decimal point, and no currency, percent or thousands signs; ${isTarget ? 'if it has two classes' : 'otherwise'}, ${levels}`;
}

/** A field and its index. */
export function fieldNamed(
  { name: table, fields }: Schema,
  name: string,
): { readonly field: Field; readonly place: number } {
  const place = fields.findIndex(candidate => candidate.name === name);
  if (place >= 0) return { field: fields[place]!, place };
  const known = fields.map(candidate => candidate.name).join(', ');
  const message = `${table}: has no column ${JSON.stringify(name)}; its columns are ${known}`;
  throw new DataError(message, { table, column: name });
}

/** Whether a field has one number per row without further options. */
export const isNumber = ({ kind }: Pick<Field, 'kind'>): boolean => NUMBERS.has(kind);

const NUMBERS: ReadonlySet<Field['kind']> = new Set(['float', 'integer', 'exact', 'boolean', 'mixed']);
