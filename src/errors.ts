import type { Words } from './words.ts';

/** What went wrong, for programs: the texts of messages may change, these do not. docs/errors.md explains each. */
export type ErrorCode = (typeof ERROR_CODES)[number];

export const ERROR_CODES = [
  'ERR_ARGUMENT',
  'ERR_CONFLICT',
  'ERR_COLUMN',
  'ERR_ROW',
  'ERR_NO_ROWS',
  'ERR_TOO_LARGE',
  'ERR_TOO_FEW_ROWS',
  'ERR_DIVERGED',
  'ERR_NOT_PRIVATE',
  'ERR_BUDGET',
  'ERR_ENDLESS',
  'ERR_OVERRUN',
  'ERR_CHANGED',
  'ERR_FILE',
  'ERR_PEER_MISSING',
] as const;

/** The data of an error. It says no more than the message does, because in a private run both are published. */
export type ErrorDetail = Readonly<Record<string, unknown>>;

/** A code with the data that it promises (docs/errors.md), so that no error is thrown without them. */
export type ErrorFacts =
  | [code: 'ERR_ARGUMENT', detail: ErrorDetail & { readonly argument: string; readonly value?: unknown }]
  | [code: Exclude<ErrorCode, 'ERR_ARGUMENT'>, detail: ErrorDetail];

/** The facts of an error that was caught, for one that says the same in other words. */
export const factsOf = ({ code, detail }: Pick<ArgumentError, 'code' | 'detail'>): ErrorFacts =>
  [code, detail] as ErrorFacts;

/** Thrown for errors that the caller can fix: the message names the argument, its value and the remedy. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(message: string, ...[code, detail]: ErrorFacts) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

/** An error about a file as such: `${file} ${problem}`. */
export const fileProblem = (file: string, problem: string): ArgumentError =>
  new ArgumentError(`${file} ${problem}`, 'ERR_FILE', { file });

/** Throws an ArgumentError: `${name} must ${requirement}, got ${value}; ${remedy}`. */
export function refuse(
  name: string,
  requirement: string,
  value: unknown,
  remedy?: string,
  code: ErrorCode = 'ERR_ARGUMENT',
): never {
  throw new ArgumentError(
    `${name} must ${requirement}, got ${show(value)}${remedy === undefined ? '' : `; ${remedy}`}`,
    code,
    // Options stand in backticks in messages alone.
    { argument: name.replaceAll('`', '').replace(/^the /, ''), value: isPrimitive(value) ? value : show(value) },
  );
}

export function requireFinite(name: string, value: number): number {
  return isNumber(value) && Number.isFinite(value) ? value : refuse(name, 'be a finite number', value);
}

export function requirePositive(name: string, value: number): number {
  return isNumber(value) && value > 0 && value < Infinity ? value : refuse(name, 'be a finite number above 0', value);
}

export function requireNonNegative(name: string, value: number): number {
  return isNumber(value) && value >= 0 && value < Infinity
    ? value
    : refuse(name, 'be a finite number of at least 0', value);
}

/** A probability strictly between 0 and 1, such as a failure probability. */
export function requireProbability(name: string, value: number): number {
  return isNumber(value) && value > 0 && value < 1 ? value : refuse(name, 'be in (0, 1)', value);
}

export function requireInteger(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return refuse(name, `be a whole number ${range}`, value);
}

export function requireFunction<F>(name: string, value: F): F {
  return typeof value === 'function' ? value : refuse(name, 'be a function', value);
}

/** For untyped callers, where a misspelt choice would otherwise be taken for another one. */
export function requireChoice<C>(name: string, value: C, choices: readonly C[]): C {
  if (choices.includes(value)) return value;
  return refuse(name, `be ${choices.map(choice => JSON.stringify(choice)).join(' or ')}`, value);
}

/**
 * For untyped callers, where a misspelt option would otherwise be ignored. `names` has the members of the options' type
 * with spaces between them, and the compiler checks that it has all of them and no others.
 */
export function requireKnown<O extends object, const S extends string>(
  options: O,
  names: [keyof O, Words<S>] extends [Words<S>, keyof O] ? S : never,
): void {
  requireMembers('the options', 'be an object', options, '');
  const known: readonly string[] = names.split(' ');
  const wrong = Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name))?.[0];
  if (wrong === undefined) return;
  const nearest = known.reduce((best, name) => (edits(wrong, name) < edits(wrong, best) ? name : best));
  throw new ArgumentError(`there is no option \`${wrong}\`; the nearest is \`${nearest}\``, 'ERR_ARGUMENT', {
    argument: wrong,
    nearest,
  });
}

/**
 * For untyped callers: an object with these members, with spaces between their names. What else it must be is left to
 * whoever uses them.
 */
export function requireMembers<T>(name: string, requirement: string, value: T, members: string, remedy?: string): T {
  const isObject = typeof value === 'object' && value !== null && !(Symbol.iterator in value) && !isPromise(value);
  const has = (member: string): boolean => (value as Readonly<Record<string, unknown>>)[member] !== undefined;
  if (isObject && (members === '' || members.split(' ').every(has))) return value;
  return refuse(
    name,
    requirement,
    isPromise(value) ? 'a Promise' : value,
    isPromise(value) ? 'await it first' : remedy,
  );
}

const isPromise = (value: unknown): boolean => typeof (value as PromiseLike<unknown> | null)?.then === 'function';

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

/** A non-empty Float64Array of finite numbers, of the given length if there is one. */
export function requireVector(name: string, value: Float64Array, length?: number): Float64Array {
  if (!(value instanceof Float64Array)) refuse(name, 'be a Float64Array', value);
  if (value.length === 0) refuse(name, 'have at least one coordinate', value);
  if (length !== undefined) requireLength(name, value, length);
  const bad = value.findIndex(coordinate => !Number.isFinite(coordinate));
  if (bad >= 0) refuse(`${name}[${bad}]`, 'be a finite number', value[bad]);
  return value;
}

export function requireLength<A extends ArrayLike<unknown>>(name: string, value: A, length: number): A {
  return value.length === length ? value : refuse(`the length of ${name}`, `be ${length}`, value.length);
}

/**
 * A row-major matrix of size * size finite numbers that equals its transpose up to rounding. Rounding is judged
 * relative to sqrt(a_ii a_jj), the scale of a_ij in a covariance or a Hessian.
 */
export function requireSymmetric(name: string, matrix: Float64Array, size: number): Float64Array {
  requireVector(name, matrix, requireInteger('size', size, 1) ** 2);
  const at = (i: number, j: number): number => matrix[i * size + j]!;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) {
      const scale = Math.sqrt(Math.abs(at(i, i))) * Math.sqrt(Math.abs(at(j, j)));
      if (Math.abs(at(i, j) - at(j, i)) > 1e-9 * Math.max(scale, Math.abs(at(i, j))))
        refuse(`${name}[${i}][${j}]`, `equal ${name}[${j}][${i}] = ${at(j, i)}`, at(i, j));
    }
  }
  return matrix;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const list = value as ArrayLike<unknown>;
    const shown = Array.from({ length: Math.min(4, list.length) }, (_, i) => String(list[i])).join(', ');
    return `[${shown}${list.length > 4 ? `, … ${list.length} in all` : ''}]`;
  }
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const text = asJson(value);
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

/** Characters of an object: the first say which it is. */
const MOST_SHOWN = 200;

/** Some objects, such as those with bigints or cycles, have no JSON. */
function asJson(value: object): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `a ${value.constructor?.name ?? 'record'}`;
  }
}

const isPrimitive = (value: unknown): boolean => Object(value) !== value;

/** Where something is wrong with data. */
export interface Place {
  readonly table: string;
  readonly column?: string;
  /** Counted from 0 within the table. */
  readonly row?: number;
}

/** Thrown for data that cannot be used as requested: names the file and, if known, the column and row. */
export class DataError extends ArgumentError {
  readonly table: string;
  readonly column: string | undefined;
  /** Counted from 0 within the table. */
  readonly row: number | undefined;

  constructor(message: string, place: Place, code: ErrorCode = codeOf(place)) {
    super(message, ...factsOf({ code, detail: { ...place } }));
    this.table = place.table;
    this.column = place.column;
    this.row = place.row;
  }
}

/** Unless said otherwise, an error about a cell is one of its row, and an error about no column is one of the file. */
const codeOf = ({ column, row }: Place): ErrorCode =>
  row !== undefined ? 'ERR_ROW' : column !== undefined ? 'ERR_COLUMN' : 'ERR_FILE';

/** A DataError: `${table}, column "${column}", row ${row}, counted from 0: ${problem}; ${remedy}`. */
export function dataError(place: Place, problem: string, remedy?: string, code?: ErrorCode): DataError {
  const { table, column, row } = place;
  const where = [
    table,
    column && `column ${JSON.stringify(column)}`,
    row !== undefined && `row ${row}, counted from 0`,
  ];
  return new DataError(`${where.filter(Boolean).join(', ')}: ${problem}${remedy ? `; ${remedy}` : ''}`, place, code);
}
