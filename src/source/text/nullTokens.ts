import { SPACE, trimEnd, trimStart } from './ascii.ts';

/** The default tokens for a null in a CSV file, quoted or not. */
export const NULLS: readonly string[] = Object.freeze(['', 'NA', 'null', 'NULL']);

export type IsNull = (bytes: Buffer, start: number, end: number) => boolean;

/** Whether a cell, apart from surrounding spaces, is one of the tokens. */
export function nullTokens(tokens: readonly string[]): IsNull {
  const known = new Set(tokens);
  const emptyIsNull = known.has('');
  const longest = Math.max(0, ...tokens.map(token => Buffer.byteLength(token)));
  const startsToken = new Uint8Array(256);
  for (const token of tokens) startsToken[Buffer.from(token)[0] ?? SPACE] = 1;

  return (bytes, start, end) => {
    const from = bytes[start]! <= SPACE ? trimStart(bytes, start, end) : start;
    if (from === end) return emptyIsNull;
    if (startsToken[bytes[from]!] === 0) return false;
    const to = trimEnd(bytes, from, end);
    return to - from <= longest && known.has(bytes.toString('utf8', from, to));
  };
}
