/**
 * What to do about a column of numbers that a double cannot hold exactly: most are ids, which nobody wants as features.
 */
const LEAVE_OUT = 'if it is an id, leave it out by naming the others in `features`';

export const LEAVE_OUT_OR_ROUND = `${LEAVE_OUT}; if its last digits do not matter, store it as a double`;

/** In a text, where what has a decimal point is rounded to the nearest double. */
export const LEAVE_OUT_OR_POINT = `${LEAVE_OUT}; if its last digits do not matter, write it with a decimal point`;
