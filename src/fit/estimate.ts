import { localEngine } from '../engine/local/localEngine.ts';
import { ArgumentError, refuse, requireInteger, requireKnown } from '../errors.ts';
import type { FittedRun } from '../inference/fittedRun.ts';
import type { Vector } from '../math/vector.ts';
import { box } from '../method/constraint/box.ts';
import type { Constraint } from '../method/constraint/constraint.ts';
import { l1Ball } from '../method/constraint/l1Ball.ts';
import { l2Ball } from '../method/constraint/l2Ball.ts';
import { acceptedTargets, LOSS_NAMES, lossByName, type NamedLoss } from '../method/loss/lossByName.ts';
import { type GivenLoss, namedLossOf } from '../method/loss/namedLossOf.ts';
import { type Evaluation, evaluateRows } from '../model/evaluation.ts';
import type { Model } from '../model/model.ts';
import type { Layout } from '../plan/layout.ts';
import { INTERCEPT } from '../sample/samples.ts';
import { traceTable } from '../sink/table/trace.ts';
import { passesOnce, type RowSource } from '../source/memory/rowSource.ts';
import { type OpenRowsOptions, openRows } from '../source/read/openRows.ts';
import type { OpenOptions } from '../source/read/openTable.ts';
import type { ReadOptions, TableSamples } from '../source/read/tableSamples.ts';
import { counted, wordsOf } from '../words.ts';
import { type CallOptions, given, threadsFor, watchedQueries, watchedRun } from './call.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { type EstimatedRows, estimateModel } from './estimateModel.ts';
import { type FitRowsOptions, fitRows, layoutFor, readsOnce } from './fitRows.ts';
import { OddTargets } from './oddTargets.ts';
import { openHashed } from './remote/openHashed.ts';
import { openRemote, type RemoteOptions, type RemoteSamples } from './remote/openRemote.ts';
import { remoteInput } from './remote/remoteInput.ts';
import { refuseForRemote, remoteRows } from './remote/remoteSource.ts';
import { requireBlocks, requireUsedBlocks } from './requireSettings.ts';
import { type Estimate, resultOf } from './result.ts';
import { BLENDED_STEPS, isBlendable } from './ruleOf.ts';
import { withPlace } from './unusableRows.ts';

/** Which columns an estimate uses, how rows are read, and everything that is not left to be chosen. */
export interface EstimateOptions
  extends CallOptions,
    Pick<ReadOptions, 'features' | 'categorical' | 'weights' | 'nulls' | 'rows'>,
    Pick<OpenOptions, 'types' | 'stdin'>,
    Pick<OpenRowsOptions, 'scratchBytes'>,
    Pick<FitRowsOptions, Exclude<ReturnType<typeof runOptionNames>[number], 'loss'> | 'constraint' | 'onIterate'> {
  /** The column to be explained. */
  readonly target: string;
  /** `auto` unless given: logistic where targets are all 0 or 1, otherwise a robust loss tuned to the residuals. */
  readonly loss?: GivenLoss | 'auto';
  /** A ball or a box of that radius which the slopes must stay in; for another set, give `constraint`. */
  readonly set?: CoefficientSet;
  /** Where the steps begin: coefficients with the intercept last, or a model of the same features. */
  readonly start?: Vector | Pick<Model, 'features' | 'coefficients' | 'intercept'>;
  /** The share of the rows that no step sees, on which the model is then evaluated. */
  readonly holdout?: number;
  /** Threads that decode and compute; those of the machine unless given. The bits of the result do not depend on it. */
  readonly threads?: number;
  /**
   * A column of different whole numbers by which rows are assigned to chunks and blocks, as engines elsewhere assign
   * them; by a shuffle of their positions unless given. For rows of an engine it is named with them.
   */
  readonly id?: string;
  /**
   * A folder that keeps what the steps have found, so that the same call on the same files goes on after its process was
   * killed, to the same bits. It is emptied when the estimate is done; that of another run is refused.
   */
  readonly checkpoint?: string;
}

/** A set that coefficients are held to. */
export type CoefficientSet = NonNullable<EstimatedRows['set']>;

/**
 * Estimates a regression from any source of rows, robustly unless told otherwise: the loss, the scale of the features,
 * step sizes, the number of steps and of blocks are chosen by a pilot, and the result says how sure it is.
 *
 * @example
 * const { coefficients, model } = await estimate({ x: [1, 2, 3, 4], y: [2.1, 3.9, 6.2, 7.8] }, { target: 'y' });
 */
export async function estimate(source: RowSource, options: EstimateOptions): Promise<Estimate<FittedRun>> {
  requireKnown(
    options,
    'aggregate blocks categorical checkpoint constraint failureProbability features holdout id intercept loss memoryBytes method mode momentum nulls onIterate onProgress order orderSeed penalty rows schedule scratch scratchBytes set signal start stdin stepSize steps target threads types weights',
  );
  const { loss: asked = 'auto', signal } = options;
  signal?.throwIfAborted();
  const loss = asked === 'auto' ? asked : namedLossOf(asked);
  if (remoteRows(source) !== undefined || options.id !== undefined)
    refuseForRemote(options, remoteRows(source) !== undefined);
  return withCheckpoint(source, options, async kept => {
    const estimateBy = async (by: NamedLoss | 'auto'): Promise<Estimate<FittedRun>> => {
      const samples = await openForEstimate(source, options, by);
      const engine = localEngine({ threads: threadsFor(samples, options.threads) });
      try {
        return await estimateOpened(samples, passesOnce(source, options), { ...options, loss: by }, engine, kept);
      } finally {
        await Promise.all([samples.close(), engine.close()]);
      }
    };
    return estimateBy(loss).catch(error => {
      // Read as classes, the rows are skipped, or named with their file.
      if (error instanceof OddTargets && !passesOnce(source, options) && kept === undefined)
        return estimateBy(lossByName('logistic'));
      throw error;
    });
  });
}

/** Runs with the checkpoint that is asked for; it is removed once the run is done. */
export async function withCheckpoint<T>(
  source: RowSource,
  options: Pick<EstimateOptions, 'checkpoint'>,
  run: (kept: Checkpoint | undefined) => Promise<T>,
): Promise<T> {
  if (options.checkpoint === undefined) return run(undefined);
  const kept = await openCheckpoint(options.checkpoint, source, options);
  try {
    const done = await run(kept);
    kept.remove();
    return done;
  } finally {
    kept.close();
  }
}

/**
 * How `estimate` would assign rows to pilot, steps and blocks, without reading any. Refuses more blocks than rows can
 * fill, and warns of blocks that would not be used.
 */
export function planEstimate(
  options: EstimateOptions,
  rows: number,
  features: number,
): {
  readonly layout: Layout;
  /** The number of steps where two fits are blended, which depends on the targets. */
  readonly blendedSteps: number;
  readonly held: number;
  readonly warnings: readonly string[];
} {
  const held = options.holdout === undefined ? 0 : heldRows(options.holdout, rows);
  const { loss = 'auto' } = options;
  const asked = picked({ ...options, loss: loss === 'auto' ? loss : namedLossOf(loss) });
  const heldOut = { rows: held, use: async () => {} };
  const layout = layoutFor({ rows, features }, { ...asked, ...(held > 0 && { heldOut }) });
  requireBlocks(options, layout);
  const mayBlend =
    loss === 'auto' &&
    layout.sharesPilot &&
    (options.mode ?? 'auto') === 'auto' &&
    [options.steps, options.schedule, options.start, options.set].every(option => option === undefined) &&
    isBlendable({ method: 'auto', aggregate: 'auto', intercept: true, ...given(asked), layout });
  const blendedSteps = mayBlend ? Math.min(BLENDED_STEPS, layout.steps) : layout.steps;
  return { layout, blendedSteps, held, warnings: requireUsedBlocks(options, layout) };
}

/** Opens rows for a run that is not private. */
export const openForEstimate = (
  source: RowSource,
  options: EstimateOptions,
  loss: NamedLoss | 'auto',
): Promise<TableSamples> => {
  const reading = { ...options, intercept: options.intercept ?? true, ...readingFor(options, loss) };
  const remote = remoteRows(source);
  if (remote === undefined && options.id !== undefined)
    return openHashed(source, options.id, { stdin: process.stdin, ...reading });
  return remote === undefined
    ? openRows(source, { stdin: process.stdin, ...reading })
    : openRemote(remote, reading, { ...remoteReading(options, loss), ...watchedQueries(options) });
};

/** The targets that a loss is for, as an engine can check them. */
const remoteReading = (
  { nulls, orderSeed, target }: EstimateOptions,
  loss: NamedLoss | 'auto',
): Pick<RemoteOptions, 'nulls' | 'orderSeed' | 'targets'> => {
  const rule = loss === 'auto' ? null : targetRule(loss, target);
  const targets =
    loss === 'auto' || rule === null
      ? null
      : { ...loss.loss.targets, isClass: loss.name === 'logistic', advice: rule.advice };
  return { nulls, orderSeed, targets };
};

/** Levels are counted, so that notes can tell which there were. */
const readingFor = (
  { target }: EstimateOptions,
  loss: NamedLoss | 'auto',
): Pick<ReadOptions, 'targets' | 'knownLevels'> => ({
  targets: loss === 'auto' ? null : targetRule(loss, target),
  knownLevels: {},
});

/** The targets that a loss accepts, and what to say of others. */
export function targetRule(loss: NamedLoss, column: string): NonNullable<ReadOptions['targets']> | null {
  if (loss.name === 'logistic') {
    return {
      accepts: target => target === 0 || target === 1,
      advice: `logistic needs targets 0 and 1, true and false, or a text column with two declared levels: \`categorical: { '${column}': ['no', 'yes'] }\``,
    };
  }
  const rule = acceptedTargets(loss);
  return rule && { accepts: rule.accepts, advice: rule.needs };
}

type Named = Omit<EstimateOptions, 'loss'> & { readonly loss: NamedLoss | 'auto' };

async function estimateOpened(
  samples: TableSamples,
  streamed: boolean,
  options: Named,
  engine: ReturnType<typeof localEngine>,
  kept: Checkpoint | undefined,
): Promise<Estimate<FittedRun>> {
  const { target, set, orderSeed, weights } = options;
  const { passedOver = [], times = [], categorical, classes, nullTokens = [] } = samples.design;
  const names = samples.design.features.map(({ name }) => name);
  let held = options.holdout === undefined ? 0 : heldRows(options.holdout, samples.rows);
  let holdout: Model['holdout'];
  const heldOut = {
    rows: held,
    use: async (rows: Parameters<typeof evaluateRows>[1], found: FittedRun) => {
      holdout = heldMeasures(await evaluateRows(modelOf(found), rows, found.loss));
    },
  };
  const asked = { ...runOptions(options, names), ...(held > 0 && { heldOut }) };
  const run = {
    ...asked,
    ...(streamed ? { ...onceThrough(samples, asked), readOnce: true } : { order: asked.order ?? 'shuffle' }),
  };
  const modelOf = (found: FittedRun): Model =>
    estimateModel(found, {
      target,
      names,
      order: run.order,
      ...given({ orderSeed, classes, set, weights }),
      categorical,
      heldOut: held,
      invalid: samples.tally.invalid,
      unusable: samples.unusable(),
      passedOver,
      times,
      nullTokens,
      rounded: samples.rounded(),
      inFiles: samples.inFiles,
      levels: samples.levels(),
    });
  const layout = layoutFor(samples, run);
  requireBlocks(options, layout);
  const warnings = requireUsedBlocks(options, layout);
  let { steps } = layout;
  const watched = watchedRun(
    options,
    layout.pilotRows > 0 ? 'pilot' : `step 1/${steps}`,
    ...(run.order === 'shuffle' ? ['shuffling'] : []),
  );
  const thetas: Vector[] = [];
  const found = await fitRows(watched.source(samples), {
    ...run,
    shuffled: watched.shuffled,
    kernel: engine.summer,
    grams: engine.grams,
    names,
    ...(kept && { kept }),
    ...('engine' in samples && {
      elsewhere: async (layout: Layout, asked: number) => {
        const opened = await remoteInput((samples as RemoteSamples).engine, layout, asked, kept?.requireSame);
        held = opened.held;
        return opened;
      },
    }),
    onPilot: 'engine' in samples ? () => {} : engine.start,
    onPlan: plan => {
      steps = plan.steps.length;
      watched.phase(`step 1/${steps}`);
    },
    onIterate: iterate => {
      thetas.push(iterate.theta.slice());
      options.onIterate?.(iterate);
      watched.phase(`step ${Math.min(iterate.step + 1, steps)}/${steps}`);
    },
  }).catch(async error => {
    throw await withPlace(error, samples, !streamed);
  });
  const model = withHoldout(
    'engine' in samples ? ofEngine(modelOf(found), samples as RemoteSamples) : modelOf(found),
    holdout,
  );
  const { uncertainty } = found;
  return {
    ...resultOf(model),
    covariance: () =>
      uncertainty && {
        names: [...names, ...(model.intercept === null ? [] : [INTERCEPT])],
        values: found.covariance()!,
      },
    warnings: [...warnings, ...moreRows(samples)],
    loss: found.loss,
    plan: found.plan,
    ledger: found.fit.ledger,
    trace: () => traceTable(model, thetas),
    run: found,
  };
}

/** Adds what rows in an engine do not tell. */
const ofEngine = (model: Model, { place }: RemoteSamples): Model => ({
  ...model,
  notes: [
    ...(model.notes ?? []),
    `rows are those of ${place}, taken by their ids and not in the order in which they came about: whether neighbouring rows are correlated was not tested, and intervals are for independent rows`,
  ],
});

/** What the run itself takes: the set for that many features, and the start in their order. */
function runOptions(options: Named, names: readonly string[]): FitRowsOptions {
  const { set, constraint, start, ...rest } = options;
  if (set !== undefined && constraint !== undefined)
    throw new ArgumentError(
      '`set` and `constraint` both say where coefficients may be; leave one of them out',
      'ERR_CONFLICT',
      { arguments: ['set', 'constraint'] },
    );
  const within = constraint ?? (set && constraintOf(set, names.length));
  const from = start === undefined ? undefined : startOf(start, names, options);
  return { ...picked(rest), ...(within && { constraint: within }), ...(from && { start: from }) };
}

/** Options that a run takes as they are given. */
const runOptionNames = () =>
  wordsOf(
    'aggregate blocks failureProbability intercept loss memoryBytes method mode momentum order orderSeed penalty',
    'schedule scratch steps stepSize',
  ) satisfies readonly (keyof FitRowsOptions)[];

const picked = (options: Partial<Named>): FitRowsOptions => given(options, runOptionNames());

/** A set for that many features. */
export function constraintOf({ kind, radius }: CoefficientSet, features: number): Constraint {
  if (kind === 'l2') return l2Ball(radius);
  if (kind === 'l1') return l1Ball(radius);
  return box(new Float64Array(features).fill(-radius), new Float64Array(features).fill(radius));
}

/** The coefficients of a model in the order of the design's features, as a starting point. */
export function startOf(
  start: NonNullable<EstimateOptions['start']>,
  names: readonly string[],
  { intercept = true }: EstimateOptions,
): Vector {
  if (ArrayBuffer.isView(start)) return start;
  const missing = names.filter(name => !start.features.includes(name));
  const extra = start.features.filter(name => !names.includes(name));
  const list = (of: readonly string[]): string => of.join(', ') || 'none';
  if (missing.length + extra.length > 0) {
    throw new ArgumentError(
      `\`start\` has different features from this fit (missing: ${list(missing)}; extra: ${list(extra)}); choose the same with \`features\` and \`categorical\``,
      'ERR_CONFLICT',
      { arguments: ['start', 'features'], missing, extra },
    );
  }
  if (intercept && start.intercept === null)
    throw new ArgumentError(
      '`start` has no intercept, but this fit has one; give `intercept: false`, or another start',
      'ERR_CONFLICT',
      { arguments: ['start', 'intercept'] },
    );
  if (!intercept && start.intercept !== null)
    throw new ArgumentError(
      '`start` has an intercept, but this fit has none; leave `intercept: false` out, or give another start',
      'ERR_CONFLICT',
      { arguments: ['start', 'intercept'] },
    );
  const slopes = names.map(name => start.coefficients[name]!);
  return Float64Array.from(start.intercept === null ? slopes : [...slopes, start.intercept]);
}

/**
 * A stream can be read once only, in fresh chunks as they arrive. Where steps need all rows, the shuffle stores them.
 * Rows that must keep their order are cut into fresh chunks, unless the pilot holds all of them or the squared loss
 * needs only their moments.
 */
function onceThrough(samples: TableSamples, options: FitRowsOptions): { order: 'shuffle' | 'as-is'; mode?: 'fresh' } {
  const { order, mode } = options;
  if (order === 'shuffle') return { order };
  if (layoutFor(samples, options).mode === 'fresh') return { order: 'as-is' };
  if (order === undefined) return { order: 'shuffle' };
  if (readsOnce(samples, options)) return { order };
  if (mode !== 'full') return { order, mode: 'fresh' };
  throw new ArgumentError(
    "standard input can be read once, but `mode: 'full'` with `order: 'as-is'` reads it every step; leave one of them out",
    'ERR_CONFLICT',
    { arguments: ['mode', 'order'] },
  );
}

export function heldRows(share: number, rows: number): number {
  if (!(share > 0 && share < 1)) refuse('`holdout`', 'be a share between 0 and 1, such as 0.2', share);
  const held = Math.round(share * rows);
  if (held >= 1 && held < rows) return requireInteger('rows', held, 1);
  throw new ArgumentError(
    `\`holdout: ${share}\` holds out ${held} of ${counted(rows, 'row')}; give another share`,
    'ERR_ARGUMENT',
    { argument: 'holdout', value: share },
  );
}

/** The measures on held-out rows that a model stores. */
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

function withHoldout(model: Model, holdout: Model['holdout']): Model {
  if (holdout === undefined) return model;
  const notes = [...(model.notes ?? []), ...heldNotes(holdout, model.loss.name)];
  return { ...model, ...(notes.length > 0 && { notes }), holdout };
}

const FITS_MEANS: readonly string[] = ['squared', 'poisson'];

export function heldNotes({ r2 }: NonNullable<Model['holdout']>, loss: string): readonly string[] {
  if (r2 === undefined || !(r2 < 0)) return [];
  const why = !LOSS_NAMES.some(name => name === loss)
    ? `either it overfits, or loss ${loss} does not fit means; \`loss: 'squared'\` does`
    : FITS_MEANS.includes(loss)
      ? 'either it overfits, or a few outlying rows dominate; use fewer features or more rows'
      : `R2 gives outlying rows full weight, while the ${loss} loss follows the bulk of the rows; \`loss: 'squared'\` fits means, and the absolute errors measure how well the bulk is predicted`;
  return [`R2 is below 0 on the held-out rows, so the model predicts means worse than a constant would: ${why}`];
}

/** The declared number of rows is public, even in a private run. */
export const moreRows = ({ rows, hasMore }: Pick<TableSamples, 'rows' | 'hasMore'>): readonly string[] =>
  hasMore() ? [`the data have more than the ${counted(rows, 'row')} that \`rows\` declares; the rest is not read`] : [];
