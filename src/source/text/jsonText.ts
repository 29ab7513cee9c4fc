import { QUOTE } from './ascii.ts';

/** The text of a JSON value: a string without its escapes, anything else as written. */
export function jsonText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return bytes[start - 1] === QUOTE && text.includes('\\') ? JSON.parse(`"${text}"`) : text;
}
