/** The intercept's name, as results have it beside those of features. */
export const INTERCEPT = '(intercept)';
