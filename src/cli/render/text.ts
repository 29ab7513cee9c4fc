import type { Condition } from '../../plan/theorem/index.ts';
import { toDigits } from '../../words.ts';

/** Helpers for printing. */

export { counted } from '../../words.ts';

/** At most six significant digits. */
export const significant = (value: number): string => toDigits(value, 6);

/** Characters two terminal columns wide: East Asian characters, full-width forms and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Characters of no width: marks that combine with the character before them. */
const UPON = /\p{Mn}|\p{Me}|\p{Cf}/u;

/** The width of a text in terminal columns. */
export const displayWidth = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum + (UPON.test(character) ? 0 : WIDE.test(character) ? 2 : 1), 0);

/** Rows of cells in aligned columns, indented; control characters are escaped by `visible`. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map(row => row.map(visible));
  const widths = rows.reduce<number[]>((widest, row) => {
    row.forEach((cell, k) => {
      widest[k] = Math.max(widest[k] ?? 0, displayWidth(cell));
    });
    return widest;
  }, []);
  return rows
    .map(
      row =>
        `  ${row
          .map((cell, k) => cell + ' '.repeat(widths[k]! - displayWidth(cell)))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** A line broken between words so that no part is wider than `width` where words allow; later parts are indented. */
export function wrapped(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  const parts: string[] = [];
  let part = '';
  for (const word of line.split(' ')) {
    const longer = part === '' ? word : `${part} ${word}`;
    if (part.trim() === '' || displayWidth(longer) <= width) part = longer;
    else {
      parts.push(part);
      part = `    ${word}`;
    }
  }
  return [...parts, part].join('\n');
}

/** A theorem's conditions, one per line, with the numbers that decided them. */
export const conditionLines = (conditions: readonly Condition[]): string =>
  table(
    conditions.map(({ met, statement, numbers, kind }) => [
      met ? 'met' : 'NOT MET',
      statement,
      Object.entries(numbers)
        .map(([name, value]) => `${name} = ${significant(value)}`)
        .join(', '),
      met || kind === 'required' ? '' : 'voids only the claimed rate',
    ]),
  );

/** Characters that move a terminal's cursor, break the line, or change the writing direction. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Untrusted text as a terminal may show it, on one line: control characters are escaped. */
export const visible = (text: string): string =>
  text.replace(CONTROLS, sign => SHORT[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same for a message, which may have several lines. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');
