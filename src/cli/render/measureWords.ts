/** The labels of the measures that `evaluate` and `fit --holdout` print. */
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

/** Looked up by its name in a model file; a measure of another version is shown under that name. */
export const measureWord = (name: string): string =>
  Object.hasOwn(MEASURES, name) ? MEASURES[name as keyof typeof MEASURES] : name;
