import { claimText, INTERCEPT, type Model, setText } from '../../index.ts';
import { conditionLines, counted, significant, table, visible } from './text.ts';

/** A fitted model as text for a person to read. */
export function renderFit(model: Model): string {
  return [
    visible(problemLine(model)),
    '',
    coefficientLines(model),
    ...uncertaintyLines(model),
    ...account(model),
    ...holdoutLines(model),
    ...theoremLines(model),
    ...listed('chosen', model.choices),
    ...listed('note', model.notes),
    '',
  ].join('\n');
}

/** Everything that determines which problem was solved. */
function problemLine(model: Model): string {
  const { loss, target, coefficients, intercept, plan } = model;
  const parameter = loss.parameter === undefined ? '' : `(${significant(loss.parameter)})`;
  const set = setText(model);
  return [
    `${target} on ${counted(Object.keys(coefficients).length, 'feature')}`,
    `${loss.name}${parameter} loss`,
    ...(loss.ridge === undefined ? [] : [`ridge ${significant(loss.ridge)}`]),
    ...(intercept === null ? ['no intercept'] : []),
    ...(set === undefined ? [] : [set]),
    ...(plan.weights === undefined ? [] : [`weighted by ${plan.weights}`]),
  ].join(', ');
}

function coefficientLines({ coefficients, intercept, uncertainty }: Model): string {
  const entries = Object.entries(coefficients);
  if (intercept !== null) entries.push([INTERCEPT, intercept]);
  return table(
    entries.map(([name, value]) => {
      const { intervals = {} } = uncertainty ?? {};
      // Own properties only: a feature may be called toString.
      const [low, high] = (Object.hasOwn(intervals, name) && intervals[name]) || [];
      if (low !== undefined && high !== undefined)
        return [name, aligned(value), `${aligned(low)} .. ${significant(high)}`];
      return [name, aligned(value), ...(uncertainty === undefined ? [] : [' left out'])];
    }),
  );
}

/** A space in place of the sign that positive numbers lack. */
const aligned = (value: number): string => `${value < 0 ? '' : ' '}${significant(value)}`;

function uncertaintyLines({ uncertainty }: Model): readonly string[] {
  if (uncertainty === undefined) return [];
  const { level, radius, basis } = uncertainty;
  return [
    `intervals at ${significant(100 * level)} % each, ${basis}; ${significant(radius)} standard errors cover all jointly`,
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

function holdoutLines({ holdout }: Model): readonly string[] {
  if (holdout === undefined) return [];
  const { rows, ...measures } = holdout;
  const words = Object.entries(measures).map(([name, value]) => `${measureWord(name)} ${significant(value)}`);
  return [`on ${counted(rows, 'row')} held out: ${words.join('; ')}`];
}

function theoremLines({ plan: { theorem } }: Model): readonly string[] {
  if (theorem === undefined) return [];
  const { label, claim, conditions } = theorem;
  return [
    `theorem ${label}, which claims ${claimText(claim)}; its conditions for these numbers:`,
    conditionLines(conditions).trimEnd(),
  ];
}

const listed = (kind: string, texts: readonly string[] = []): readonly string[] =>
  texts.map(text => `${kind}: ${visible(text)}`);

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
