import { dataError } from '../../errors.ts';
import { levelsOption } from '../../sample/levelTally.ts';
import { INTERCEPT } from '../../sample/samples.ts';
import type { Field, Schema } from '../table/table.ts';
import { timeKind } from '../table/timeKind.ts';
import { type Design, type DesignColumn, type DesignOptions, isRowIndex, type PassedOver } from './design.ts';
import { featureColumns, fieldNamed, isNumber, singleColumn } from './featureColumns.ts';
import { declaredLevels } from './foundLevels.ts';

export function designOf(schema: Schema, options: DesignOptions): Design {
  const { target, features, namedByResult = false, weights } = options;
  const { chosen, passedOver } =
    features === undefined
      ? usualFeatures(schema, options)
      : { chosen: namedByResult ? columnsNamed(schema, features) : features, passedOver: [] };
  requireRoles(schema, options, chosen);
  // The target first: if numbers could not be read, it is usually text like all other columns.
  const targeted = target === undefined ? {} : { target: targetColumn(schema, options, target) };
  const columns = chosen.flatMap(name => featureColumns(schema, options, name));
  const fields = chosen.map(name => fieldNamed(schema, name).field);
  const ofTime = fields.filter(({ kind }) => kind === 'time');
  const times = ofTime.map(({ name }) => name);
  const timeKinds = Object.fromEntries(ofTime.map(({ name, type }) => [name, timeKind(type)]));
  const nullTokens = fields.filter(field => field.nullTokens !== undefined);
  if (options.intercept && columns.some(({ name }) => name === INTERCEPT)) {
    throw dataError(
      { table: schema.name, column: INTERCEPT },
      "has the intercept's name, so results could not distinguish the two",
      'rename it, leave it out of `features`, or use `intercept: false`',
    );
  }
  if (columns.length === 0) {
    throw dataError(
      { table: schema.name },
      'has no numeric column besides the target',
      passedOver.some(({ kind }) => kind === 'text')
        ? `declare the levels of a text column to use it as a feature: ${levelsOption(passedOver.find(({ kind }) => kind === 'text')!.name)}`
        : passedOver.length > 0
          ? `name ${passedOver[0]!.name} in \`features\` to use it as one`
          : 'use data with at least one other numeric column',
      'ERR_COLUMN',
    );
  }
  return Object.freeze({
    features: Object.freeze(columns),
    ...targeted,
    categorical: options.categorical ?? {},
    ...(options.classes && { classes: options.classes }),
    ...(weights === undefined ? {} : { weights: weightsColumn(schema, options, weights) }),
    ...(nullTokens.length === 0 ? {} : { nullTokens: Object.freeze(nullTokens) }),
    ...(times.length === 0 ? {} : { times: Object.freeze(times), timeKinds }),
    ...(passedOver.length === 0 ? {} : { passedOver: Object.freeze(passedOver) }),
  });
}

/** An element of a vector column: v[3]. */
const ELEMENT = /\[\d+\]$/;

/**
 * The columns behind features that are named as in results: the vector v for v[3], unless a column has exactly that
 * name.
 */
export function columnsNamed({ fields }: Schema, features: readonly string[]): readonly string[] {
  const columns = new Set(fields.map(({ name }) => name));
  const columnOf = (feature: string): string => {
    const vector = feature.replace(ELEMENT, '');
    return !columns.has(feature) && columns.has(vector) ? vector : feature;
  };
  // Elements together stand for their vector; other duplicates are rejected later.
  return features.map(columnOf).filter((column, k, all) => column === features[k] || all.indexOf(column) === k);
}

/** Rejects columns that are given two roles, and declared levels that would not be used. */
function requireRoles(schema: Schema, options: DesignOptions, features: readonly string[]): void {
  const { target, weights, categorical = {} } = options;
  const { name: table } = schema;
  for (const name of Object.keys(categorical)) requireUse(schema, options, features, name);
  if (target !== undefined && features.includes(target)) {
    throw dataError({ table, column: target }, 'is the target and cannot be a feature too', undefined, 'ERR_CONFLICT');
  }
  if (weights !== undefined && (weights === target || features.includes(weights))) {
    throw dataError(
      { table, column: weights },
      `has the weights and cannot be ${weights === target ? 'the target' : 'a feature'} too`,
      undefined,
      'ERR_CONFLICT',
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
        : `convert it to text, for instance by CAST(${name} AS VARCHAR) in \`fromSql\`, or leave ${levelsOption(name, '…')} out`,
    );
  }
  if (name === target || name === weights || features.includes(name)) return;
  throw dataError(
    { table: schema.name, column: name },
    'has declared levels but is not a feature',
    `add it to \`features\`, or leave ${levelsOption(name, '…')} out`,
  );
}

/** Text with two declared levels, or one number. */
function targetColumn(schema: Schema, options: DesignOptions, name: string): DesignColumn {
  const { field, place } = fieldNamed(schema, name);
  const levels = declaredLevels(options, name);
  if (field.kind !== 'text' || levels === undefined) return singleColumn(schema, options, name);
  if (levels.length === 2) return { name, field: place, levels };
  throw dataError({ table: schema.name, column: name }, `must have two levels as a target, got ${levels.length}`);
}

function weightsColumn(schema: Schema, options: DesignOptions, name: string): DesignColumn {
  const { kind, type } = fieldNamed(schema, name).field;
  if (kind !== 'text' && kind !== 'unsupported') return singleColumn(schema, options, name);
  throw dataError(
    { table: schema.name, column: name },
    `is ${type}, which cannot be used as weights`,
    'choose another column as `weights`',
  );
}

/** The default features: all numeric columns except a row index, and text with levels, declared or found. */
function usualFeatures(
  { fields }: Schema,
  options: DesignOptions,
): { readonly chosen: readonly string[]; readonly passedOver: readonly PassedOver[] } {
  const { target, weights, leftOut } = options;
  const free = fields.filter(({ name }) => name !== target && name !== weights);
  const isUsual = (field: Field): boolean => {
    if (field.kind === 'text') return declaredLevels(options, field.name) !== undefined;
    if (leftOut?.has(field.name)) return false;
    return (isNumber(field) || field.kind === 'vector') && !isRowIndex(field);
  };
  return {
    chosen: free.filter(isUsual).map(({ name }) => name),
    passedOver: free
      .filter(field => !isUsual(field))
      .map(field => {
        const why = leftOut?.get(field.name);
        return why === undefined ? field : { ...field, why };
      }),
  };
}
