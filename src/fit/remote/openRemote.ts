import type { RoundEngine } from '../../engine/roundEngine.ts';
import { doubleLiteral } from '../../engine/sql/dialect.ts';
import { designExpressions, idExpression, isUsable, textOf } from '../../engine/sql/sqlColumns.ts';
import { sqlRounds } from '../../engine/sql/sqlRounds.ts';
import type { QueryOptions, SqlRows, SqlSource } from '../../engine/sql/sqlSession.ts';
import { conditionCounts, fieldsOf, idCounts, textCounts, valueCounts } from '../../engine/sql/surveyTable.ts';
import { ArgumentError, DataError, dataError } from '../../errors.ts';
import type { FoundBy, LevelTally } from '../../sample/levelTally.ts';
import { MOST_REMEMBERED } from '../../sample/levelTally.ts';
import {
  columnsOf,
  type Design,
  type DesignColumn,
  type DesignOptions,
  featuresWithout,
  isRowIndex,
  rankedLevels,
  sourceOf,
} from '../../source/design/design.ts';
import { designOf } from '../../source/design/designOf.ts';
import { isNumber } from '../../source/design/featureColumns.ts';
import { declaredLevels, foundLevels, type LeftOut, MOST_TEXTS } from '../../source/design/foundLevels.ts';
import type { NullPolicy } from '../../source/read/rowPolicy.ts';
import type { TableSamples } from '../../source/read/tableSamples.ts';
import { hasTexts } from '../../source/table/leveled.ts';
import { LONGEST_LEVEL } from '../../source/table/levels.ts';
import type { Field } from '../../source/table/table.ts';
import { counted } from '../../words.ts';
import { DEFAULT_ORDER_SEED } from '../input/withChunks.ts';

/** Rows that stay in an engine, with everything that a run knows of them before its first round. */
export interface RemoteSamples extends TableSamples {
  readonly engine: RoundEngine;
  /** For sentences: how the rows are called. */
  readonly place: string;
}

export interface RemoteOptions extends QueryOptions {
  readonly nulls?: NullPolicy | undefined;
  readonly orderSeed?: string | undefined;
  /** The targets that a loss is for, and the advice for others. */
  readonly targets?: {
    readonly least: number;
    readonly most: number;
    readonly isClass: boolean;
    readonly advice: string;
  } | null;
  /** Whether nothing may be found out about what rows hold. */
  readonly isPrivate?: boolean;
  /** Whose rows they are, and how many of each count. */
  readonly unit?: { readonly column: string; readonly most: number } | undefined;
}

/**
 * Connects to the engine and finds out what a run has to know: the columns, the levels of texts, which rows cannot be
 * used. A private run asks for types and numbers of rows alone.
 */
export async function openRemote(rows: SqlRows, asked: DesignOptions, options: RemoteOptions): Promise<RemoteSamples> {
  const source = await rows.connect();
  try {
    return await opened(source, rows.id, asked, options);
  } catch (error) {
    await source.session.close();
    throw error;
  }
}

async function opened(
  source: SqlSource,
  id: string | undefined,
  asked: DesignOptions,
  options: RemoteOptions,
): Promise<RemoteSamples> {
  const { session, name } = source;
  const { isPrivate = false, nulls = 'auto', orderSeed = DEFAULT_ORDER_SEED, signal, onProgress } = options;
  const watch = { signal, onProgress };
  if (isPrivate && !source.isWhole)
    throw new ArgumentError(
      'a query may combine several rows into one, or drop rows by their contents; for a private run, name a table or files',
      'ERR_NOT_PRIVATE',
      { table: source.name },
    );
  const all = (await fieldsOf(source)).map(field =>
    Object.hasOwn(asked.categorical ?? {}, field.name) && hasTexts(field) ? { ...field, kind: 'text' as const } : field,
  );
  // What numbers the rows explains nothing, unless it is asked for by name.
  const fields =
    id === undefined || asked.features?.includes(id) || id === asked.target
      ? all
      : all.map(field => (field.name === id ? { ...field, kind: 'unsupported' as const } : field));
  const idText = await requireIds(source, all, id, watch);
  const counts = new Map<string, Awaited<ReturnType<typeof textCounts>>>();
  const texts = async (field: Field) => {
    const most = Math.max(MOST_TEXTS, (declaredLevels(asked, field.name)?.length ?? 0) + MOST_REMEMBERED + 1);
    const known =
      counts.get(field.name) ?? (await textCounts(source, field, { most, longest: LONGEST_LEVEL, ...watch }));
    counts.set(field.name, known);
    return known;
  };
  const surveyed = isPrivate
    ? { rows: idText.rows, options: asked }
    : await surveyedOptions(source, fields, asked, nulls, texts, watch);
  const schema = { name, fields: fields.filter(field => field.name !== id || field.kind !== 'unsupported') };
  const design = inPlaces(designOf(schema, surveyed.options), schema.fields, fields);
  if (isPrivate)
    requireInfallible(
      source,
      columnsOf(design).map(({ field }) => fields[field]!),
      options,
      all,
    );
  const expressions = designExpressions(session.dialect, all, design);
  const target = expressions.target ?? '0e0';
  const { rows } = idText;
  if (rows === 0) throw dataError({ table: name }, 'has no rows', 'name a table that has some', 'ERR_NO_ROWS');
  const required = isPrivate ? [] : requirementsOf(source, fields, expressions, options, design);
  const found = isPrivate
    ? { invalid: 0, unusable: [] as readonly { name: string; rows: number }[] }
    : await unusableRows(source, design, expressions, required, nulls, watch);
  const levels = isPrivate ? [] : await talliesOf(design, fields, texts);
  const engine = sqlRounds({
    session,
    from: options.unit === undefined ? source.from : limitedTo(source, idText.text, fields, options.unit),
    rows,
    id: idText.text,
    features: expressions.features,
    target,
    weights: expressions.weights,
    ...(options.unit && { counts: session.dialect.quote(COUNTS) }),
    isGuarded: found.invalid > 0,
    ...(required.length > 0 && { accepts: required.map(({ condition }) => condition).join(' AND ') }),
    seed: orderSeed,
    ...watch,
  });
  return {
    engine,
    place: `${name} in ${session.dialect.name}`,
    rows,
    features: design.features.length,
    weighted: design.weights !== undefined || found.invalid > 0,
    hasTarget: design.target !== undefined,
    namesRows: !isPrivate,
    design,
    tally: { read: rows, invalid: found.invalid },
    batches: () => {
      throw new Error('rows of an engine are not read');
    },
    levels: () => levels,
    hasMore: () => false,
    unusable: () => found.unusable,
    inFiles: false,
    // Rows with whole numbers beyond 2^53 cannot be used.
    rounded: () => [],
    wayOutWithout: columns => featuresWithout(design, columns),
    originOf: row => ({ table: name, row }),
    close: () => session.close(),
  };
}

/** A design of some of the fields, with the places that these have among all of them. */
function inPlaces(design: Design, some: readonly Field[], all: readonly Field[]): Design {
  const placed = (column: DesignColumn): DesignColumn => ({ ...column, field: all.indexOf(some[column.field]!) });
  return Object.freeze({
    ...design,
    features: Object.freeze(design.features.map(placed)),
    ...(design.target && { target: placed(design.target) }),
    ...(design.weights && { weights: placed(design.weights) }),
  });
}

/** Refuses columns whose reading a single row may end, because whether a run ends would show what is in that row. */
function requireInfallible(
  { name, fallible, session }: SqlSource,
  used: readonly Field[],
  { unit }: RemoteOptions,
  all: readonly Field[],
): void {
  const units = all.filter(field => field.name === unit?.column);
  const found = [...used, ...units].find(({ kind }) => fallible.includes(kind));
  if (found === undefined) return;
  throw new DataError(
    `${name}, column ${JSON.stringify(found.name)}: is ${found.type}, and ${session.dialect.name} may stop at a row where it holds something that is none; read the files here, without an engine, or use numbers from Parquet files or a table`,
    { table: name, column: found.name },
    'ERR_NOT_PRIVATE',
  );
}

/** Ids are public: they decide which rows go together, and nothing else about a row does. */
async function requireIds(
  source: SqlSource,
  fields: readonly Field[],
  id: string | undefined,
  watch: QueryOptions,
): Promise<{ readonly text: string; readonly rows: number }> {
  const { name } = source;
  if (id === undefined) {
    const text = idExpression(source, id);
    const { rows } = await valueCounts(source, [], watch);
    return { text, rows };
  }
  const field = fields.find(each => each.name === id);
  if (field === undefined)
    throw dataError(
      { table: name, column: id },
      'does not exist, but is named as `id`',
      `the columns are ${fields.map(each => each.name).join(', ')}`,
      'ERR_COLUMN',
    );
  if (field.kind !== 'integer' && field.kind !== 'exact' && field.kind !== 'float')
    throw dataError(
      { table: name, column: id },
      `is ${field.type}, and an \`id\` is a whole number`,
      'name a column of whole numbers',
      'ERR_COLUMN',
    );
  const text = idExpression(source, id);
  const { rows, ids, least, different } = await idCounts(source, text, watch);
  if (ids < rows)
    throw dataError(
      { table: name, column: id },
      `has no value in ${counted(rows - ids, 'row')}, and an \`id\` has one in every row`,
      'name another column',
      'ERR_COLUMN',
    );
  if (least < 0)
    throw dataError(
      { table: name, column: id },
      `goes down to ${least}, and an \`id\` is 0 or more`,
      'name another column',
      'ERR_COLUMN',
    );
  // A handful of values would put most rows into the same block.
  if (2 * different < rows)
    throw dataError(
      { table: name, column: id },
      `has ${counted(different, 'value')} in ${counted(rows, 'row')}, and rows with one \`id\` stay together`,
      'name a column whose values differ from row to row',
      'ERR_COLUMN',
    );
  return { text, rows };
}

/** Finds levels of texts, and columns that are no features unless they are named; as `source/read/survey` does for files. */
async function surveyedOptions(
  source: SqlSource,
  fields: readonly Field[],
  options: DesignOptions,
  nulls: NullPolicy,
  texts: (field: Field) => ReturnType<typeof textCounts>,
  watch: QueryOptions,
): Promise<{ readonly options: DesignOptions }> {
  const { target, weights, features, categorical = {}, isFixed = false } = options;
  if (isFixed) return { options };
  const isUnnamed = ({ name }: Field): boolean => features === undefined && name !== target && name !== weights;
  const inQuestion = fields.filter(
    field =>
      isUnnamed(field) &&
      !Object.hasOwn(categorical, field.name) &&
      (isNumber(field) || field.kind === 'text') &&
      !isRowIndex(field),
  );
  const { rows, values } = await valueCounts(
    source,
    inQuestion.map(({ name }) => name),
    watch,
  );
  const leftOut = new Map<string, LeftOut>();
  inQuestion.forEach(({ name }, k) => {
    const holes = rows - values[k]!;
    // Rows without a value are skipped, so a column without one in most rows would cost most of them.
    if (nulls !== 'error' && 2 * holes > rows) leftOut.set(name, { is: 'scarce', nulls: holes, rows });
  });
  const levels: Record<string, readonly string[]> = {};
  const found: Record<string, FoundBy> = {};
  let classes: readonly string[] | undefined;
  for (const field of fields) {
    const { name } = field;
    const isAsked = isUnnamed(field) || name === target || features?.includes(name) === true;
    if (field.kind !== 'text' || !isAsked || leftOut.has(name) || Object.hasOwn(categorical, name)) continue;
    const counts = await texts(field);
    if (name === target) {
      if (counts.levels?.length === 2 && counts.long === 0 && counts.levels.every(level => level.rows > 1))
        classes = counts.levels.map(({ level }) => level).sort();
      continue;
    }
    const said = foundLevels(counts);
    if ('is' in said) leftOut.set(name, said);
    else {
      levels[name] = said.levels;
      found[name] = { reference: said.reference, pools: said.pools };
    }
  }
  return {
    options: {
      ...options,
      categorical: { ...categorical, ...levels, ...(target !== undefined && classes && { [target]: classes }) },
      found,
      leftOut,
      classes,
    },
  };
}

/** What a usable row fulfils besides having finite numbers; a mistake where it fails, unless such rows are skipped. */
interface Requirement {
  /** The value that is required to be something. */
  readonly value: string;
  readonly condition: string;
  readonly refusal: (rows: number) => Error;
}

function requirementsOf(
  { session, name }: SqlSource,
  fields: readonly Field[],
  { target, weights }: ReturnType<typeof designExpressions>,
  { targets = null }: RemoteOptions,
  design: Design,
): readonly Requirement[] {
  const required: Requirement[] = [];
  const require = (column: DesignColumn, value: string, condition: string, problem: string, remedy: string): void => {
    required.push({
      value,
      condition,
      refusal: rows =>
        dataError({ table: name, column: column.name }, `has ${counted(rows, 'row')} ${problem}`, remedy, 'ERR_ROW'),
    });
  };
  const { dialect } = session;
  if (design.target?.levels !== undefined) {
    const text = textOf(dialect, fields[design.target.field]!);
    const levels = design.target.levels.map(level => dialect.text(level)).join(', ');
    const condition = `(${text} IS NULL OR ${text} IN (${levels}))`;
    require(design.target, '0e0', condition, 'with another text than its two levels', "declare the levels that it has, or use `nulls: 'skip'` to skip such rows");
  }
  if (targets !== null && target !== undefined) {
    const { least, most } = targets;
    const ends = [
      ...(least > -Infinity ? [`${target} >= ${doubleLiteral(least)}`] : []),
      ...(most < Infinity ? [`${target} <= ${doubleLiteral(most)}`] : []),
    ];
    const condition = targets.isClass ? `${target} IN (0e0, 1e0)` : ends.join(' AND ');
    require(design.target!, target, condition, 'with a target that is not valid for this loss', targets.advice);
  }
  if (weights !== undefined)
    require(design.weights!, weights, `${weights} >= 0e0`, 'with a weight below 0', "weights must be at least 0; fix them, or use `nulls: 'skip'` to skip such rows");
  return required;
}

/** Counts the rows that cannot be used, by columns, and refuses those that the policy refuses. */
async function unusableRows(
  source: SqlSource,
  design: Design,
  { features, target, weights }: ReturnType<typeof designExpressions>,
  required: readonly Requirement[],
  nulls: NullPolicy,
  watch: QueryOptions,
): Promise<{
  readonly invalid: number;
  readonly unusable: readonly { readonly name: string; readonly rows: number }[];
}> {
  const columns = columnsOf(design);
  const expressions = [
    ...features,
    ...(target === undefined ? [] : [target]),
    ...(weights === undefined ? [] : [weights]),
  ];
  const usable = expressions.map(isUsable);
  const not = (condition: string): string => `CASE WHEN ${condition} THEN FALSE ELSE TRUE END`;
  const whole = [...usable, ...required.map(({ condition }) => condition)].join(' AND ');
  const wrongs = required.map(({ value, condition }) => `${isUsable(value)} AND ${not(condition)}`);
  const { counts, largest } = await conditionCounts(
    source,
    [...usable.map(not), ...wrongs, not(whole)],
    weights === undefined ? [] : [weights],
    watch,
  );
  const invalid = counts.at(-1)!;
  const wrong = counts.slice(usable.length, -1);
  if (nulls !== 'skip') for (const [k, rows] of wrong.entries()) if (rows > 0) throw required[k]!.refusal(rows);
  const unusable = new Map<string, number>();
  columns.forEach((column, k) => {
    const name = columnNameOf(column);
    if (counts[k]! > (unusable.get(name) ?? 0)) unusable.set(name, counts[k]!);
  });
  if (nulls === 'error' && invalid > 0) {
    const [column, rows] = [...unusable][0] ?? [undefined, invalid];
    throw dataError(
      { table: source.name, ...(column !== undefined && { column }) },
      `has no usable value in ${counted(rows, 'row')}`,
      "use `nulls: 'skip'` to skip such rows",
      'ERR_ROW',
    );
  }
  if (largest.length > 0 && !(largest[0]! > 0))
    throw dataError(
      { table: source.name, column: design.weights!.name },
      'gives every usable row the weight 0',
      'choose another column as `weights`',
    );
  return { invalid, unusable: [...unusable].map(([name, rows]) => ({ name, rows })) };
}

const columnNameOf = (column: DesignColumn): string => (column.level === undefined ? column.name : sourceOf(column));

/** The levels that rows have, as a model remembers them. */
async function talliesOf(
  design: Design,
  fields: readonly Field[],
  texts: (field: Field) => ReturnType<typeof textCounts>,
): Promise<readonly LevelTally[]> {
  const tallies: LevelTally[] = [];
  const seen = new Set<number>();
  for (const column of design.features) {
    if (column.level === undefined || seen.has(column.field)) continue;
    seen.add(column.field);
    const field = fields[column.field]!;
    const { levels, long } = await texts(field);
    const rowsOf = new Map((levels ?? []).map(({ level, rows }) => [level, rows]));
    const ranked = rankedLevels(column);
    const others = (levels ?? []).filter(({ level }) => !ranked.includes(level));
    const rest = others.slice(MOST_REMEMBERED + 1).reduce((sum, { rows }) => sum + rows, long);
    tallies.push({
      column: field.name,
      rows: (levels ?? []).reduce((sum, { rows }) => sum + rows, long),
      declared: ranked.map(level => ({ level, rows: rowsOf.get(level) ?? 0 })),
      others: others.slice(0, MOST_REMEMBERED + 1),
      unnamed: rest,
      ...(column.found && { found: column.found }),
    });
  }
  return tallies;
}

/** The name of the column that says which rows of a unit count. */
const COUNTS = 'sluice_counts';

/**
 * The rows of a table with a column that is 1 for the first rows of a unit, by their ids, and 0 for the others.
 *
 * Guarantee. At most `most` rows of one unit have a 1, whatever the rows hold: the numbers that decide it run from 1 for
 * every unit, and a row without a unit has a 0.
 */
function limitedTo(
  { session, from, name }: SqlSource,
  id: string,
  fields: readonly Field[],
  { column, most }: NonNullable<RemoteOptions['unit']>,
): string {
  const { quote } = session.dialect;
  const field = fields.find(each => each.name === column);
  if (field === undefined || !['integer', 'exact', 'text'].includes(field.kind))
    throw new DataError(
      `${name}, column ${JSON.stringify(column)}: ${field === undefined ? 'does not exist' : `is ${field.type}`}, and \`unit\` names a column of whole numbers or texts`,
      { table: name, column },
      'ERR_COLUMN',
    );
  const unit = quote(column);
  return `(SELECT *, CASE WHEN ${unit} IS NOT NULL AND row_number() OVER (PARTITION BY ${unit} ORDER BY ${id}) <= ${most} THEN 1e0 ELSE 0e0 END AS ${quote(COUNTS)} FROM ${from}) u`;
}
