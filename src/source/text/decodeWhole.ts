import type { Decode } from './decode.ts';
import { decodeNumber } from './decodeNumber.ts';

/** Numbers, of which the whole ones, written without point or exponent, must be held exactly. */
export const decodeExact: Decode = (bytes, start, end, out, at) =>
  decodeNumber(bytes, start, end, out, at) && isHeld(bytes, start, end, out[at]!);

/** Whole numbers, held exactly. */
export const decodeInteger: Decode = (bytes, start, end, out, at) =>
  decodeExact(bytes, start, end, out, at) && Number.isInteger(out[at]);

/** Whether the cell is written as a whole number. */
export const isWhole = (text: string): boolean => /^[+-]?\d+$/.test(text);

function isHeld(bytes: Buffer, start: number, end: number, value: number): boolean {
  // Nothing at or beyond 2^53 rounds to less.
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || Number.isNaN(value)) return true;
  const text = bytes.toString('latin1', start, end);
  if (!isWhole(text)) return true;
  return Number.isFinite(value) && BigInt(text.replace('+', '')) === BigInt(value);
}
