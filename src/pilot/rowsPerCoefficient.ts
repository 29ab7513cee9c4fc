/** What a pilot should have, for the curvature that steps on fresh chunks take from it. */
export const ROWS_PER_COEFFICIENT = 100;
