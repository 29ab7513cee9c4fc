import { ArgumentError, refuse, requireFunction, requireMembers } from './errors.ts';
import { inCode } from './words.ts';

/**
 * The options of public calls, for untyped callers: each call has a table of its options with the kind of each, so that
 * neither a misspelt name nor a value of another kind goes further. Ranges are left to whoever uses a value.
 */

/** Refuses a value that is not of the kind, under the name of its option. */
export type Kind = (name: string, value: never) => unknown;

/** The kind of every option; the compiler checks that a table has all of them and no others. */
export type Kinds<O> = { readonly [N in keyof O]-?: Kind };

/** Refuses options that the table does not have, or that are of another kind than it says. */
export function requireKnown<O extends object>(options: O, kinds: Kinds<O>): void {
  requireMembers('the options', 'be an object', options, '');
  const known = Object.keys(kinds);
  const wrong = Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name))?.[0];
  if (wrong !== undefined) {
    const nearest = known.reduce((best, name) => (edits(wrong, name) < edits(wrong, best) ? name : best));
    throw new ArgumentError(`there is no option \`${wrong}\`; the nearest is \`${nearest}\``, 'ERR_ARGUMENT', {
      argument: wrong,
      nearest,
    });
  }
  requireKinds('', options, kinds);
}

/** The number of letters to insert, delete or replace that makes one text of the other. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (from[i] === to[j] ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** Those that are given; what is undefined is not. */
function requireKinds(of: string, options: object, kinds: Readonly<Record<string, Kind>>): void {
  for (const [name, kind] of Object.entries(kinds)) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) kind(of === '' ? `\`${name}\`` : within(of, name), value as never);
  }
}

/** The name of a part of an option, in backticks as options are. */
const within = (name: string, part: string | number): string => {
  const access = typeof part === 'number' ? `[${part}]` : /^\w+$/.test(part) ? `.${part}` : `[${inCode(part)}]`;
  return `\`${name.replaceAll('`', '')}${access}\``;
};

export const text: Kind = (name, value: unknown) => typeof value === 'string' || refuse(name, 'be a text', value);

export const flag: Kind = (name, value: unknown) =>
  typeof value === 'boolean' || refuse(name, 'be true or false', value);

export const number: Kind = (name, value: unknown) => typeof value === 'number' || refuse(name, 'be a number', value);

/** Of rows, bytes, or a penalty: 0 or more, without end if need be. */
export const amount: Kind = (name, value: unknown) =>
  (typeof value === 'number' && value >= 0) || refuse(name, 'be a number of at least 0', value);

/** Of which the call itself says what it must be. */
export const asGiven: Kind = () => {};

export const aFunction: Kind = (name, value: unknown) => requireFunction(name, value);

/** For options of which each value is told apart by whoever uses it. */
export const oneOf =
  (...kinds: readonly [requirement: string, ...tests: readonly ((value: unknown) => boolean)[]]): Kind =>
  (name, value: unknown) => {
    const [requirement, ...tests] = kinds;
    return tests.some(test => test(value)) || refuse(name, requirement, value);
  };

export const choice =
  (...choices: readonly string[]): Kind =>
  (name, value: unknown) =>
    choices.includes(value as string) ||
    refuse(name, `be ${choices.map(one => JSON.stringify(one)).join(' or ')}`, value);

export const listOf =
  (kind: Kind, what: string): Kind =>
  (name, value: unknown) => {
    if (!Array.isArray(value))
      refuse(name, `be a list of ${what}`, value, typeof value === 'string' ? `write [${inCode(value)}]` : undefined);
    // Holes of an array are values too.
    Array.from(value, (one, k) => kind(within(name, k), one as never));
  };

export const texts: Kind = (name, value: unknown) => listOf(text, 'texts')(name, value as never);

/** A list in which no text is there twice. */
export const distinctTexts: Kind = (name, value: readonly string[]) => {
  texts(name, value as never);
  const twice = value.find((one, k) => value.indexOf(one) < k);
  if (twice !== undefined) refuse(name, 'have every text once', value, `${JSON.stringify(twice)} is there twice`);
};

/** Of a text column: without any, no row would have one. */
const levelsOf: Kind = (name, value: readonly string[]) => {
  distinctTexts(name, value as never);
  if (value.length === 0) refuse(name, 'have at least one level', value, 'name its levels, or leave the column out');
};

export const recordOf =
  (kind: Kind, example: string): Kind =>
  (name, value: object) => {
    requireMembers(name, `be a record such as \`${example}\``, value, '');
    for (const [key, one] of Object.entries(value)) kind(within(name, key), one as never);
  };

/** Levels by column. */
export const levels: Kind = (name, value: never) => recordOf(levelsOf, "{ town: ['Bonn', 'Kiel'] }")(name, value);

/** An object whose parts are of these kinds; those without `optional` must be there. */
export const partsOf =
  (requirement: string, parts: Readonly<Record<string, Kind>>, optional: Readonly<Record<string, Kind>> = {}): Kind =>
  (name, value: object) => {
    requireMembers(name, requirement, value, Object.keys(parts).join(' '));
    requireKinds(name, value, { ...parts, ...optional });
  };

export const signal: Kind = (name, value: unknown) =>
  value instanceof AbortSignal ||
  refuse(
    name,
    'be an AbortSignal',
    value instanceof AbortController ? 'an AbortController' : value,
    value instanceof AbortController ? 'give its `signal`' : 'give the `signal` of an AbortController',
  );

export const asyncIterable: Kind = (name, value: unknown) =>
  typeof Object(value)[Symbol.asyncIterator] === 'function' || refuse(name, 'be a stream of bytes', value);
