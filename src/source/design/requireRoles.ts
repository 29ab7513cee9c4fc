import { levelsOption } from '../../sample/levelsOption.ts';
import { dataError } from '../dataError.ts';
import type { DesignOptions } from '../design.ts';
import type { Schema } from '../table.ts';
import { fieldNamed } from './fieldNamed.ts';

/** Refuses columns that are asked to be two things at once, and declared levels that nothing would use. */
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
      `holds the weights and cannot be ${weights === target ? 'the target' : 'a feature'} too`,
    );
  }
  const repeated = features.find((name, k) => features.indexOf(name) < k);
  if (repeated !== undefined) throw dataError({ table, column: repeated }, 'is listed twice');
}

/** Of a column with declared levels. */
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
      `has declared levels but is ${type}, which is neither text nor whole numbers, nor true and false`,
      isFixed
        ? 'the model was fitted to text there; give data of the same kind'
        : `make it text, by CAST(${name} AS VARCHAR) in \`openSql\` for instance, or leave ${levelsOption(name, '…')} out`,
    );
  }
  if (name === target || name === weights || features.includes(name)) return;
  throw dataError(
    { table: schema.name, column: name },
    'has declared levels but is no feature',
    `add it to \`features\`, or leave ${levelsOption(name, '…')} out`,
  );
}
