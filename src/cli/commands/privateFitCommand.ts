/**
 * `sluice fit --epsilon`: from files to a private model. Everything printed or written was released by the mechanism or
 * is public.
 */
import {
  ArgumentError,
  fitPrivate,
  isShuffled,
  type LedgerFile,
  type LedgerRun,
  type Model,
  type OpenOptions,
  openLedgerFile,
  type PrivateFit,
  perUnit,
  privateFitModel,
  type ReadOptions,
  recorded,
  requirePrivateScratch,
  type Samples,
  secure,
  seeded,
  type TableSamples,
  unscale,
  version,
} from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { levels, optional, positive, wholeNumber } from '../flags/parse.ts';
import { declaredFeatures, type PrivateRequest, privateRequest } from '../flags/privateRequest.ts';
import { warn, warningsOf } from '../flags/privateWarnings.ts';
import { refuseUnprotected } from '../flags/refuseUnprotected.ts';
import { fitSession } from './fitSession.ts';
import { requireRereadable } from './openData.ts';
import { publish } from './publish.ts';
import { tellOfMore } from './tellOfMore.ts';
import { traceIterates } from './traceIterates.ts';
import { watchedRun } from './watchedRun.ts';

export async function privateFitCommand(
  paths: readonly string[],
  flags: FitFlags,
  requestOf = privateRequest,
): Promise<void> {
  // A theorem sets flags itself; they are checked after it has.
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
    const order = {
      ...(flags.order !== undefined && { order: flags.order }),
      ...(flags.scratch !== undefined && { scratch: flags.scratch }),
    };
    await requirePrivateScratch(samples, request.plan, order);
    const file = openLedger(flags);
    try {
      const run = file?.begin(runOf(flags, request));
      const total = plan.steps.length;
      const before = request.plan.moments ? 'second moments' : undefined;
      const watched = watchedRun(
        shown,
        isShuffled(plan, flags.order) ? 'shuffle' : 'as-is',
        `step 1/${total}`,
        before,
      );
      const trace = traceIterates(flags.trace, theta => unscale(theta, request.plan.scaling));
      const found = await fitPrivate(limited(watched.source(table), flags), request.plan, {
        shuffled: watched.shuffled,
        kernel: engine.integerSummer,
        random: flags.seed === undefined ? secure() : seeded(flags.seed, 'noise'),
        ...order,
        ...(flags.orderSeed !== undefined && { orderSeed: flags.orderSeed }),
        ...(run && { wrap: mechanism => recorded(mechanism, run) }),
        onIterate: iterate => {
          trace.keep(iterate);
          watched.phase(`step ${Math.min(iterate.step + 1, total)}/${total}`);
        },
      });
      // The noise is paid for: a ledger that cannot take its last line does not lose the model.
      const failure = failureOf(() => run?.finish());
      shown.end();
      tellOfMore(table);
      await publish(modelOf(found, table, request, flags, run, file), paths, flags, trace);
      if (failure !== null) throw failure;
    } finally {
      file?.close();
    }
  });
}

function failureOf(act: () => void): unknown {
  try {
    act();
    return null;
  } catch (error) {
    return error;
  }
}

/**
 * A row with unusable values becomes a zero gradient, whatever is wrong with it: nothing here depends on the contents
 * of rows, and neither does the way a text file is parsed.
 */
function privateRead(flags: FitFlags): ReadOptions & OpenOptions {
  const { target, unit } = flags;
  const features = declaredFeatures(flags);
  const rows = optional('--rows', flags.rows, wholeNumber);
  return {
    target,
    intercept: flags.intercept,
    categorical: levels(flags.categorical ?? []),
    namedByResult: true,
    features: [...new Set(features), ...(unit === undefined ? [] : [unit])],
    forPrivate: true,
    ...(rows !== undefined && { rows }),
  };
}

function requireUnit({ design }: TableSamples, { unit }: FitFlags): void {
  if (unit === undefined || design.features.at(-1)!.name === unit) return;
  throw new ArgumentError(`--unit must name a column of single numbers, got ${JSON.stringify(unit)}`);
}

const limited = (rows: Samples, { maxPerUnit }: FitFlags): Samples =>
  maxPerUnit === undefined ? rows : perUnit(rows, wholeNumber('--max-per-unit', maxPerUnit));

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
  found: PrivateFit,
  { design, rows }: TableSamples,
  { loss, bounds, theorem, request, plan }: PrivateRequest,
  flags: FitFlags,
  run: LedgerRun | undefined,
  file: LedgerFile | undefined,
): Model {
  const { calibration, mode, normBound, unit } = flags;
  const steps = optional('--steps', flags.steps, wholeNumber);
  const constraint = request.constraint?.(found.theta.length);
  return privateFitModel(found, plan, {
    target: flags.target,
    names: design.features.slice(0, plan.scaling.features.length).map(({ name }) => name),
    categorical: levels(flags.categorical ?? []),
    times: design.times ?? [],
    loss,
    asked: {
      mode,
      ...(calibration !== undefined && { calibration }),
      ...(steps !== undefined && { steps }),
      ...(constraint && { set: { constraint } }),
    },
    read: rows,
    bounds,
    warnings: warningsOf(flags),
    ...(request.set && { set: request.set }),
    ...(normBound !== undefined && { normBound: Number(normBound) }),
    ...(unit !== undefined && { unit }),
    ...(theorem && { theorem }),
    ...(file && run && { file: { dataset: flags.dataset!, run: run.id, head: file.head } }),
  });
}
