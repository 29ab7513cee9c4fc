/** Parses the values of flags; errors name the flag. */
import { readFileSync } from 'node:fs';
import { ArgumentError, type NamedLoss } from '../../index.ts';
import { LOSS_NAMES, type LossName, lossByName } from '../../method/index.ts';

export function number(flag: string, text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new ArgumentError(`${flag} must be a number, got ${JSON.stringify(text)}`, 'ERR_ARGUMENT', {
    argument: flag,
    value: text,
  });
}

export function positive(flag: string, text: string): number {
  const value = number(flag, text);
  if (value > 0) return value;
  throw new ArgumentError(`${flag} must be above 0, got ${JSON.stringify(text)}`, 'ERR_ARGUMENT', {
    argument: flag,
    value: text,
  });
}

export function nonNegative(flag: string, text: string): number {
  const value = number(flag, text);
  if (value >= 0) return value;
  throw new ArgumentError(`${flag} must be at least 0, got ${JSON.stringify(text)}`, 'ERR_ARGUMENT', {
    argument: flag,
    value: text,
  });
}

export function probability(flag: string, text: string): number {
  const value = number(flag, text);
  if (value > 0 && value < 1) return value;
  throw new ArgumentError(`${flag} must be between 0 and 1, got ${JSON.stringify(text)}`, 'ERR_ARGUMENT', {
    argument: flag,
    value: text,
  });
}

export function wholeNumber(flag: string, text: string, least = 1): number {
  const value = number(flag, text.replaceAll('_', ''));
  if (Number.isInteger(value) && value >= least) return value;
  throw new ArgumentError(
    `${flag} must be a whole number of at least ${least}, got ${JSON.stringify(text)}`,
    'ERR_ARGUMENT',
    { argument: flag, value: text },
  );
}

export const optional = <T>(
  flag: string,
  text: string | undefined,
  parse: (flag: string, text: string) => T,
): T | undefined => (text === undefined ? undefined : parse(flag, text));

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out absent values, so that defaults apply. */
export const present = <T extends object>(given: T): Present<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Present<T>;

/** Whether a name is the address of a broker, and not a path. */
export const isBroker = (name: string): boolean => /^[a-z][a-z+.-]+:\/\//i.test(name);

/** 'a,b,c' */
/** A name up to the next comma or the end, quoted as in a CSV file if it has commas itself. */
const NAME = /(?:\s*"((?:[^"]|"")+)"\s*|([^,]+))(?:,(?!$)|$)/gy;

export function names(flag: string, text: string): readonly string[] {
  const found = [...text.matchAll(NAME)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim());
  const isWhole = text.replaceAll(NAME, '') === '';
  if (isWhole && found.every(name => name !== '')) return found;
  throw new ArgumentError(
    `${flag} must be names separated by commas, in double quotes if they have commas, got ${JSON.stringify(text)}`,
    'ERR_ARGUMENT',
    {
      argument: flag,
      value: text,
    },
  );
}

/** 'origin=ATL|LAX' */
export function levels(texts: readonly string[]): Record<string, readonly string[]> {
  const declared = new Map<string, readonly string[]>();
  for (const text of texts) {
    const [, column, list] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const found = list?.split('|') ?? [];
    if (column === undefined || found.some(level => level === '') || new Set(found).size < found.length) {
      throw new ArgumentError(
        `--categorical must look like origin=ATL|LAX with distinct levels, got ${JSON.stringify(text)}`,
        'ERR_ARGUMENT',
        { argument: '--categorical', value: text },
      );
    }
    declared.set(column, found);
  }
  return Object.fromEntries(declared);
}

/** 'pseudo-huber:0.5' */
export function withParameter(text: string): { readonly name: string; readonly parameter?: string } {
  const at = text.indexOf(':');
  return at < 0 ? { name: text } : { name: text.slice(0, at), parameter: text.slice(at + 1) };
}

/** Arguments of theorems that are vectors, even of a single number. */
const VECTORS = ['eigenvalues', 'truth'];

/** 'smoothness=1,eigenvalues=1|1|0.5' */
export function given(flag: string, texts: readonly string[]): Record<string, number | Float64Array> {
  const found = new Map<string, number | Float64Array>();
  for (const part of texts.flatMap(text => text.split(','))) {
    const [, name, value] = /^\s*(\w+)\s*=(.+)$/.exec(part) ?? [];
    if (name === undefined) {
      throw new ArgumentError(
        `${flag} must look like smoothness=1,eigenvalues=1|1|0.5, got ${JSON.stringify(part)}`,
        'ERR_ARGUMENT',
        { argument: flag, value: part },
      );
    }
    if (found.has(name))
      throw new ArgumentError(`${flag} must name ${name} once, got it twice; leave one of them out`, 'ERR_ARGUMENT', {
        argument: flag,
        value: name,
      });
    const values = value!.split('|').map(text => number(`${flag} ${name}`, text));
    found.set(name, VECTORS.includes(name) || values.length > 1 ? Float64Array.from(values) : values[0]!);
  }
  return Object.fromEntries(found);
}

/** The losses that take a parameter, and its symbol. */
const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['pseudo-huber', 'q'],
  ['geman-mcclure', 'q'],
  ['tukey', 'c'],
]);

/** 'pseudo-huber:0.5'; callers decide what `auto` means. */
export function lossFlag(text: string): { readonly name: LossName; readonly parameter?: number } {
  const { name, parameter } = withParameter(text);
  const known = LOSS_NAMES.find(loss => loss === name);
  if (known === undefined)
    throw new ArgumentError(
      `--loss must be one of auto, ${LOSS_NAMES.join(', ')}, got ${JSON.stringify(text)}`,
      'ERR_ARGUMENT',
      { argument: '--loss', value: text },
    );
  if (parameter === undefined) return { name: known };
  const symbol = PARAMETERS.get(name);
  if (symbol === undefined)
    throw new ArgumentError(`--loss ${name} takes no parameter, got ${JSON.stringify(text)}`, 'ERR_ARGUMENT', {
      argument: '--loss',
      value: text,
    });
  return { name: known, parameter: positive(`--loss ${name}:${symbol}`, parameter) };
}

export function namedLoss(text: string): NamedLoss {
  const { name, ...parameter } = lossFlag(text);
  return lossByName(name, parameter);
}

type Bounds = Readonly<Record<string, readonly [least: number, most: number]>>;

/** 'x1:-1..1,y:0..10', or the path of a JSON file: {"x1": [-1, 1], "y": [0, 10]}. */
export const parseBounds = (flag: string, text: string): Bounds =>
  /\.\.[^,]*(,|$)/.test(text) && !text.endsWith('.json') ? boundsIn(flag, text) : readBounds(flag, text);

function boundsIn(flag: string, text: string): Bounds {
  const bounds = new Map<string, readonly [number, number]>();
  for (const part of text.split(',')) {
    const [, column, least, most] = /^\s*(.+):([^:]+)\.\.([^:]+)$/.exec(part) ?? [];
    if (column === undefined)
      throw new ArgumentError(
        `${flag} must look like 'x1:-1..1,y:0..10', got ${JSON.stringify(part)}`,
        'ERR_ARGUMENT',
        { argument: flag, value: part },
      );
    if (bounds.has(column))
      throw new ArgumentError(
        `${flag} must name ${JSON.stringify(column)} once, got it twice; leave one of them out`,
        'ERR_ARGUMENT',
        { argument: flag, value: column },
      );
    bounds.set(column, [number(`${flag} ${column}`, least!), number(`${flag} ${column}`, most!)]);
  }
  return Object.fromEntries(bounds);
}

function readBounds(flag: string, path: string): Bounds {
  const wrong = (problem: string): never => {
    throw new ArgumentError(
      `${flag} must look like 'x1:-1..1,y:0..10', or a JSON file like {"x1": [-1, 1], "y": [0, 10]}; ${JSON.stringify(path)} ${problem}`,
      'ERR_ARGUMENT',
      { argument: flag, value: path },
    );
  };
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return wrong(error instanceof SyntaxError ? 'is not JSON' : 'does not exist');
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return wrong('does not hold a JSON object');
  for (const [column, ends] of Object.entries(found)) {
    const isPair = Array.isArray(ends) && ends.length === 2 && ends.every(end => typeof end === 'number');
    if (!isPair) wrong(`has no pair of numbers for ${JSON.stringify(column)}`);
  }
  return found as Bounds;
}
