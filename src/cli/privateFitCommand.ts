/** `sluice fit --epsilon`: from files to a private model. What is printed and written was released by the mechanism, or is public. */
import {
  ArgumentError,
  fitPrivate,
  isShuffled,
  type LedgerFile,
  type LedgerRun,
  type Model,
  modelFile,
  namedUncertainty,
  type OpenOptions,
  openLedgerFile,
  type PredictedError,
  type PrivateFit,
  type PrivatePlan,
  perUnit,
  privateUncertainty,
  type ReadOptions,
  type Released,
  recorded,
  type Samples,
  secure,
  seeded,
  type TableSamples,
  unscale,
  version,
} from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { fitSession } from './fitSession.ts';
import { momentsOf } from './momentsOf.ts';
import { requireRereadable } from './openData.ts';
import { levels, optional, positive, wholeNumber } from './parse.ts';
import {
  declaredFeatures,
  ELEMENT,
  type PrivateRequest,
  privateRequest,
  refuseUnprotected,
} from './privateRequest.ts';
import { warn, warningsOf } from './privateWarnings.ts';
import { publish } from './publish.ts';
import { tellOfMore } from './tellOfMore.ts';
import { significant } from './text.ts';
import { traceIterates } from './traceIterates.ts';
import { watchedRun } from './watchedRun.ts';

export async function privateFitCommand(
  paths: readonly string[],
  flags: FitFlags,
  requestOf = privateRequest,
): Promise<void> {
  // A theorem brings flags of its own, which are looked at once it has.
  if (flags.theorem === undefined) refuseUnprotected(flags);
  const streamed = paths.includes('-');
  await fitSession(paths, flags, privateRead(flags), async ({ samples: table, engine, shown }) => {
    requireUnit(table, flags);
    const samples = limited(table, flags);
    const features = table.design.features.slice(0, samples.features);
    const request = requestOf(flags, samples.rows, features, !streamed);
    warn(flags);
    const { plan } = request.plan;
    requireRereadable(streamed, plan.mode);
    const file = openLedger(flags);
    try {
      const run = file?.begin(runOf(flags, request));
      const total = plan.steps.length;
      const order = isShuffled(plan, flags.order) ? 'shuffle' : 'as-is';
      const before = request.plan.moments ? 'second moments' : undefined;
      const watched = watchedRun(shown, order, `step 1/${total}`, before);
      const trace = traceIterates(flags.trace, theta => unscale(theta, request.plan.scaling));
      const found = await fitPrivate(watched.source(samples), request.plan, {
        shuffled: watched.shuffled,
        kernel: engine.integerSummer,
        random: flags.seed === undefined ? secure() : seeded(flags.seed, 'noise'),
        ...(flags.order !== undefined && { order: flags.order }),
        ...(flags.orderSeed !== undefined && { orderSeed: flags.orderSeed }),
        ...(flags.scratch !== undefined && { scratch: flags.scratch }),
        ...(run && { wrap: mechanism => recorded(mechanism, run) }),
        onIterate: iterate => {
          trace.keep(iterate);
          watched.phase(`step ${Math.min(iterate.step + 1, total)}/${total}`);
        },
      });
      run?.finish();
      shown.end();
      tellOfMore(table);
      await publish(modelOf(found, table, request, flags, run, file), paths, flags, trace);
    } finally {
      file?.close();
    }
  });
}

/** Rows whose values cannot be used are zero gradients, whatever is wrong with them: nothing here depends on what rows hold, nor does how a text file is read. */
function privateRead(flags: FitFlags): ReadOptions & OpenOptions {
  const { target, unit } = flags;
  const features = declaredFeatures(flags).map(name => name.replace(ELEMENT, ''));
  const rows = optional('--rows', flags.rows, wholeNumber);
  return {
    target,
    intercept: flags.intercept,
    categorical: levels(flags.categorical ?? []),
    features: [...new Set(features), ...(unit === undefined ? [] : [unit])],
    types: {
      ...Object.fromEntries([...features, target].map(name => [name, 'mixed'])),
      // Two units whose numbers round to the same one would share their rows.
      ...(unit !== undefined && { [unit]: 'exact' }),
    },
    nulls: 'skip',
    malformed: 'nulls',
    ...(rows !== undefined && { rows }),
  };
}

function requireUnit({ design }: TableSamples, { unit }: FitFlags): void {
  if (unit === undefined || design.features.at(-1)!.name === unit) return;
  throw new ArgumentError(`--unit must be a column of single numbers, got ${JSON.stringify(unit)}`);
}

const limited = (table: TableSamples, { maxPerUnit }: FitFlags): Samples =>
  maxPerUnit === undefined ? table : perUnit(table, wholeNumber('--max-per-unit', maxPerUnit));

function openLedger({ ledger, dataset, budget, delta }: FitFlags): LedgerFile | undefined {
  if (ledger === undefined) return undefined;
  const epsilon = optional('--budget', budget, positive);
  return openLedgerFile(ledger, {
    dataset: dataset!,
    ...(epsilon !== undefined && { budget: { epsilon, delta: positive('--delta', delta!) } }),
  });
}

const runOf = ({ target, seed, unit }: FitFlags, { plan: { plan, noise, unitRows } }: PrivateRequest) => ({
  target,
  protects: unit === undefined ? ('row' as const) : { unit, maxPerUnit: unitRows },
  createdWith: `sluice ${version}`,
  guarantee:
    seed === undefined
      ? { epsilon: plan.privacy!.epsilon, delta: plan.privacy!.delta, mu: noise.mu }
      : { notPrivate: 'seeded' },
});

function modelOf(
  { theta, fit, pull, released }: PrivateFit,
  { design, rows }: TableSamples,
  request: PrivateRequest,
  flags: FitFlags,
  run: LedgerRun | undefined,
  file: LedgerFile | undefined,
): Model {
  const { loss, bounds, theorem } = request;
  const { set } = request.request;
  const { plan, noise, clip, unitRows, moments, tail, scaling } = request.plan;
  const { epsilon, delta, calibration, lipschitz } = plan.privacy!;
  const { ledger } = fit;
  const { isPrivate } = ledger;
  const names = design.features.slice(0, scaling.features.length).map(({ name }) => name);
  return modelFile(
    { fit, plan, loss },
    {
      theta,
      names,
      read: rows,
      invalid: null,
      ...choicesOf(request.plan, flags),
      ...notesOf({ fit, pull, released }, request, flags),
      ...uncertaintyOf(request.plan, released, theta, names),
      target: flags.target,
      categorical: levels(flags.categorical ?? []),
      times: design.times ?? [],
      plan: {
        mode: plan.mode,
        steps: plan.steps.length,
        chunks: plan.mode === 'full' ? null : plan.steps.map(step => step.rows),
        tail,
        blocks: plan.steps[0]!.blocks,
        aggregate: plan.steps[0]!.blocks === 1 ? 'mean' : 'median-of-means',
        calibration,
        bounds,
        ...(flags.normBound !== undefined && { normBound: Number(flags.normBound) }),
        lipschitz,
        ...(set && { set: set.kind, radius: set.radius }),
        ...(clip !== null && { clip }),
        ...(scaling.rowLength !== undefined && { rowLength: scaling.rowLength }),
        ...(moments && { moments: momentsOf(moments, plan) }),
        ...(flags.unit !== undefined && { unit: flags.unit, maxPerUnit: unitRows }),
        ...(theorem && { theorem }),
      },
      ledger: {
        private: isPrivate,
        ...(!isPrivate && { note: 'NOT PRIVATE (seeded)' }),
        epsilon: isPrivate ? epsilon : null,
        delta: isPrivate ? delta : null,
        mu: isPrivate ? ledger.mu : null,
        rho: isPrivate ? ledger.rho : null,
        slack: noise.slack,
        unit: flags.unit ?? 'row',
        ...(file && run && { file: { dataset: flags.dataset!, run: run.id, head: file.head } }),
        entries: ledger.entries,
      },
    },
  );
}

/** Why the planner took this kind of plan, where it was left to it: no data had a say in that. */
function choicesOf(
  { predicted, predictedIfNarrow, alternatives, plan, moments }: PrivatePlan,
  { calibration = 'auto', mode }: FitFlags,
): Pick<Model, 'choices'> {
  const [other] = alternatives;
  const weighed =
    plan.loss.kernel?.kind === 'weighed-logistic'
      ? ['loss logistic: rows that are all but certain count for down to a half, which halves the noise']
      : [];
  if (calibration !== 'auto' || mode !== 'auto' || predicted === null || other === undefined)
    return weighed.length === 0 ? {} : { choices: weighed };
  const errors = (even: PredictedError, narrow: PredictedError): string =>
    `${significant(even.total)}, or ${significant(narrow.total)}`;
  return {
    choices: [
      ...weighed,
      `calibration ${plan.privacy!.calibration}${moments ? ', second moments first' : ''}: predicted error ${errors(predicted, predictedIfNarrow!)} where features fill a fifth of their bounds, against ${errors(other.predicted, other.predictedIfNarrow)} of ${other.name}`,
    ],
  };
}

/** What is shorter by so much is not at the edge of a set, where gradients need not average out. */
const INSIDE = 1.01;

function notesOf(
  { fit: { theta }, pull, released }: Pick<PrivateFit, 'fit' | 'pull' | 'released'>,
  { request: { constraint }, plan, theorem }: PrivateRequest,
  flags: FitFlags,
): Pick<Model, 'notes'> {
  const isFree =
    theorem === undefined &&
    (constraint?.(theta.length).contains(theta.map(value => INSIDE * value)) ?? true);
  const notes = [
    ...warningsOf(flags),
    ...(isFree && pull !== null && pull > 1
      ? [
          `the steps ended before the answer: the last gradients are ${significant(pull)} times as long as noise explains, so that ${whyShort(plan, flags)}. ${plan.moments ? 'Intervals allow for what is left' : 'Coefficients are off by more than their intervals say'}; another run, which is charged as much again, may have more --steps and --tail${plan.moments ? '' : ', or tighter bounds'}`,
        ]
      : []),
    ...(hidesAll(plan, released)
      ? [
          'noise hides every slope: the intervals let each feature, from one of its bounds to the other, do anything that targets can do; use more rows, fewer features, tighter bounds or a larger --epsilon',
        ]
      : []),
  ];
  return notes.length === 0 ? {} : { notes };
}

/** Log-odds that are further apart are those of never and always. */
const ALL_ODDS = 10;

/** Whether the interval of every slope, times the width of its feature's bounds, is as wide as targets go. */
function hidesAll(plan: PrivatePlan, released: Released | null): boolean {
  const found = privateUncertainty(plan, released);
  if (found === null) return false;
  const { features, target } = plan.scaling;
  const width = plan.plan.loss.targets.least === -Infinity ? 2 * target.scale : ALL_ODDS;
  return features.every(({ scale }, j) => 2 * scale * found.reach * found.errors[j]! >= width);
}

function whyShort({ moments, plan: { loss } }: PrivatePlan, { steps }: FitFlags): string {
  if (steps !== undefined) return 'more of them were needed';
  if (moments && loss.targets.most === 1)
    return 'classes are rarer, or told apart more sharply, than the plan assumes';
  return moments
    ? 'residuals are larger than the plan assumes'
    : 'features fill less of their bounds than the plan assumes, or are more alike';
}

function uncertaintyOf(
  plan: PrivatePlan,
  released: Released | null,
  theta: Float64Array,
  names: readonly string[],
): Pick<Model, 'uncertainty'> {
  const found = privateUncertainty(plan, released);
  if (found === null) return {};
  const { errors, reach, ifNarrow } = found;
  const end = (sign: 1 | -1) => theta.map((value, j) => value + sign * reach * errors[j]!);
  return {
    uncertainty: namedUncertainty(
      { ...found, lower: end(-1), upper: end(1) },
      names,
      ifNarrow === null
        ? 'from the declared noise and from what was released: how features vary, how the risk curves and how much gradients vary; for independent rows, and wide where noise hides that'
        : `from the declared noise, if rows are independent, features spread evenly over their bounds and are not alike, and residuals are of a usual size; ${significant(ifNarrow)} times as wide if they fill a fifth of them`,
    ),
  };
}
