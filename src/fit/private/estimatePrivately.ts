import { localEngine } from '../../engine/local/localEngine.ts';
import { ArgumentError, requireKnown, requireMembers } from '../../errors.ts';
import type { Iterate } from '../../flow/iterate.ts';
import type { PrivateFit } from '../../inference/fittedRun.ts';
import { secure } from '../../math/random/secure.ts';
import { seeded } from '../../math/random/seeded.ts';
import type { Vector } from '../../math/vector.ts';
import type { Model } from '../../model/model.ts';
import { keptReleases } from '../../privacy/keptReleases.ts';
import {
  type LedgerFile,
  type LedgerRun,
  openLedgerFile,
  type RunPlan,
} from '../../privacy/ledgerFile/openLedgerFile.ts';
import { recorded } from '../../privacy/mechanism.ts';
import type { Samples } from '../../sample/samples.ts';
import { perUnit } from '../../sample/transform/perUnit.ts';
import { unscale } from '../../sample/transform/scaling.ts';
import { traceTable } from '../../sink/table/trace.ts';
import { isStream, type RowSource } from '../../source/memory/rowSource.ts';
import { openRows } from '../../source/read/openRows.ts';
import type { OpenOptions } from '../../source/read/openTable.ts';
import type { TableSamples } from '../../source/read/tableSamples.ts';
import { version } from '../../version.ts';
import { type CallOptions, given, threadsFor, watchedRun } from '../call.ts';
import { type Checkpoint, openCheckpoint, planFacts } from '../checkpoint.ts';
import { constraintOf, moreRows } from '../estimate.ts';
import { requireFresh, type TheoremRun, theoremRecord } from '../estimateByTheorem.ts';
import { isShuffled, type RowOrder } from '../input/withChunks.ts';
import { type Estimate, resultOf } from '../result.ts';
import { fitPrivate, requirePrivateScratch } from './fitPrivate.ts';
import { privateFitModel } from './privateFitModel.ts';
import {
  declaredFeatures,
  type PrivateRequest,
  type PrivateRequestOptions,
  privateRequest,
  privateWarnings,
  withRadius,
} from './privateRequest.ts';
import { theoremRequest } from './theoremRequest.ts';

/** What is declared for a private estimate: bounds, the guarantee, and whatever is not left to be planned. */
export interface PrivateEstimateOptions
  extends CallOptions,
    PrivateRequestOptions,
    Pick<RowOrder, 'order' | 'orderSeed' | 'scratch' | 'memoryBytes'>,
    Pick<OpenOptions, 'stdin'> {
  /** The declared number of rows, for sources that do not know theirs. */
  readonly rows?: number;
  /** Threads that decode and compute; those of the machine unless given. */
  readonly threads?: number;
  /** Draws the noise from a seed, which makes a simulation: the result says that it is not private. */
  readonly seed?: string | number;
  /** Where the run is charged before noise is drawn, so that runs on one data set add up. */
  readonly ledger?: LedgerEntry;
  /**
   * A folder that keeps every release before anything sees it, so that the same call on the same files goes on after its
   * process was killed: no noise is drawn and nothing is charged for what is kept. It needs a `ledger`, which tells
   * whether the folder is an older copy, unless a `seed` makes the run a simulation. It stays when the run is done, and
   * the same call then has the same result at no further cost: delete it once that is safe, or name another folder for
   * another run.
   */
  readonly checkpoint?: string;
  /** A theorem of the paper that prescribes the plan; `sluice/theorems` has them. */
  readonly theorem?: TheoremRun;
  /** Sees every iterate, in the units of the data. */
  readonly onIterate?: (iterate: Iterate) => void;
}

/** A run's place in a ledger file. */
export interface LedgerEntry {
  /** The path of the file, which is made where there is none. */
  readonly file: string;
  /** The declared name of the data, by which runs add up. */
  readonly dataset: string;
  /** The largest epsilon, at this run's delta, that all runs on the data set may spend together. */
  readonly budget?: number;
}

/**
 * Estimates a regression under (epsilon, delta)-differential privacy for replacing one row, or all rows of one `unit`.
 *
 * Guarantee. That of the plan (`plan/private/planPrivate.ts`), unless a `seed` is given. Everything in the result was
 * released by a mechanism or is public. Bounds, levels, features and the number of rows are taken as public: they must
 * not be read off the data.
 *
 * @example
 * const { coefficients, ledger } = await estimatePrivately('people.parquet', {
 *   target: 'income',
 *   bounds: { hours: [0, 80], age: [18, 99], income: [0, 200] },
 *   epsilon: 1,
 *   delta: 1e-6,
 * });
 */
export async function estimatePrivately(
  source: RowSource,
  options: PrivateEstimateOptions,
): Promise<Estimate<PrivateFit>> {
  requireMembers('the options', 'be an object', options, '');
  refuseData(options);
  requireKnown(
    options,
    'acceptLargeDelta aggregate blocks bounds calibration categorical checkpoint clip delta epsilon failureProbability features intercept ledger loss maxPerUnit memoryBytes method mode moments momentum normBound onIterate onProgress order orderSeed penalty rowLength rows schedule scratch seed set signal stdin stepSize steps tail target theorem threads unit',
  );
  const { signal } = options;
  signal?.throwIfAborted();
  const kept = await checkpointOf(source, options);
  try {
    return await estimateKept(source, options, kept);
  } finally {
    kept?.close();
  }
}

async function checkpointOf(source: RowSource, options: PrivateEstimateOptions): Promise<Checkpoint | undefined> {
  const { checkpoint, ledger, seed } = options;
  if (checkpoint === undefined) return undefined;
  if (ledger === undefined && seed === undefined) {
    throw new ArgumentError(
      '`checkpoint` needs `ledger` in a private run: only a ledger can tell that a checkpoint is an older copy, whose releases would be made a second time; give both, or leave it out',
      'ERR_NOT_PRIVATE',
      { argument: 'checkpoint' },
    );
  }
  const { dataset } = ledger ?? {};
  return openCheckpoint(checkpoint, source, { ...options, dataset }, { isPrivate: true });
}

async function estimateKept(
  source: RowSource,
  options: PrivateEstimateOptions,
  kept: Checkpoint | undefined,
): Promise<Estimate<PrivateFit>> {
  const { target, unit, intercept = true, categorical = {}, stdin = process.stdin } = options;
  const table = await openRows(source, {
    target,
    intercept,
    categorical,
    namedByResult: true,
    features: [...new Set([...declaredFeatures(options), ...(unit === undefined ? [] : [unit])])],
    forPrivate: true,
    stdin,
    ...given(options, ['unit', 'rows', 'scratch', 'threads']),
  });
  try {
    requireUnit(table, options);
    return await estimateOpened(table, isStream(source), options, kept);
  } finally {
    await table.close();
  }
}

/** Options of `estimate` that would show what rows hold, for callers without types. */
const SHOWN = {
  weights: 'row weights are data',
  holdout: 'the held-out loss would be shown without noise; keep test rows in another file',
  start: 'it may have been computed from the same rows without noise',
  nulls: 'a null would be told; a private run gives such rows a zero gradient',
} as const;

function refuseData(options: object): void {
  for (const [name, why] of Object.entries(SHOWN))
    if ((options as Record<string, unknown>)[name] !== undefined)
      throw new ArgumentError(`\`${name}\` is not for private runs, because ${why}; leave it out`, 'ERR_NOT_PRIVATE', {
        argument: name,
      });
}

function requireUnit({ design }: TableSamples, { unit }: PrivateEstimateOptions): void {
  if (unit === undefined || design.features.at(-1)!.name === unit) return;
  throw new ArgumentError(
    `\`unit\` must name a column of single numbers, got ${JSON.stringify(unit)}`,
    'ERR_ARGUMENT',
    { argument: 'unit', value: unit },
  );
}

const limited = (rows: Samples, { maxPerUnit }: PrivateEstimateOptions): Samples =>
  maxPerUnit === undefined ? rows : perUnit(rows, maxPerUnit);

async function estimateOpened(
  table: TableSamples,
  streamed: boolean,
  options: PrivateEstimateOptions,
  kept: Checkpoint | undefined,
): Promise<Estimate<PrivateFit>> {
  const { order, orderSeed, scratch, seed, theorem, ledger } = options;
  const samples = limited(table, options);
  const features = table.design.features.slice(0, samples.features);
  const request =
    theorem === undefined
      ? privateRequest(options, samples.rows, features, { canReread: !streamed })
      : theoremRequest(theorem.prescribe(samples.rows, features.length), options, samples.rows, features);
  const { plan } = request.plan;
  if (streamed) requireFresh(plan);
  const storage = given({ order, scratch });
  await requirePrivateScratch(samples, request.plan, storage);
  const engine = localEngine({ threads: threadsFor(samples, options.threads) });
  const file = ledger && openLedger(ledger, options);
  try {
    kept?.requireSame('plan', planFacts(plan));
    const run = file && runIn(file, runOf(options, request), kept);
    const total = plan.steps.length;
    const watched = watchedRun(
      options,
      `step 1/${total}`,
      ...(request.plan.moments ? ['second moments'] : []),
      ...(isShuffled(plan, order) ? ['shuffling'] : []),
    );
    const thetas: Vector[] = [];
    const found = await fitPrivate(limited(watched.source(table), options), request.plan, {
      shuffled: watched.shuffled,
      kernel: engine.integerSummer,
      random: seed === undefined ? secure() : seeded(String(seed), 'noise'),
      ...storage,
      ...given({ orderSeed }),
      ...(run && { wrap: mechanism => recorded(mechanism, run) }),
      ...(kept && { keep: events => keptReleases({ store: kept, events, run: run ?? null }) }),
      onIterate: iterate => {
        const theta = unscale(iterate.theta, request.plan.scaling);
        thetas.push(theta);
        options.onIterate?.({ ...iterate, theta });
        watched.phase(`step ${Math.min(iterate.step + 1, total)}/${total}`);
      },
    });
    const unfinished = failureOf(() => run?.isFinished || run?.finish());
    const model = modelOf(found, table, request, options, run, file);
    return {
      ...resultOf(model),
      covariance: () => null,
      warnings: [...moreRows(table), ...unfinished],
      loss: request.loss,
      plan,
      ledger: found.fit.ledger,
      trace: () => traceTable(model, thetas),
      run: found,
    };
  } finally {
    file?.close();
    await engine.close();
  }
}

/** The noise is paid for: a ledger that cannot take its last line, which costs nothing, must not lose the result. */
function failureOf(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** The run of a checkpoint, where an earlier process has begun it; otherwise another one. */
function runIn(file: LedgerFile, plan: RunPlan, kept: Checkpoint | undefined): LedgerRun {
  const begun = kept?.fact('run');
  if (typeof begun === 'string') return file.resume(begun, plan);
  const run = file.begin(plan);
  kept?.requireSame('run', run.id);
  return run;
}

const openLedger = ({ file, dataset, budget }: LedgerEntry, { delta }: PrivateEstimateOptions): LedgerFile =>
  openLedgerFile(file, {
    dataset,
    ...(budget !== undefined && { budget: { epsilon: budget, delta } }),
  });

const runOf = (
  { target, seed, unit }: PrivateEstimateOptions,
  { plan: { plan, noise, unitRows } }: PrivateRequest,
) => ({
  target,
  protects: unit === undefined ? ('row' as const) : { unit, maxPerUnit: unitRows },
  createdWith: `sluice ${version}`,
  guarantee:
    seed === undefined
      ? { epsilon: plan.privacy!.epsilon, delta: plan.privacy!.delta, mu: noise.mu }
      : { notPrivate: 'seeded' },
});

function modelOf(
  found: PrivateFit,
  { design, rows }: TableSamples,
  { loss, bounds, plan, set }: PrivateRequest,
  options: PrivateEstimateOptions,
  run: LedgerRun | undefined,
  file: LedgerFile | undefined,
): Model {
  const { mode = 'auto', calibration, normBound, unit, steps, target, categorical = {}, theorem } = options;
  const names = design.features.slice(0, plan.scaling.features.length).map(({ name }) => name);
  const asked = withRadius(options);
  return privateFitModel(found, plan, {
    target,
    names,
    categorical,
    times: design.times ?? [],
    loss,
    asked: {
      mode,
      ...given({ calibration, steps }),
      ...(asked && { set: { constraint: constraintOf(asked, found.theta.length) } }),
    },
    read: rows,
    bounds,
    warnings: privateWarnings(options),
    ...given({ set, normBound, unit }),
    ...(theorem && { theorem: theoremRecord(theorem, theorem.prescribe(plan.plan.rows, names.length)) }),
    ...(file && run && { file: { dataset: options.ledger!.dataset, run: run.id, head: file.head } }),
  });
}
