import { LF } from './ascii.ts';
import type { Split } from './records.ts';

/** Lines as records of one cell. */
export const splitLines: Split = (records, begin, end, limit, isLast) => {
  const { bytes, starts, ends } = records;
  let at = begin;
  let row = 0;
  for (; row < limit && at < end; row++) {
    const lineEnd = bytes.indexOf(LF, at);
    if (lineEnd === end && !isLast) break;
    starts[row] = at;
    ends[row] = lineEnd;
    at = Math.min(lineEnd + 1, end);
  }
  records.rows = row;
  return at;
};
