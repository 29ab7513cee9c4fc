import { dataError } from '../../errors.ts';
import { levelsOption } from '../../sample/levelsOption.ts';
import type { Schema } from '../table/table.ts';
import type { DesignOptions } from './design.ts';
import { fieldNamed } from './fieldNamed.ts';

/** Rejects columns that are given two roles, and declared levels that would not be used. */
export function requireRoles(schema: Schema, options: DesignOptions, features: readonly string[]): void {
  const { target, weights, categorical = {} } = options;
  const { name: table } = schema;
  for (const name of Object.keys(categorical)) requireUse(schema, options, features, name);
  if (target !== undefined && features.includes(target)) {
    throw dataError({ table, column: target }, 'is the target and cannot be a feature too');
  }
  if (weights !== undefined && (weights === target || features.includes(weights))) {
    throw dataError(
      { table, column: weights },
      `has the weights and cannot be ${weights === target ? 'the target' : 'a feature'} too`,
    );
  }
  const repeated = features.find((name, k) => features.indexOf(name) < k);
  if (repeated !== undefined) throw dataError({ table, column: repeated }, 'is listed twice');
}

/** Checks that a column with declared levels is used. */
function requireUse(
  schema: Schema,
  { target, weights, isFixed = false }: DesignOptions,
  features: readonly string[],
  name: string,
): void {
  const { kind, type } = fieldNamed(schema, name).field;
  if (kind !== 'text') {
    throw dataError(
      { table: schema.name, column: name },
      `has declared levels but is ${type}, which is not text, whole numbers, or true and false`,
      isFixed
        ? 'the model was fitted to text in this column; use data of the same type'
        : `convert it to text, for instance by CAST(${name} AS VARCHAR) in \`openSql\`, or leave ${levelsOption(name, '…')} out`,
    );
  }
  if (name === target || name === weights || features.includes(name)) return;
  throw dataError(
    { table: schema.name, column: name },
    'has declared levels but is not a feature',
    `add it to \`features\`, or leave ${levelsOption(name, '…')} out`,
  );
}
