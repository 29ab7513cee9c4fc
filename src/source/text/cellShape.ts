import { OPEN_BRACE, OPEN_BRACKET, QUOTE, trimEnd, trimStart } from './ascii.ts';
import { decodeBoolean } from './decode.ts';
import { decodeNumber } from './decodeNumber.ts';
import { decodeTime } from './decodeTime.ts';
import { isWhole } from './decodeWhole.ts';

/** The type that a single cell looks like. */
export type CellShape = 'whole' | 'number' | 'boolean' | 'time' | 'text' | 'nested';

/** Its name in messages. The value itself is never shown, because it may be private. */
export const shapeNames: Readonly<Record<CellShape, string>> = Object.freeze({
  whole: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  time: 'a date or time',
  text: 'text',
  nested: 'an object or array',
});

export type ShapeOf = (bytes: Buffer, start: number, end: number) => CellShape;

const scratch = new Float64Array(1);

/** In CSV, quotes say nothing about the type: some writers quote every cell. */
export const csvShape: ShapeOf = (bytes, start, end) => {
  const from = trimStart(bytes, start, end);
  const to = trimEnd(bytes, from, end);
  if (decodeNumber(bytes, from, to, scratch, 0))
    return isWhole(bytes.toString('latin1', from, to)) ? 'whole' : 'number';
  if (decodeBoolean(bytes, from, to, scratch, 0)) return 'boolean';
  return decodeTime(bytes, from, to, scratch, 0) ? 'time' : 'text';
};

/** In JSON a string is a string, even one of digits, except for times, which can only be written as strings. */
export const jsonShape: ShapeOf = (bytes, start, end) => {
  if (bytes[start - 1] === QUOTE) return csvShape(bytes, start, end) === 'time' ? 'time' : 'text';
  return bytes[start] === OPEN_BRACE || bytes[start] === OPEN_BRACKET ? 'nested' : csvShape(bytes, start, end);
};

/** The shapes of a column's cells seen so far. */
export interface ShapeTally {
  readonly shapes: ReadonlySet<CellShape>;
  /**
   * The texts that stand for a missing number, such as n/a or ?: those in a column of which more than half of the cells
   * are numbers, if they are few and have no digit. A text with a digit, such as 1,200 or $5, is a number written in a
   * way that is not understood, and taking it for missing would lose such numbers selectively. Otherwise undefined.
   */
  nullTokens(): readonly string[] | undefined;
  /** The first row that is not a number, if more than half of the cells are numbers; otherwise undefined. */
  strayRow(): number | undefined;
  /** `text` is called for a text only. */
  add(shape: CellShape, row: number, text: () => string): void;
}

/** One writer uses one or two, and a file may be put together from several; more are names. */
const MOST_TOKENS = 5;

export function shapeTally(): ShapeTally {
  const shapes = new Set<CellShape>();
  let [cells, numbers] = [0, 0];
  let stray: number | undefined;
  const tokens = new Set<string>();
  let areTokens = true;
  const mostAreNumbers = (): boolean => 2 * numbers > cells;
  return {
    shapes,
    strayRow: () => (mostAreNumbers() ? stray : undefined),
    nullTokens: () => (areTokens && tokens.size > 0 && mostAreNumbers() ? [...tokens] : undefined),
    add(shape, row, text) {
      shapes.add(shape);
      cells++;
      if (shape === 'whole' || shape === 'number') {
        numbers++;
        return;
      }
      stray ??= row;
      if (shape !== 'text') areTokens = false;
      if (!areTokens) return;
      const token = text().trim();
      tokens.add(token);
      areTokens = !/\p{N}/u.test(token) && tokens.size <= MOST_TOKENS;
    },
  };
}
