/** What --theorem, --given and related flags ask for, checked against the catalogue before any data are read. */

import { theoremRequest as privateTheoremRequest, type TheoremRun } from '../../fit/index.ts';
import { ArgumentError } from '../../index.ts';
import type { PrivatePlan } from '../../plan/index.ts';
import { type Argument, isFeasible, type Prescription, type Theorem, theoremNamed } from '../../plan/theorem/index.ts';
import { wordsOf } from '../../words.ts';
import { conditionLines, counted, table } from '../render/text.ts';
import { type FitFlags, flagOf } from './fitFlags.ts';
import { given, number, positive } from './parse.ts';
import { declaredColumns, privateOptions } from './privateOptions.ts';

export interface TheoremRequest {
  readonly theorem: Theorem;
  /** The arguments given by --given or other flags: all but rows and features. */
  readonly given: Readonly<Record<string, Argument>>;
  /** The number of features may be absent where the theorem does not need it. */
  prescribe(rows: number, features?: number): Prescription;
}

/** The one theorem about single rows instead of chunks. */
export const SINGLE_ROWS = 'Util_Priv_SGD';

export function refuseGiven({ given }: FitFlags): void {
  if (given !== undefined)
    throw new ArgumentError(
      '--given holds arguments of a theorem; give --theorem NAME too, or leave it out',
      'ERR_CONFLICT',
      { arguments: ['--given', '--theorem'] },
    );
}

/** Where the arguments come from that --given must not hold. */
const SOURCES: Readonly<Record<string, string>> = {
  rows: 'the data, or --rows',
  features: 'the data, or --width',
  failureProbability: '--failure',
  epsilon: '--epsilon',
  delta: '--delta',
  radius: '--radius',
  mode: '--mode',
};

export function theoremRequest(flags: FitFlags): TheoremRequest {
  const theorem = named(flags.theorem!);
  refuseFixed(flags, theorem);
  const byHand = given('--given', flags.given ?? []);
  for (const name of Object.keys(byHand)) {
    if (Object.hasOwn(SOURCES, name))
      throw new ArgumentError(
        `--given must not hold ${name}, which comes from ${SOURCES[name]}; leave it out there`,
        'ERR_CONFLICT',
        { arguments: ['--given', name] },
      );
  }
  const known = { ...byHand, ...flagged(flags, theorem) };
  requireNames(theorem, Object.keys(known));
  return {
    theorem,
    given: known,
    prescribe: (rows, features) => {
      if (features === undefined && takes(theorem, 'features'))
        throw new ArgumentError(
          `theorem ${theorem.label} needs the number of features; give --width P`,
          'ERR_ARGUMENT',
          { argument: '--width' },
        );
      for (const [name, value] of Object.entries(known)) {
        if (value instanceof Float64Array && features !== undefined && value.length !== features) {
          throw new ArgumentError(
            `--given ${name} must have ${counted(features, 'value')}, one per feature, got ${value.length}`,
            'ERR_ARGUMENT',
            { argument: `--given ${name}`, value: value.length },
          );
        }
      }
      return theorem.prescribe({
        ...known,
        rows,
        ...(features !== undefined && takes(theorem, 'features') && { features }),
      });
    },
  };
}

/** Names the flag; the library's message names its argument. */
function named(text: string): Theorem {
  try {
    return theoremNamed(text);
  } catch (error) {
    if (error instanceof ArgumentError) error.message = `--${error.message}`;
    throw error;
  }
}

const takes = ({ needs, optional }: Theorem, name: string): boolean =>
  Object.hasOwn(needs, name) || Object.hasOwn(optional, name);

/** Flags for what a theorem prescribes, and for weights, which no theorem covers. */
const fixedFlagNames = () =>
  wordsOf('method set step momentum aggregate blocks steps schedule ridge clip tail rowLength moments weights');

function refuseFixed(flags: FitFlags, { label }: Theorem): void {
  for (const key of fixedFlagNames()) {
    const value = flags[key];
    if (value === undefined || value === 'auto' || value === 'none') continue;
    const flag = flagOf(key);
    throw new ArgumentError(
      `theorem ${label} fixes what ${flag} would set; leave ${flag} ${value} out`,
      'ERR_CONFLICT',
      { arguments: ['--theorem', flag] },
    );
  }
}

function flagged({ failure, epsilon, delta, radius, mode }: FitFlags, theorem: Theorem): Record<string, Argument> {
  return {
    ...(takes(theorem, 'failureProbability') && { failureProbability: number('--failure', failure) }),
    ...(epsilon !== undefined && { epsilon: positive('--epsilon', epsilon) }),
    ...(delta !== undefined && { delta: positive('--delta', delta) }),
    ...(radius !== undefined && { radius: positive('--radius', radius) }),
    ...(mode !== 'auto' && { mode }),
  };
}

function requireNames(theorem: Theorem, known: readonly string[]): void {
  const { label, needs, optional } = theorem;
  const missing = Object.keys(needs).filter(name => !known.includes(name) && name !== 'rows' && name !== 'features');
  const unknown = known.filter(name => !takes(theorem, name));
  if (missing.length + unknown.length === 0) return;
  const problems = [
    ...(missing.length > 0 ? [`needs ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`does not take ${unknown.join(', ')}`] : []),
  ];
  const line =
    (suffix: string) =>
    ([name, meaning]: readonly [string, string]): readonly string[] => [
      name,
      SOURCES[name] ?? '--given',
      `${meaning}${suffix}`,
    ];
  const lines = [...Object.entries(needs).map(line('')), ...Object.entries(optional).map(line(' (optional)'))];
  throw new ArgumentError(
    `theorem ${label} ${problems.join(' and ')}; it takes\n${table(lines).trimEnd()}`,
    'ERR_ARGUMENT',
    { argument: '--given', value: problems.join(' and ') },
  );
}

/** The name of the loss to fit: the theorem's, or the one asked for where the theorem covers it. */
export function theoremLoss({ label, loss }: Theorem, asked: string): string {
  const [name] = asked.split(':');
  if (loss === 'squared') {
    if (asked === 'auto' || asked === 'squared') return 'squared';
    throw new ArgumentError(`theorem ${label} is about the squared loss; leave --loss ${asked} out`, 'ERR_CONFLICT', {
      arguments: ['--theorem', '--loss'],
    });
  }
  if (loss === 'glm' && name !== 'logistic' && name !== 'poisson') {
    throw new ArgumentError(
      `theorem ${label} is about generalized linear models; give --loss logistic or poisson, got ${asked}`,
      'ERR_CONFLICT',
      { arguments: ['--theorem', '--loss'] },
    );
  }
  if (asked === 'auto') {
    throw new ArgumentError(
      `theorem ${label} holds for any convex loss with bounded gradients; name one with --loss`,
      'ERR_ARGUMENT',
      { argument: '--loss' },
    );
  }
  return asked;
}

export function requireFeasible(prescription: Prescription): void {
  if (isFeasible(prescription)) return;
  const unmet = prescription.conditions.filter(({ met, kind }) => !met && kind === 'required');
  throw new ArgumentError(
    `theorem ${prescription.theorem} does not hold for these numbers; use more rows, or change arguments that are not known for certain\n${conditionLines(unmet).trimEnd()}`,
    'ERR_CONFLICT',
    { theorem: prescription.theorem, unmet: unmet.map(({ statement }) => statement) },
  );
}

/** Theorems have no intercept; a user who did not give --no-intercept is warned. */
export function noteIntercept({ label }: Theorem, { intercept, quiet }: FitFlags): void {
  if (!intercept || quiet) return;
  process.stderr.write(
    `sluice: theorem ${label} has no intercept, so this fit has none: features and target should have mean 0 (--no-intercept silences this)\n`,
  );
}

/** Vectors become arrays, for JSON. */
export const plainValues = (given: TheoremRequest['given']): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value instanceof Float64Array ? [...value] : value]),
  );

/** The theorem as the library runs it: refused where its conditions are not met. */
export const theoremRun = ({ theorem: { label }, given, prescribe }: TheoremRequest): TheoremRun => ({
  label,
  given: plainValues(given),
  prescribe: (rows, features) => {
    const prescription = prescribe(rows, features);
    requireFeasible(prescription);
    return prescription;
  },
});

/** The flags of the run that a theorem prescribes: it names the loss, has no intercept, and takes the radius as an argument. */
export function theoremFlags({ theorem }: TheoremRequest, { radius: _, ...flags }: FitFlags): FitFlags {
  return { ...flags, loss: theoremLoss(theorem, flags.loss), intercept: false };
}

/** The private plan that `fit` would make. */
export function planByTheorem(asked: TheoremRequest, flags: FitFlags, rows: number): PrivatePlan {
  const options = privateOptions(theoremFlags(asked, flags));
  const features = declaredColumns(flags);
  return privateTheoremRequest(theoremRun(asked).prescribe(rows, features.length), options, rows, features).plan;
}
