/**
 * Advice for a column of numbers that a double cannot represent exactly: most are ids, which are not useful as
 * features.
 */
const LEAVE_OUT = 'if it is an id, leave it out by naming the others in `features`';

export const LEAVE_OUT_OR_ROUND = `${LEAVE_OUT}; if its last digits do not matter, store it as a double`;

/** For text files, where a number with a decimal point is rounded to the nearest double. */
export const LEAVE_OUT_OR_POINT = `${LEAVE_OUT}; if its last digits do not matter, write it with a decimal point`;
