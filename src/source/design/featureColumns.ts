import { dataError } from '../../errors.ts';
import type { Field, Schema } from '../table/table.ts';
import { declaredLevels } from './declaredLevels.ts';
import type { DesignColumn, DesignOptions } from './design.ts';
import { fieldNamed } from './fieldNamed.ts';
import { unusableField } from './unusableField.ts';

/** The columns made from a field: one, except for text and vectors. */
export function featureColumns(
  schema: Schema,
  options: DesignOptions,
  name: string,
): readonly DesignColumn[] {
  const { field, place } = fieldNamed(schema, name);
  if (name === options.unit) requireUnits(schema, field);
  if (field.kind === 'text') {
    const levels = declaredLevels(options, name);
    // Nothing shows that it is text, and naming it without levels asks for numbers.
    if (levels === undefined && field.isBlank) return [{ name, field: place }];
    if (levels === undefined) throw unusableField(schema, options, field);
    return levels.map((level, k) => ({ name: `${name}=${level}`, field: place, levels, level: k }));
  }
  if (field.kind === 'vector') {
    return Array.from({ length: field.width }, (_, element) => ({
      name: `${name}[${element}]`,
      field: place,
      element,
    }));
  }
  if (field.kind === 'unsupported') throw unusableField(schema, options, field);
  return [{ name, field: place }];
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
      'write a file with a column that has a different whole number for each unit, and name that',
    );
  };
  if (!UNIT_KINDS.has(kind)) refuse('but units must be identified by single numbers');
  if (SHORT_FLOAT.test(type)) refuse('which rounds large numbers, so that two units may have become one');
}

/** Kinds that can identify units: two times or texts may become the same number. */
const UNIT_KINDS: ReadonlySet<Field['kind']> = new Set(['float', 'integer', 'exact']);

/**
 * By the names used in Arrow and Parquet, also for values of a dictionary: such a column rounds whole numbers above
 * 2^24, or 2^11.
 */
const SHORT_FLOAT = /\bFloat(16|32)\b|^FLOAT$|\(FLOAT16\)/;
