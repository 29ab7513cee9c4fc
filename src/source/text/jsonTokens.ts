import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CR,
  LF,
  MINUS,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  POINT,
  QUOTE,
  SPACE,
  TAB,
  ZERO,
} from './ascii.ts';

const E = 0x65;
const U = 0x75;
const LOWER = 0x20;

/**
 * Where the tokens of a JSON text end. Each function is given the start of a token and returns the position after it,
 * or -1 if it is not valid there. They need no bound: a newline, which ends the line, is not part of any token, and no
 * function skips one.
 */
export function spaceEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === CR) at++;
  return at;
}

/** The end of a number, string, literal, object or array. */
export function valueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start]!;
  if (first === MINUS || (first >= ZERO && first <= NINE)) return numberEnd(bytes, start);
  if (first === QUOTE) return stringEnd(bytes, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return nestedEnd(bytes, start);
  for (const literal of literals) if (first === literal[0]) return literalEnd(bytes, start, literal);
  return -1;
}

const literals = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')];

function literalEnd(bytes: Buffer, start: number, literal: Buffer): number {
  for (let i = 0; i < literal.length; i++) if (bytes[start + i] !== literal[i]) return -1;
  return start + literal.length;
}

function numberEnd(bytes: Buffer, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : digitsEnd(bytes, at);
  if (at > 0 && bytes[at] === POINT) at = digitsEnd(bytes, at + 1);
  if (at > 0 && (bytes[at]! | LOWER) === E) {
    const isSigned = bytes[at + 1] === PLUS || bytes[at + 1] === MINUS;
    at = digitsEnd(bytes, isSigned ? at + 2 : at + 1);
  }
  return at;
}

function digitsEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at > start ? at : -1;
}

/** Characters that need no escape in a string: all but the quote, the backslash and control characters. */
const isPlain = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH;

const isEscape = new Set(Buffer.from('"\\/bfnrt'));
const isHex = new Set(Buffer.from('0123456789abcdefABCDEF'));

export function stringEnd(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (;;) {
    while (isPlain(bytes[at])) at++;
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH) return -1;
    if (isEscape.has(bytes[at + 1]!)) at += 2;
    else if (bytes[at + 1] === U && [2, 3, 4, 5].every(i => isHex.has(bytes[at + i]!))) at += 6;
    else return -1;
  }
}

/** Finds the bracket that closes the first one, and leaves the content in between to JSON.parse. */
function nestedEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; bytes[at] !== LF; ) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      if (at < 0) return -1;
      continue;
    }
    at++;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
    if (depth === 0) return isJson(bytes.toString('utf8', start, at)) ? at : -1;
  }
  return -1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The text of a JSON value: a string without its escapes, anything else as written. */
export function jsonText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return bytes[start - 1] === QUOTE && text.includes('\\') ? JSON.parse(`"${text}"`) : text;
}
