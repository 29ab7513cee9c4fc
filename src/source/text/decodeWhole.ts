import type { Decode } from './decode.ts';
import { decodeNumber } from './decodeNumber.ts';

/** Numbers; integers, written without decimal point or exponent, must be representable exactly. */
export const decodeExact: Decode = (bytes, start, end, out, at) =>
  decodeNumber(bytes, start, end, out, at) && isHeld(bytes, start, end, out[at]!);

/** Integers, exactly representable, however they are written: 4.0 is one, and so is 5e2. */
export const decodeInteger: Decode = (bytes, start, end, out, at) =>
  decodeNumber(bytes, start, end, out, at) && isHeldWhole(bytes, start, end, out[at]!);

/** Whether the cell is written as an integer. */
export const isWhole = (text: string): boolean => /^[+-]?\d+$/.test(text);

const MOST_DIGITS = 309;

function isHeld(bytes: Buffer, start: number, end: number, value: number): boolean {
  // No number at or beyond 2^53 rounds to less.
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || Number.isNaN(value)) return true;
  const text = bytes.toString('latin1', start, end);
  return !isWhole(text) || isValueOf(text, value);
}

function isHeldWhole(bytes: Buffer, start: number, end: number, value: number): boolean {
  if (!Number.isInteger(value)) return false;
  const text = bytes.toString('latin1', start, end);
  // Fractions may round to integers, including 0.
  return (Number.isSafeInteger(value) && isWhole(text)) || isValueOf(text, value);
}

/** In one pass from the end: a regular expression would start again at every run of zeros, and hang on a long cell. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** Whether the text denotes exactly the integer `value`. */
function isValueOf(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = withoutTrailingZeros(digits);
  if (kept === '') return value === 0;
  const exponent = Number(power) - fraction.length + digits.length - kept.length;
  // A finite value has at most 309 digits, and so does a number equal to it.
  return (
    exponent >= 0 && kept.length <= MOST_DIGITS && BigInt(kept) * 10n ** BigInt(exponent) === BigInt(Math.abs(value))
  );
}
