/** What `evaluate` and `fit --holdout` call their measures. */
export const MEASURES = {
  meanLoss: 'mean loss',
  meanDeviance: 'mean deviance',
  r2: 'R2',
  meanAbsolute: 'mean absolute error',
  rootMeanSquare: 'root mean square error',
  medianAbsolute: 'absolute error, median',
  auc: 'AUC',
  accuracy: 'accuracy at 1/2',
  brier: 'Brier score',
} as const;

/** By the name that a model file has for it; one of another version goes by that name. */
export const measureWord = (name: string): string =>
  Object.hasOwn(MEASURES, name) ? MEASURES[name as keyof typeof MEASURES] : name;
