import { OPEN_BRACE, OPEN_BRACKET, QUOTE, trimEnd, trimStart } from './ascii.ts';
import { decodeBoolean } from './decode.ts';
import { decodeNumber, isWhole } from './decodeNumber.ts';
import { decodeTime } from './decodeTime.ts';

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

export type ShapeTally = ReturnType<typeof shapeTally>;

/** One writer uses one or two, and a file may be put together from several; more are names. */
const MOST_TOKENS = 5;

/**
 * Words that are missing values wherever they stand among numbers, so that most cells of a column may be one: those that
 * pandas, R, SQL and C write, and the errors of a spreadsheet, such as #DIV/0! and #NAME?.
 */
const NULL_WORD =
  /^(\?+|-+|\.+|\*+|n\.?\/?a\.?!?|<na>|none|\(?null\)?|nil|[-+]?nan(\(\w*\))?|[-+]?1\.#(ind|qnan)|missing|unknown|\\n|#[a-z\d/_]+[!?]?( n\/a)?)$/i;

/** Fewer different numbers may be the codes of categories, among which a word is one more. */
const MANY_NUMBERS = 20;

/** The shapes of a column's cells seen so far. */
export function shapeTally() {
  const shapes = new Set<CellShape>();
  let [cells, numbers, words] = [0, 0, 0];
  let stray: number | undefined;
  const tokens = new Set<string>();
  const different = new Set<string>();
  let unknown = 0;
  let areTokens = true;
  const areNumbers = (): boolean =>
    2 * numbers > cells - words || (areTokens && tokens.size > 0 && different.size === MANY_NUMBERS);
  return {
    shapes: shapes as ReadonlySet<CellShape>,
    /** The first row that is not a number, in a column of numbers. */
    strayRow: (): number | undefined => (areNumbers() ? stray : undefined),
    /**
     * The texts that stand for a missing number in a column of numbers, such as n/a or ?: they are few, or `NULL_WORD`s,
     * and have no digit. A text with a digit, such as 1,200 or $5, is a number written in a way that is not understood,
     * and taking it for missing would lose such numbers selectively. More than half of the cells are numbers,
     * `NULL_WORD`s aside, or many different numbers stand beside few texts. Otherwise undefined.
     */
    nullTokens: (): readonly string[] | undefined =>
      areTokens && tokens.size > 0 && areNumbers() ? [...tokens] : undefined,
    add(shape: CellShape, row: number, text: () => string): void {
      shapes.add(shape);
      cells++;
      if (shape === 'whole' || shape === 'number') {
        numbers++;
        if (different.size < MANY_NUMBERS) different.add(text());
        return;
      }
      stray ??= row;
      if (shape !== 'text') areTokens = false;
      if (!areTokens) return;
      const token = text().trim();
      const isWord = NULL_WORD.test(token);
      if (isWord) words++;
      else if (!tokens.has(token)) unknown++;
      tokens.add(token);
      areTokens = isWord || (!/\p{N}/u.test(token) && unknown <= MOST_TOKENS);
    },
  };
}
