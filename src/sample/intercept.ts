/** The intercept's name in results, next to the names of features. */
export const INTERCEPT = '(intercept)';
