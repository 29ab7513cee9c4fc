/** `--holdout SHARE`: rows kept out of the fit, and how well the model predicts them. */
import { ArgumentError, type Evaluation, type Model } from '../../index.ts';
import { counted } from '../render/text.ts';
import { number } from './parse.ts';

/** The number of rows to hold out. */
export function heldRows(share: string, rows: number): number {
  const asked = number('--holdout', share);
  if (!(asked > 0 && asked < 1)) {
    throw new ArgumentError(`--holdout must be a share between 0 and 1, such as 0.2, got ${share}`);
  }
  const held = Math.round(asked * rows);
  if (held < 1 || held >= rows) {
    throw new ArgumentError(
      `--holdout ${share} holds out ${held} of ${counted(rows, 'row')}; give another share`,
    );
  }
  return held;
}

/** The measures on held-out rows that a model file stores. */
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

/** Notes on what the measures imply. */
export function heldNotes(
  { r2 }: Omit<NonNullable<Model['holdout']>, 'rows'>,
  loss: Model['loss']['name'],
): readonly string[] {
  if (!(r2! < 0)) return [];
  const why = FITS_MEANS.includes(loss)
    ? 'either it overfits, or a few outlying rows dominate; use fewer features or more rows'
    : `R2 gives outlying rows full weight, while the ${loss} loss follows the bulk of the rows; --loss squared fits means, and the absolute errors measure how well the bulk is predicted`;
  return [
    `R2 is below 0 on the held-out rows, so the model predicts means worse than a constant would: ${why}`,
  ];
}

const FITS_MEANS: readonly string[] = ['squared', 'poisson'];

export function refuseHoldout({ holdout }: { readonly holdout?: string }, kind: string): void {
  if (holdout === undefined) return;
  throw new ArgumentError(
    `--holdout does not go with ${kind}; keep test rows in another file, and give them to sluice evaluate`,
  );
}
