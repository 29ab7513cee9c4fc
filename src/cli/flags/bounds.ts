/** `--bounds`: the ranges of columns, declared before any row is read. */
import { readFileSync } from 'node:fs';
import { ArgumentError, type Interval } from '../../index.ts';
import { number } from './parse.ts';

/** 'x1:-1..1,y:0..10', or the path of a JSON file: {"x1": [-1, 1], "y": [0, 10]}. */
export function parseBounds(text: string): Readonly<Record<string, Interval>> {
  return /\.\.[^,]*(,|$)/.test(text) && !text.endsWith('.json') ? parseSpec(text) : readBounds(text);
}

function parseSpec(text: string): Readonly<Record<string, Interval>> {
  const bounds = new Map<string, Interval>();
  for (const part of text.split(',')) {
    const [, column, least, most] = /^\s*(.+):([^:]+)\.\.([^:]+)$/.exec(part) ?? [];
    if (column === undefined) {
      throw new ArgumentError(`--bounds must look like 'x1:-1..1,y:0..10', got ${JSON.stringify(part)}`);
    }
    if (bounds.has(column))
      throw new ArgumentError(
        `--bounds must name ${JSON.stringify(column)} once, got it twice; leave one of them out`,
      );
    bounds.set(column, {
      least: number(`--bounds ${column}`, least!),
      most: number(`--bounds ${column}`, most!),
    });
  }
  return Object.fromEntries(bounds);
}

function readBounds(path: string): Readonly<Record<string, Interval>> {
  const wrong = (problem: string): never => {
    throw new ArgumentError(
      `--bounds must look like 'x1:-1..1,y:0..10', or a JSON file like {"x1": [-1, 1], "y": [0, 10]}; ${JSON.stringify(path)} ${problem}`,
    );
  };
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return wrong(error instanceof SyntaxError ? 'is not JSON' : 'does not exist');
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    return wrong('does not hold a JSON object');
  return Object.fromEntries(
    Object.entries(found).map(([column, ends]) => {
      const [least, most, ...more] = Array.isArray(ends) ? ends : [];
      if (typeof least !== 'number' || typeof most !== 'number' || more.length > 0) {
        return wrong(`has no pair of numbers for ${JSON.stringify(column)}`);
      }
      return [column, { least, most }];
    }),
  );
}

/** An own property only: a column may be called toString. */
export const boundsOf = (
  declared: Readonly<Record<string, Interval>>,
  column: string,
): Interval | undefined => (Object.hasOwn(declared, column) ? declared[column] : undefined);
