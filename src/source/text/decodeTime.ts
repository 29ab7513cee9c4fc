import { COLON, MINUS, PLUS, POINT, SPACE, ZERO } from './ascii.ts';
import type { Decode } from './decode.ts';

/**
 * An ISO 8601 date or time as seconds since 1970: YYYY-MM-DD, then optionally a T or a space, HH:MM, :SS, a fraction,
 * and Z or an offset (+HH, +HHMM, +HH:MM). UTC if no offset is given. A fraction of up to six digits is rounded
 * correctly.
 */
export const decodeTime: Decode = (bytes, start, end, out, at) => {
  if (end - start < 10 || bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return false;
  const year = digits(bytes, start, 4);
  const month = digits(bytes, start + 5, 2);
  const day = digits(bytes, start + 8, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  const midnight = daysSince1970(year, month, day) * 86_400;
  let i = start + 10;
  if (i === end) {
    out[at] = midnight;
    return true;
  }
  if (end - i < 6 || (bytes[i]! !== SPACE && (bytes[i]! | LOWER) !== T) || bytes[i + 3] !== COLON) return false;
  const hour = digits(bytes, i + 1, 2);
  const minute = digits(bytes, i + 4, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return false;
  i += 6;

  let second = 0;
  let fraction = 0;
  let scale = 1;
  if (i < end && bytes[i] === COLON) {
    second = end - i < 3 ? -1 : digits(bytes, i + 1, 2);
    if (second < 0 || second > 59) return false;
    i += 3;
    if (i < end && bytes[i] === POINT) {
      const first = ++i;
      for (; i < end && (bytes[i]! - ZERO) >>> 0 <= 9; i++) {
        fraction = fraction * 10 + bytes[i]! - ZERO;
        scale *= 10;
      }
      if (i === first || i - first > 9) return false;
    }
  }
  const offset = offsetSeconds(bytes, i, end);
  if (Number.isNaN(offset)) return false;
  const seconds = midnight + hour * 3600 + minute * 60 + second - offset;
  out[at] = scale <= 1e6 ? (seconds * scale + fraction) / scale : seconds + fraction / scale;
  return true;
};

const LOWER = 0x20;
const T = 0x74;
const Z = 0x7a;

/** The number formed by `count` digits, or -1 if one is not a digit. */
function digits(bytes: Buffer, start: number, count: number): number {
  let value = 0;
  for (let i = start; i < start + count; i++) {
    const digit = bytes[i]! - ZERO;
    if (digit >>> 0 > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** The end of a time: nothing, Z, or an offset from UTC; NaN for anything else. */
function offsetSeconds(bytes: Buffer, start: number, end: number): number {
  if (start === end) return 0;
  const sign = bytes[start]!;
  if ((sign | LOWER) === Z) return end === start + 1 ? 0 : Number.NaN;
  if (sign !== PLUS && sign !== MINUS) return Number.NaN;
  const length = end - start;
  const hasColon = length === 6 && bytes[start + 3] === COLON;
  if (length !== 3 && length !== 5 && !hasColon) return Number.NaN;
  const hours = digits(bytes, start + 1, 2);
  const minutes = length === 3 ? 0 : digits(bytes, end - 2, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return Number.NaN;
  return (sign === PLUS ? 1 : -1) * (hours * 3600 + minutes * 60);
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);

/** In years that begin in March, leap days come last, and months of 31 and 30 days alternate: (153 m + 2) / 5. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const m = month > 2 ? month - 3 : month + 9;
  const leapDays = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return 365 * y + leapDays + Math.floor((153 * m + 2) / 5) + day - 719_469;
}
