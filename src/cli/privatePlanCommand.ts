/** `sluice plan --epsilon`: what a private fit would do, and how well it should do, from what is declared. */
import {
  ArgumentError,
  type DesignColumn,
  integerRelease,
  type Loss,
  type MomentPlan,
  type PredictedError,
  type PrivatePlan,
  type PrivatePrediction,
} from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { levels, optional, wholeNumber } from './parse.ts';
import { declaredFeatures, privateRequest } from './privateRequest.ts';
import { warn } from './privateWarnings.ts';
import { counted, significant } from './text.ts';

export function privatePlanCommand(flags: FitFlags): void {
  if (flags.rows === undefined) throw new ArgumentError('plan reads no data; give --rows N');
  const rows = wholeNumber('--rows', flags.rows);
  const features = featuresOf(flags);
  const planFor = (change: Partial<FitFlags>, n = rows): PrivatePlan =>
    privateRequest({ ...flags, ...change }, n, features).plan;
  const chosen = planFor({});
  const prospects = prospectsOf(chosen, planFor, flags, rows);
  warn(flags);
  if (flags.json) {
    const { plan, noise, moments, tail, predicted, predictedIfNarrow, alternatives, scaling } = chosen;
    const { privacy, mode, steps, leftOver } = plan;
    const { rowLength } = scaling;
    process.stdout.write(
      `${JSON.stringify({ ...seedNote(flags), rows, features: features.length, mode, rule: plan.rule.name, rowLength, ...(moments && { moments: momentsOf(moments, plan) }), tail, privacy, noise, steps, leftOver, predicted, predictedIfNarrow, alternatives, prospects })}\n`,
    );
    return;
  }
  const { note } = seedNote(flags);
  const lines = [
    ...(note === undefined ? [] : [`${note}: a simulation of this plan`]),
    ...describe(chosen),
    ...chosen.alternatives.map(
      ({ name, predicted, predictedIfNarrow }) =>
        `  instead: ${name}: ${significant(predicted.total)}, and ${significant(predictedIfNarrow.total)} if they fill a fifth`,
    ),
    ...(isOutbid(chosen)
      ? [
          '  chosen all the same: rows seldom fill their bounds as the prediction has it, and intervals need what this plan releases of them',
        ]
      : []),
    ...prospects.map(({ name, predicted }) => `  with ${name}: ${significant(predicted.total)}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Whether another plan promises less, of even rows and of narrow ones, than one that looks at the rows first. */
const isOutbid = ({ moments, predicted, predictedIfNarrow, alternatives }: PrivatePlan): boolean =>
  moments !== null &&
  alternatives.some(
    other =>
      other.predicted.total < predicted!.total && other.predictedIfNarrow.total < predictedIfNarrow!.total,
  );

const seedNote = ({ seed }: FitFlags): { readonly note?: string } =>
  seed === undefined ? {} : { note: 'NOT PRIVATE (seeded)' };

/** By name where they are named or have bounds; otherwise so many that a norm bounds. */
export function featuresOf(flags: FitFlags): readonly Pick<DesignColumn, 'name' | 'level' | 'field'>[] {
  const width = optional('--width', flags.width, wholeNumber);
  if (width !== undefined && flags.features === undefined && flags.normBound !== undefined)
    return Array.from({ length: width }, (_, field) => ({ name: `x${field + 1}`, field }));
  if (flags.normBound !== undefined && flags.features === undefined && flags.bounds === undefined)
    throw new ArgumentError('plan reads no data; give --width P, the number of features, or --features');
  const declared = new Map(Object.entries(levels(flags.categorical ?? [])));
  const found = declaredFeatures(flags).flatMap(
    (name, field) =>
      declared.get(name)?.map((text, level) => ({ name: `${name}=${text}`, level, field })) ?? [
        { name, field },
      ],
  );
  if (width === undefined || width === found.length) return found;
  throw new ArgumentError(
    `--width must be ${found.length}, as many features as are named or bounded, got ${width}`,
  );
}

export function describe({
  plan,
  noise,
  clip,
  predicted,
  predictedIfNarrow,
  unitRows,
  moments,
  tail,
  scaling,
}: PrivatePlan): readonly string[] {
  const { rows, features, intercept, privacy, mode, steps, leftOver, rule, loss } = plan;
  const { calibration, epsilon, delta, lipschitz } = privacy!;
  const average = tail === 1 ? '' : `; the average of the last ${tail} iterates`;
  const sizes = [...new Set(steps.map(step => step.rows))];
  const { blocks, release } = steps.at(-1)!;
  const longest = moments?.whitenedLength ?? scaling.rowLength;
  return [
    `${counted(rows, 'row')}, ${counted(features, 'feature')}${intercept ? ' and an intercept' : ''}, scaled to [-1, 1] by their declared bounds`,
    `loss     ${titled(loss)}, of targets in units of ${significant(scaling.target.scale)}${isOfClasses(plan.loss.targets, scaling) ? '; where they are classes, 0 or 1, use --loss logistic' : ''}`,
    `privacy  (${epsilon}, ${delta}), mu ${significant(noise.mu)}, for replacing ${unitRows === 1 ? 'one row' : `up to ${unitRows} rows of one unit`}; calibration ${calibration}`,
    `gradient norm of a row at most ${significant(lipschitz)}${clip === null ? ', by loss and bounds' : ', by clipping'}${longest === undefined ? '' : `; rows longer than ${significant(longest)} count less`}`,
    ...(moments === null
      ? []
      : [
          `moments  second moments of all rows are released first, with noise of ${significant(momentsOf(moments, plan).sigma)}, for what a step costs; the steps are in their coordinates, in which features are alike, and a last look at how the risk curves costs as much again`,
        ]),
    mode === 'full'
      ? `steps    ${steps.length} (${rule.name}), each over ${rows === 1 ? 'the one row' : `all ${rows} rows`}${average}`
      : `steps    ${steps.length} (${rule.name}) on fresh chunks of ${sizes.length > 6 ? `${sizes[0]} to ${sizes.at(-1)}` : sizes.join(', ')} rows, ${leftOver} left over${average}`,
    `noise    standard deviation ${significant(release!.sigma)} on each coordinate of ${blocks === 1 ? "the last step's mean gradient" : `each of the last step's ${blocks} block means`}`,
    ...(predicted === null
      ? []
      : [
          `predicted error ${shown(predicted)}`,
          `  if they fill a fifth of their bounds, or are as much alike: ${significant(predictedIfNarrow!.total)}`,
        ]),
  ];
}

const titled = ({ kernel, name }: Loss): string =>
  kernel?.kind === 'weighed-logistic'
    ? 'logistic, rows that are all but certain counting for down to a half'
    : name.replaceAll(NUMBER, text => significant(Number(text)));

/** A loss is named with all digits of its parameters, which rounding may have made many. */
const NUMBER = /\d+(\.\d+)?(e[+-]\d+)?/g;

/** What a release of second moments is like. */
export function momentsOf(
  { noise, norm, whitenedLength }: MomentPlan,
  { rows }: PrivatePlan['plan'],
): { readonly sigma: number; readonly norm: number; readonly rowLength: number } {
  const { sigma } = integerRelease(noise, { chunk: 'all', rowsPerBlock: rows });
  return { sigma, norm, rowLength: whitenedLength };
}

/** Whether a linear loss is given targets whose bounds are 0 and 1. */
const isOfClasses = (
  { least }: { readonly least: number },
  { targetBounds }: PrivatePlan['scaling'],
): boolean => least === -Infinity && targetBounds.least === 0 && targetBounds.most === 1;

const shown = ({ total, noise, privacy, distance }: PrivatePrediction): string =>
  `${significant(total)} in scaled coefficients (noise ${significant(privacy)}, sampling ${significant(Math.sqrt(Math.max(0, noise ** 2 - privacy ** 2)))}, steps not taken ${significant(distance)}), if features spread evenly over their bounds and are not alike, and residuals or chances are of a usual size`;

interface Prospect {
  readonly name: string;
  readonly predicted: PredictedError;
}

/** What more rows or a larger epsilon would buy. */
function prospectsOf(
  { predicted, plan, moments, tail }: PrivatePlan,
  planFor: (change: Partial<FitFlags>, rows?: number) => PrivatePlan,
  { epsilon }: FitFlags,
  rows: number,
): readonly Prospect[] {
  if (predicted === null) return [];
  const predictionsFor = (change: Partial<FitFlags>, n: number): readonly PredictedError[] => {
    try {
      return [planFor(change, n).predicted!];
    } catch (error) {
      // Twice the epsilon may ask for another calibration.
      if (error instanceof ArgumentError) return [];
      throw error;
    }
  };
  const { mode, steps } = plan;
  const prospect = (name: string, change: Partial<FitFlags>, n: number): readonly Prospect[] => {
    // A plan for less noise spends some of it on features that fill less of their bounds; the one at hand would do as well.
    const same: Partial<FitFlags> = {
      ...change,
      mode,
      moments: moments === null ? 'no' : 'yes',
      steps: String(steps.length),
      tail: String(tail),
    };
    const [first, ...others] = [change, same].flatMap(flags => predictionsFor(flags, n));
    if (first === undefined) return [];
    return [{ name, predicted: others.reduce((a, b) => (b.total < a.total ? b : a), first) }];
  };
  return [
    // Delta stays as it is, though of twice the rows it should be half.
    ...prospect('twice the rows', { acceptLargeDelta: true }, 2 * rows),
    ...prospect('twice the epsilon', { epsilon: String(2 * Number(epsilon)) }, rows),
  ];
}
