/** What to do about a column of numbers that a double cannot hold exactly: most are ids, which nobody wants as features. */
export const LEAVE_OUT_OR_ROUND =
  'if it is an id, leave it out by naming the others in --features; if its last digits do not matter, store it as a double';
