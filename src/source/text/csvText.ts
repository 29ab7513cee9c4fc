import { QUOTE } from './ascii.ts';

/** The text of a CSV cell: a doubled quote in a quoted cell stands for one. */
export function csvText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return bytes[start - 1] === QUOTE && text.includes('"') ? text.replaceAll('""', '"') : text;
}
