import type { Decode } from './decode.ts';
import { decodeBoolean } from './decodeBoolean.ts';
import { decodeNumber } from './decodeNumber.ts';
import { decodeTime } from './decodeTime.ts';

/** A number, true or false, or a time, whatever the other cells of the column contain. */
export const decodeMixed: Decode = (bytes, start, end, out, at) =>
  decodeNumber(bytes, start, end, out, at) ||
  decodeBoolean(bytes, start, end, out, at) ||
  decodeTime(bytes, start, end, out, at);
