import { MINUS, NINE, PLUS, POINT, ZERO } from './ascii.ts';
import type { Decode } from './decode.ts';

const EXACT = 2 ** 53;
const powersOfTen = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
];
const LOWER = 0x20;
const E = 0x65;

/**
 * Decimal numbers, correctly rounded: the double that JavaScript's Number() gives for its decimal literals, and 'NaN',
 * 'inf' and 'infinity' in any case.
 *
 * A number is m * 10^e with integers m and e. There are three methods; the first that applies is used:
 *   1. m < 2^53 and |e| <= 22: both m and 10^|e| are doubles, so one product or quotient is rounded correctly
 *      (Clinger 1990).
 *   2. m of at most 18 digits and |e| <= 22: m as a sum of two doubles, scaled with an error below 2^-100 of the
 *      result, which is the answer unless that error could change its rounding (Ziv 1991). Doubles are written with up
 *      to 17 digits, so this is the common case at full precision.
 *   3. Number().
 */
export const decodeNumber: Decode = (bytes, start, end, out, at) =>
  decodeShort(bytes, start, end, out, at) || decodeAny(bytes, start, end, out, at);

/** The first method for most cells: up to nine characters, whose digits fit in 32 bits. */
const decodeShort: Decode = (bytes, start, end, out, at) => {
  const isNegative = bytes[start] === MINUS;
  let i = isNegative ? start + 1 : start;
  if (i === end || end - i > 9) return false;
  let mantissa = 0;
  let digit = 0;
  for (; i < end; i++) {
    digit = bytes[i]! - ZERO;
    if (digit >>> 0 > 9) break;
    mantissa = mantissa * 10 + digit;
  }
  let scale = 1;
  if (i < end) {
    const fraction = i + 1;
    if (digit !== POINT - ZERO || fraction === end) return false;
    for (i = fraction; i < end; i++) {
      digit = bytes[i]! - ZERO;
      if (digit >>> 0 > 9) return false;
      mantissa = mantissa * 10 + digit;
    }
    scale = powersOfTen[end - fraction]!;
  }
  const value = mantissa / scale;
  out[at] = isNegative ? -value : value;
  return true;
};

const decodeAny: Decode = (bytes, start, end, out, at) => {
  const sign = bytes[start]!;
  const first = sign === MINUS || sign === PLUS ? start + 1 : start;
  // Nine digits each, in fast 32-bit arithmetic.
  let high = 0;
  let low = 0;
  let digits = 0;
  let fraction = 0;
  let i = first;
  for (; i < end; i++) {
    const digit = bytes[i]! - ZERO;
    if (digit >>> 0 <= 9) {
      if (digits < 9) high = high * 10 + digit;
      else if (digits < 18) low = low * 10 + digit;
      digits++;
    } else if (digit === POINT - ZERO && fraction === 0) fraction = i + 1;
    else break;
  }
  if (digits === 0) return decodeNonFinite(bytes, start, end, out, at);
  let exponent = fraction === 0 ? 0 : fraction - i;
  if (i < end) {
    if ((bytes[i]! | LOWER) !== E) return false;
    const power = decodePower(bytes, i + 1, end);
    if (Number.isNaN(power)) return false;
    exponent += power;
  }
  let value = Number.NaN;
  if (digits <= 18 && exponent >= -22 && exponent <= 22) {
    // Exact: 10^9 = 2^9 * 5^9, and the 51 bits of high * 5^9 fit in a double.
    const shifted = digits > 9 ? high * powersOfTen[digits - 9]! : high;
    const mantissa = shifted + low;
    if (mantissa >= EXACT) value = scaleSum(mantissa, shifted - mantissa + low, exponent);
    else value = exponent < 0 ? mantissa / powersOfTen[-exponent]! : mantissa * powersOfTen[exponent]!;
  }
  if (Number.isNaN(value)) value = Number(bytes.toString('latin1', first, end));
  out[at] = sign === MINUS ? -value : value;
  return true;
};

/** The digits after the e, with their sign; NaN for anything else. */
function decodePower(bytes: Buffer, start: number, end: number): number {
  const sign = bytes[start]!;
  const first = start < end && (sign === MINUS || sign === PLUS) ? start + 1 : start;
  if (first === end) return Number.NaN;
  let power = 0;
  for (let i = first; i < end; i++) {
    const digit = bytes[i]! - ZERO;
    if (digit >>> 0 > 9) return Number.NaN;
    power = power * 10 + digit;
  }
  return sign === MINUS ? -power : power;
}

/** The second method: (m0 + m1) * 10^exponent, or NaN if the third is needed. */
function scaleSum(m0: number, m1: number, exponent: number): number {
  const power = powersOfTen[Math.abs(exponent)]!;
  let near: number;
  let correction: number;
  if (exponent < 0) {
    near = m0 / power;
    const multiple = near * power;
    correction = (m0 - multiple - productError(near, power, multiple) + m1) / power;
  } else {
    near = m0 * power;
    correction = productError(m0, power, near) + m1 * power;
  }
  const error = near * 2 ** -100;
  const result = near + (correction - error);
  return result === near + (correction + error) ? result : Number.NaN;
}

const SPLITTER = 2 ** 27 + 1;

/** a * b - product exactly, where product = fl(a * b) (Dekker 1971). */
function productError(a: number, b: number, product: number): number {
  const aBig = a * SPLITTER;
  const aHigh = aBig - (aBig - a);
  const aLow = a - aHigh;
  const bBig = b * SPLITTER;
  const bHigh = bBig - (bBig - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

const nonFinite: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Infinity],
  ['infinity', Infinity],
]);
const LONGEST_NON_FINITE = '-infinity'.length;

function decodeNonFinite(bytes: Buffer, start: number, end: number, out: Float64Array, at: number): boolean {
  // Must end in a letter: avoids creating a string for the digits of dates.
  if (end - start > LONGEST_NON_FINITE || bytes[end - 1]! <= NINE) return false;
  const isNegative = bytes[start] === MINUS;
  const first = isNegative || bytes[start] === PLUS ? start + 1 : start;
  const value = nonFinite.get(bytes.toString('latin1', first, end).toLowerCase());
  if (value === undefined) return false;
  out[at] = isNegative ? -value : value;
  return true;
}

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
