/** `--holdout SHARE`: rows that no step sees, and how well the model predicts them. */
import { ArgumentError, type Evaluation, type Model } from '../index.ts';
import { number } from './parse.ts';
import { counted } from './text.ts';

/** How many of the rows to keep back. */
export function heldRows(share: string, rows: number): number {
  const asked = number('--holdout', share);
  if (!(asked > 0 && asked < 1)) {
    throw new ArgumentError(`--holdout must be a share between 0 and 1, such as 0.2, got ${share}`);
  }
  const held = Math.round(asked * rows);
  if (held < 1 || held >= rows) {
    throw new ArgumentError(
      `--holdout ${share} keeps back ${held} of ${counted(rows, 'row')}; give another share`,
    );
  }
  return held;
}

/** The measures that a model file keeps of them. */
export const heldMeasures = ({
  rows,
  meanLoss,
  errors,
  classes,
  meanDeviance,
}: Evaluation): NonNullable<Model['holdout']> => ({
  rows,
  meanLoss,
  ...(errors && {
    ...(errors.r2 !== null && { r2: errors.r2 }),
    rootMeanSquare: errors.rootMeanSquare,
    meanAbsolute: errors.meanAbsolute,
    medianAbsolute: errors.absolute.median,
  }),
  ...(classes && {
    accuracy: classes.accuracy,
    ...(classes.auc && { auc: classes.auc.area }),
    brier: classes.brier,
  }),
  ...(meanDeviance !== undefined && { meanDeviance }),
});

/** What the measures say that a number alone does not. */
export function heldNotes(
  { r2 }: Omit<NonNullable<Model['holdout']>, 'rows'>,
  loss: Model['loss']['name'],
): readonly string[] {
  if (!(r2! < 0)) return [];
  const why = FITS_MEANS.includes(loss)
    ? 'the features tell less than chance has made of them, or a few rows far off decide; use fewer features or more rows'
    : `R2 counts rows far off in full, while the ${loss} loss follows the bulk of the rows; --loss squared fits means, and absolute errors tell how near the bulk is`;
  return [`an R2 below 0 on rows that no step saw: means are predicted worse than by a constant, for ${why}`];
}

const FITS_MEANS: readonly string[] = ['squared', 'poisson'];

export function refuseHoldout({ holdout }: { readonly holdout?: string }, kind: string): void {
  if (holdout === undefined) return;
  throw new ArgumentError(
    `--holdout does not go with ${kind}; keep rows in another file, and give them to sluice evaluate`,
  );
}
