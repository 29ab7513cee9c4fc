import type { FitQuality } from '../../fit/index.ts';
import type { Model } from '../../index.ts';
import { claimText, setText } from '../../sink/index.ts';
import { fitTable } from './fitTable.ts';
import { conditionLines, counted, significant, visible, wrapped } from './text.ts';

export interface ShownFit {
  /** What the run knows and a model file does not: how well the estimate fits, and the degrees of freedom of its errors. */
  readonly quality?: FitQuality | null;
  readonly degrees?: ArrayLike<number> | undefined;
  /** Why the model has no standard errors. */
  readonly noIntervals?: string | null;
  /** Shows all notes and choices, not only the most important notes. */
  readonly verbose?: boolean;
  /** Of the terminal; unlimited unless given, so that files and pipes get whole lines. */
  readonly width?: number;
}

/** A fitted model as text for a person to read. */
export function renderFit(
  model: Model,
  { quality = null, degrees, noIntervals = null, verbose = false, width = Infinity }: ShownFit = {},
): string {
  const told = [
    ...uncertaintyLines(model, noIntervals),
    ...account(model),
    ...qualityLines(model, quality),
    ...theoremLines(model),
    ...noteLines(model, verbose),
  ];
  return [
    wrapped(visible(problemLine(model)), width),
    '',
    fitTable(model, { degrees, width }),
    ...told.map(line => (line.startsWith(' ') ? line : wrapped(line, width))),
    '',
  ].join('\n');
}

/** Everything that determines which problem was solved. */
function problemLine(model: Model): string {
  const { loss, target, features, intercept, plan } = model;
  const parameter = loss.parameter === undefined ? '' : `(${significant(loss.parameter)})`;
  const set = setText(model);
  return [
    `${target} on ${counted(features.length, 'feature')}`,
    model.blend === undefined
      ? `${loss.name}${parameter} loss`
      : `mean of Huber's fit (${loss.name}${parameter}) and a bisquare fit (${significant(model.blend.parameter)}) of weight ${significant(model.blend.weight)}`,
    ...(loss.ridge === undefined ? [] : [`ridge ${significant(loss.ridge)}`]),
    ...(intercept === null ? ['no intercept'] : []),
    ...(set === undefined ? [] : [set]),
    ...(plan.weights === undefined ? [] : [`weighted by ${plan.weights}`]),
  ].join(', ');
}

function uncertaintyLines({ uncertainty }: Model, why: string | null): readonly string[] {
  if (uncertainty === undefined) return why === null ? [] : [`no standard errors: ${why}`];
  const { level, radii, basis } = uncertainty;
  const all = Object.values(radii);
  const [least, most] = [Math.min(...all), Math.max(...all)].map(significant) as [string, string];
  return [
    `intervals at ${significant(100 * level)} % each, ${basis}; ${least === most ? least : `${least} to ${most}`} standard errors cover all jointly`,
  ];
}

function account({ rows, steps, plan, ledger }: Model): readonly string[] {
  const run = `${rows.used} of ${counted(rows.read, 'row')} in ${counted(steps.length, 'step')} (${plan.mode}, ${plan.rule})`;
  if (ledger.unit === undefined) {
    const pilotRows = Number(plan.pilotRows);
    const held = Number(plan.heldOut ?? 0);
    const invalid = rows.invalid ? `; ${usableText(rows)}` : '';
    return [
      `${run}, ${pilotRows} in the pilot${held > 0 ? `, ${held} held out` : ''}, ${rows.leftOver} left over${invalid}; not private`,
    ];
  }
  const noised = `${run}, ${rows.leftOver} left over, ${plan.calibration} noise for gradients of norm ${significant(Number(plan.lipschitz))}`;
  if (!ledger.private) return [noised, `${ledger.note}: anyone who knows the seed can remove the noise`];
  const whom = ledger.unit === 'row' ? 'one row' : `all rows of one ${visible(ledger.unit)}`;
  return [
    noised,
    `(${ledger.epsilon}, ${ledger.delta})-differentially private for replacing ${whom}; mu ${significant(ledger.mu!)}, rho ${significant(ledger.rho!)}`,
  ];
}

/** Unusable rows keep their places in pilot, steps and remainder, but contribute nothing. */
const usableText = ({ read, invalid }: Model['rows']): string =>
  `${counted(invalid!, 'row')} ${invalid === 1 ? 'is' : 'are'} invalid and ${invalid === 1 ? 'contributes' : 'contribute'} nothing, so that ${read - invalid!} of ${read} rows are usable`;

/** On held-out rows where there are any: what the fit has seen flatters it. */
function qualityLines({ holdout }: Model, quality: FitQuality | null): readonly string[] {
  const { rows, ...measures } = holdout ?? quality ?? { rows: 0 };
  const words = Object.entries(measures).map(([name, value]) => `${measureWord(name)} ${significant(value)}`);
  if (words.length === 0) return [];
  return [`on ${counted(rows, 'row')} ${holdout ? 'held out' : 'of the pilot'}: ${words.join('; ')}`];
}

function theoremLines({ plan: { theorem } }: Model): readonly string[] {
  if (theorem === undefined) return [];
  const { label, claim, conditions } = theorem;
  return [
    `theorem ${label}, which claims ${claimText(claim)}; its conditions for these numbers:`,
    conditionLines(conditions).trimEnd(),
  ];
}

/** The number of notes shown without --verbose. */
const MOST_NOTES = 5;

/** Severe notes first, which say that the numbers cannot be relied on; then in the model's order. */
function noteLines({ notes = [], severeNotes = [], choices = [] }: Model, verbose: boolean): readonly string[] {
  const ordered = [
    ...severeNotes.map(place => notes[place]!),
    ...notes.filter((_, place) => !severeNotes.includes(place)),
  ];
  const shown = verbose ? ordered : ordered.slice(0, MOST_NOTES);
  const more = [
    ...(ordered.length > shown.length ? [counted(ordered.length - shown.length, 'more note')] : []),
    ...(verbose || choices.length === 0 ? [] : [`${counted(choices.length, 'choice')} of the run`]),
  ];
  return [
    ...(verbose ? choices.map(text => `chosen: ${visible(text)}`) : []),
    ...(severeNotes.length > 0 ? ['do not take these numbers as they stand:'] : []),
    ...shown.map(text => `note: ${visible(text)}`),
    ...(more.length > 0 ? [`… and ${more.join(' and ')}: --verbose shows all`] : []),
  ];
}

/** The labels of the measures that `evaluate` and `fit` print. */
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
  residualError: 'residual standard error',
  residualScale: 'residual scale',
  robustR2: 'robust R2',
  devianceExplained: 'deviance explained',
} as const;

/** Looked up by its name in a model file; a measure of another version is shown under that name. */
export const measureWord = (name: string): string =>
  Object.hasOwn(MEASURES, name) ? MEASURES[name as keyof typeof MEASURES] : name;
