import type { Arithmetic } from './arithmetic.ts';
import { doubleLiteral, LARGEST_DOUBLE } from './dialect.ts';

/** An expression, the layer that it can be computed in, and the columns that it uses. */
export interface Expression {
  readonly text: string;
  readonly layer: number;
  readonly uses: ReadonlySet<string>;
}

/** Rows that a layer begins with, besides those of the layer below: one row of numbers that change between rounds. */
interface Joined {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/**
 * A query in layers, each of which computes columns from those of the layer below it, so that no expression is written
 * twice: `SELECT … FROM (SELECT … FROM (SELECT … FROM source))`. A column is carried as far up as it is used.
 *
 * Numbers that change from round to round stand in a joined row of values and not in expressions: an engine compiles
 * these, and would compile them anew for each.
 */
export interface Layers {
  readonly arithmetic: Arithmetic<Expression>;
  /** An expression of the source's columns, which layers above know by a name of their own. */
  column(text: string): Expression;
  /** An expression from texts and other expressions, as a tagged template. */
  sql(parts: TemplateStringsArray, ...inserted: readonly (Expression | string | number)[]): Expression;
  /** Numbers that change between rounds, by name; they can be used from the layer of `after` on. */
  changing(values: Readonly<Record<string, number>>, after: Expression | null): Readonly<Record<string, Expression>>;
  /** Keeps the rows that fulfil a condition. */
  where(condition: Expression): void;
  /** `SELECT … FROM …` of the named expressions. */
  select(columns: Readonly<Record<string, Expression>>): string;
  /** The same, one row for each value of `by`, of aggregates. */
  grouped(by: Readonly<Record<string, Expression>>, aggregates: Readonly<Record<string, Expression>>): string;
}

export function layersOver(source: string): Layers {
  const definitions: { readonly name: string; readonly value: Expression }[] = [];
  const known = new Map<string, Expression>();
  const joined = new Map<number, Joined>();
  const conditions = new Map<number, Expression[]>();
  const literal = (text: string): Expression => ({ text, layer: 0, uses: new Set() });
  const made = (text: string, from: readonly Expression[]): Expression => ({
    text,
    layer: Math.max(0, ...from.map(({ layer }) => layer)),
    uses: new Set(from.flatMap(({ uses }) => [...uses])),
  });
  const named = (value: Expression): Expression => {
    if (value.uses.size === 0 || value.uses.has(value.text)) return value;
    const found = known.get(value.text);
    if (found !== undefined) return found;
    const name = `v${definitions.length}`;
    definitions.push({ name, value });
    const reference = { text: name, layer: value.layer + 1, uses: new Set([name]) };
    known.set(value.text, reference);
    return reference;
  };
  const column = (text: string): Expression => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const name = `v${definitions.length}`;
    definitions.push({ name, value: literal(text) });
    const reference = { text: name, layer: 1, uses: new Set([name]) };
    known.set(text, reference);
    return reference;
  };
  const infix =
    (operator: string) =>
    (a: Expression, b: Expression): Expression =>
      made(`(${a.text} ${operator} ${b.text})`, [a, b]);
  const choice =
    (operator: string) =>
    (a: Expression, b: Expression, yes: Expression, no: Expression): Expression =>
      made(`CASE WHEN ${a.text} ${operator} ${b.text} THEN ${yes.text} ELSE ${no.text} END`, [a, b, yes, no]);
  const call =
    (name: string) =>
    (a: Expression): Expression =>
      made(`${name}(${a.text})`, [a]);
  const arithmetic: Arithmetic<Expression> = {
    constant: value => literal(doubleLiteral(value)),
    plus: infix('+'),
    minus: infix('-'),
    times: infix('*'),
    over: infix('/'),
    root: call('sqrt'),
    size: call('abs'),
    // Some engines round to a whole number type.
    floor: a => made(`CAST(floor(${a.text}) AS DOUBLE)`, [a]),
    // Exact on all engines, unlike other powers.
    twoTo: n => made(`power(2e0, ${n.text})`, [n]),
    ifAtMost: choice('<='),
    ifBelow: choice('<'),
    // Written with abs, because a NaN may sort below all numbers; and NULL fails every comparison.
    ifFinite: (values, yes, no) =>
      made(
        `CASE WHEN ${values.map(({ text }) => `abs(${text}) <= ${LARGEST_DOUBLE}`).join(' AND ') || '1 = 1'} THEN ${yes.text} ELSE ${no.text} END`,
        [...values, yes, no],
      ),
    onlyIfWithin: (a, limit, value) =>
      made(`CASE WHEN abs(${a.text}) < ${limit.text} THEN ${value.text} END`, [a, limit, value]),
    named,
  };

  /** The layers up to, but not including, `height`, which hand on the columns in `wanted`. */
  const below = (height: number, wanted: ReadonlySet<string>): string => {
    if (height === 0) return source;
    const layer = height - 1;
    const own = definitions.filter(({ name, value }) => value.layer === layer && wanted.has(name));
    const here = conditions.get(layer) ?? [];
    const needed = new Set([
      ...[...wanted].filter(name => !own.some(made => made.name === name)),
      ...own.flatMap(({ value }) => [...value.uses]),
      ...here.flatMap(({ uses }) => [...uses]),
    ]);
    const carried = [...wanted].filter(name => !own.some(made => made.name === name));
    const columns = [...carried, ...own.map(({ name, value }) => `${value.text} AS ${name}`)];
    return `(SELECT ${columns.length === 0 ? '1 AS one' : columns.join(', ')} FROM ${from(layer, needed)}) l${layer}`;
  };
  /** What a layer reads: the one below, the values that are joined there, and only the rows that it keeps. */
  const from = (layer: number, needed: Set<string>): string => {
    const row = joined.get(layer);
    const ofRow = new Set(row?.names ?? []);
    const rows = below(layer, new Set([...needed].filter(name => !ofRow.has(name))));
    const values =
      row === undefined ? '' : ` CROSS JOIN (VALUES (${row.values.join(', ')})) AS th(${row.names.join(', ')})`;
    const here = conditions.get(layer) ?? [];
    return `${rows}${values}${here.length === 0 ? '' : ` WHERE ${here.map(({ text }) => text).join(' AND ')}`}`;
  };
  const top = (expressions: readonly Expression[]): string => {
    const height = Math.max(0, ...expressions.map(({ layer }) => layer), ...conditions.keys(), ...joined.keys());
    const needed = new Set(expressions.flatMap(({ uses }) => [...uses]));
    for (const { uses } of conditions.get(height) ?? []) for (const name of uses) needed.add(name);
    return from(height, needed);
  };
  const listed = (columns: Readonly<Record<string, Expression>>): string =>
    Object.entries(columns)
      .map(([name, { text }]) => `${text} AS ${name}`)
      .join(', ');
  return {
    arithmetic,
    column,
    sql: (parts, ...inserted) =>
      made(
        parts.map((part, i) => part + textOf(inserted[i])).join(''),
        inserted.filter(each => typeof each === 'object'),
      ),
    changing(values, after) {
      // Not below 1, where columns of the source could have the same names.
      const layer = after?.layer ?? 1;
      const names = Object.keys(values);
      joined.set(layer, { names, values: Object.values(values).map(doubleLiteral) });
      return Object.fromEntries(names.map(name => [name, { text: name, layer, uses: new Set([name]) }]));
    },
    where(condition) {
      conditions.set(condition.layer, [...(conditions.get(condition.layer) ?? []), condition]);
    },
    select: columns => `SELECT ${listed(columns)} FROM ${top(Object.values(columns))}`,
    grouped(by, aggregates) {
      const keys = Object.fromEntries(Object.entries(by).map(([name, key]) => [name, named(key)]));
      const columns = { ...keys, ...aggregates };
      // A number behind GROUP BY would be the place of a column.
      const groups = Object.values(keys).flatMap(({ text, uses }) => (uses.size === 0 ? [] : [text]));
      const rows = `SELECT ${listed(columns)} FROM ${top(Object.values(columns))}`;
      return groups.length === 0 ? rows : `${rows} GROUP BY ${groups.join(', ')}`;
    },
  };
}

const textOf = (inserted: Expression | string | number | undefined): string =>
  inserted === undefined ? '' : typeof inserted === 'object' ? inserted.text : String(inserted);
