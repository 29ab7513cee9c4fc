/** A number with its noun: 1 row, 2 rows. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A string literal as a caller would write it, for messages that show code in backticks. */
export const inCode = (text: string): string => `'${text.replaceAll(/[\\'`]/g, '\\$&')}'`;

/** A number to the given number of significant digits, without trailing zeros. */
export const toDigits = (value: number, digits: number): string => String(Number(value.toPrecision(digits)));

/** The first few names, and how many more there are. */
export function listed(names: readonly string[], joint: 'and' | 'or' = 'and'): string {
  const shown = names.slice(0, MOST_LISTED).map(name => JSON.stringify(name));
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} ${joint} ${more} ${more === 1 ? 'other' : 'others'}`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} ${joint} ${shown.at(-1)}`;
}

const MOST_LISTED = 5;

/** The words of a text by type. */
export type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** The words of texts as a list that knows them by type, for names that would otherwise take a line each. */
export const wordsOf = <const Text extends string>(...texts: readonly Text[]): readonly Words<Text>[] =>
  texts.flatMap(text => text.split(' ')) as unknown as readonly Words<Text>[];
