import { map, take } from 'rxjs';
import { refuse, requireNonNegative } from '../errors.ts';
import type { Kernel } from '../flow/blockSums.ts';
import type { Iterate } from '../flow/iterate.ts';
import { defaultSums, runPlan } from '../flow/runPlan.ts';
import type { Fit } from '../flow/summarize.ts';
import { watchDivergence } from '../inference/diagnostics/run/divergence.ts';
import { isPoorStart } from '../inference/diagnostics/run/settings.ts';
import type { Shortage } from '../inference/diagnostics/run/shortage.ts';
import type { FittedBlend, FittedRun } from '../inference/fittedRun.ts';
import { type BlockVariances, blockVariances } from '../inference/intervals/blockVariances.ts';
import { fitIntervals, whyNoIntervals } from '../inference/intervals/fitIntervals.ts';
import type { ConstrainedPilot } from '../inference/pilot/constrainedPilot.ts';
import { type Pilot, studyPilot } from '../inference/pilot/studyPilot.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { ridge } from '../method/loss/ridge.ts';
import { type Plan, rowsUsed } from '../plan/plan.ts';
import { planFit } from '../plan/planFit.ts';
import { isFrankWolfe, type StepSettings, stepsByCurvature } from '../plan/stepSettings.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { type Checkpoint, planFacts } from './checkpoint.ts';
import { fitQuality } from './fitQuality.ts';
import { openInput, type RunInput } from './input/openInput.ts';
import { ofClasses, refuseOddTargets } from './oddTargets.ts';
import { requireTargets } from './requireSettings.ts';
import { aggregateOf, BLENDED_STEPS, constrainPilot, isBlendable, ruleOf } from './ruleOf.ts';

/** Everything that fixes a run besides its rows. */
export interface FitSettings extends StepSettings {
  /** Whether the layout is kept even if the pilot turns out to be too small. */
  readonly keepsLayout?: boolean;
  /**
   * `auto`: logistic where the pilot's targets are all 0 or 1, otherwise Huber's, tuned to its residuals and blended
   * with a bisquare fit where nothing asked for prevents it (`isBlendable`).
   */
  readonly loss: NamedLoss | 'auto';
  /** The ridge penalty; none unless given. */
  readonly penalty?: number;
  /** The probability that the whole run may fail with. */
  readonly failureProbability: number;
  /** What computes block sums; compiled code on this thread unless given. */
  readonly kernel?: Kernel;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
  /**
   * Positions in the file of the first rows of the run, at most `most`; unless given, neighbouring rows are not tested
   * for correlation.
   */
  readonly places?: (most: number) => Float64Array;
  /** The last rows, which no step and no pilot sees, and what to do with them at the end. */
  readonly heldOut?: HeldOut;
  /** Where the run is kept, so that a later process can go on. */
  readonly kept?: Checkpoint;
  /** The pilot's rows have been read; studying them takes one thread, and a while. */
  readonly onPilot?: () => void;
  /** Sees the plan before its first step. */
  readonly onPlan?: (plan: Plan, loss: NamedLoss) => void;
  /** Sees every iterate. */
  readonly onIterate?: (iterate: Iterate) => void;
}

/** The last rows of a run, which no step sees, and what is done with them at the end. */
export interface HeldOut {
  readonly rows: number;
  use(samples: Samples, found: FittedRun): Promise<void>;
}

/** Whether these settings leave something for a pilot to find out. */
export const needsPilot = ({ loss, stepSize, method }: Pick<FitSettings, 'loss' | 'stepSize' | 'method'>): boolean =>
  loss === 'auto' || (stepSize === undefined && method !== 'frank-wolfe');

/**
 * One run from rows to an estimate: a pilot where the plan needs one, a plan, the pipeline, and its summary. The
 * operators do the work; this is the composition that most users want.
 */
export const fitSamples = async (samples: Samples, settings: FitSettings): Promise<FittedRun> =>
  fitFrom(await openInput(samples, settings.layout, settings.heldOut?.rows ?? 0), settings);

/** Closes the input in any case: between the pilot and the steps, nothing else does. */
export async function fitFrom(input: RunInput, settings: FitSettings): Promise<FittedRun> {
  try {
    return await fitOpened(input, settings);
  } finally {
    await input.close?.();
  }
}

async function fitOpened(input: RunInput, given: FitSettings): Promise<FittedRun> {
  if (given.penalty !== undefined) requireNonNegative('penalty', given.penalty);
  const first = pilotOf(input, given);
  if (first?.shortage && input.wider !== undefined && !given.keepsLayout)
    return fitWider(input.wider, first.shortage, given);
  const run = prepared(input, first, given);
  const plan = planOf(input, run);
  given.kept?.requireSame('plan', planFacts(plan));
  given.onPlan?.(plan, run.loss);
  const done = await descended(input, run, plan);
  const found = summaryOf(run, plan, done);
  if (input.heldOut) await given.heldOut?.use(input.heldOut, found);
  return found;
}

/** Null where the settings leave nothing for a pilot to find out. */
function pilotOf({ pilotBatch }: RunInput, settings: FitSettings): Pilot | null {
  if (pilotBatch === null) return null;
  settings.onPilot?.();
  requireTargets(pilotBatch, settings.loss);
  if (settings.loss === 'auto') refuseOddTargets(pilotBatch);
  const { loss, intercept, penalty, names } = settings;
  return needsPilot(settings)
    ? studyPilot(pilotBatch, {
        loss,
        intercept,
        isBlended: isBlendable(settings),
        ...(penalty !== undefined && { penalty }),
        ...(names !== undefined && { names }),
      })
    : null;
}

/** The same run with more rows in its pilot. */
async function fitWider(
  widerInput: NonNullable<RunInput['wider']>,
  shortage: Shortage,
  given: FitSettings,
): Promise<FittedRun> {
  const { heldOut } = given;
  const wider = await widerInput();
  const widened = { rows: given.layout.pilotRows, shortage };
  const settings = {
    ...given,
    layout: wider.layout,
    ...(heldOut && {
      heldOut: {
        rows: heldOut.rows,
        use: (held: Samples, found: FittedRun) => heldOut.use(held, { ...found, widened }),
      },
    }),
  };
  return { ...(await fitFrom(wider.start, settings)), widened };
}

/** What is settled before the plan is made. */
interface PreparedRun {
  /** The pilot and its rows, over the constraint where there is one; null where none was studied. */
  readonly studied: { readonly pilot: Pilot; readonly batch: SampleBatch } | null;
  readonly constrained: ConstrainedPilot | null;
  readonly loss: NamedLoss;
  /** Without the start that was given, where that is ignored. */
  readonly settings: FitSettings;
  readonly ignoresStart: boolean;
}

function prepared({ pilotBatch: batch }: RunInput, first: Pilot | null, given: FitSettings): PreparedRun {
  const constrained = first === null ? null : constrainPilot(batch!, first, given);
  const pilot = constrained?.pilot ?? first;
  const loss = pilot?.estimate.loss ?? given.loss;
  if (loss === 'auto') return refuse('loss', 'be named where no pilot is read', loss);
  const { start, intercept } = given;
  const ignoresStart = pilot !== null && start !== undefined && isPoorStart(batch!, start, { pilot, loss, intercept });
  const settings = ignoresStart ? withoutStart(given) : given;
  return {
    studied: pilot && { pilot, batch: batch! },
    constrained,
    loss,
    settings: pilot?.estimate.blend ? withFewRounds(settings) : settings,
    ignoresStart,
  };
}

const withFewRounds = (settings: FitSettings): FitSettings =>
  settings.layout.sharesPilot && !settings.keepsLayout && settings.start === undefined
    ? { ...settings, layout: { ...settings.layout, steps: Math.min(BLENDED_STEPS, settings.layout.steps) } }
    : settings;

const withoutStart = ({ start: _, ...settings }: FitSettings): FitSettings => settings;

function planOf({ features }: RunInput, { studied, constrained, loss, settings }: PreparedRun): Plan {
  const { layout, intercept, penalty, failureProbability } = settings;
  const { rows, mode, steps, blocks, schedule } = layout;
  const pilot = studied?.pilot ?? null;
  const start = settings.start ?? pilot?.estimate.theta;
  return planFit({
    rows,
    features,
    intercept,
    loss: penalty ? ridge(loss.loss, penalty) : loss.loss,
    rule: ruleOf(settings, pilot, constrained),
    mode,
    steps,
    aggregate: aggregateOf(settings, pilot),
    failureProbability,
    blocks,
    ...(schedule === null ? {} : { schedule }),
    ...(start !== undefined && { start }),
  });
}

/** What the descent leaves behind. */
interface Descent {
  readonly fit: Fit;
  readonly blockVariances: BlockVariances | null;
}

/** Runs the plan, watches block sums, gradients and rows on their way, and refuses steps that diverged. */
async function descended(
  { chunks, sums, countsAllRows = false }: RunInput,
  { studied, settings, loss }: PreparedRun,
  plan: Plan,
): Promise<Descent> {
  const { kernel, layout, onIterate, kept, stepSize, method, constraint } = settings;
  const pilot = studied?.pilot ?? null;
  const coordinates = pilot && (pilot.estimate.blend ?? pilot.estimate).coordinates;
  const blocks = coordinates && whyNoIntervals(settings, pilot) === null ? blockVariances(plan, coordinates) : null;
  const watch = watchDivergence(plan);
  const checked = settings.loss === 'auto' && pilot?.estimate.loss.name === 'logistic' && !layout.sharesPilot;
  const taken = chunks.pipe(take(plan.steps.length), map(checked ? ofClasses : chunk => chunk));
  const fit = await runPlan(
    pilot === null && !countsAllRows ? taken.pipe(map(watch.keep)) : taken,
    plan,
    sums ?? defaultSums(kernel),
    iterate => {
      watch.see(iterate);
      onIterate?.(iterate);
    },
    {
      ...(blocks && { onSums: blocks.look }),
      ...(coordinates && stepsByCurvature(settings) && { coordinates }),
      ...(kept && { answers: kept }),
    },
  );
  watch.requireConverged({
    stepSize,
    isHeld: constraint !== undefined || isFrankWolfe(method),
    pilot: studied && { batch: studied.batch, found: studied.pilot, loss },
  });
  return { fit: countsAllRows ? withAllRows(fit, plan) : fit, blockVariances: blocks?.found() ?? null };
}

/** A fit whose blocks have all rows of their chunks, and not as many as the plan divides by. */
const withAllRows = (fit: Fit, { steps, rows, mode }: Plan): Fit => {
  const used = mode === 'full' ? rows : steps.reduce((sum, step) => sum + step.rows, 0);
  return {
    ...fit,
    steps: fit.steps.map(done => ({ ...done, rows: steps[done.step - 1]!.rows })),
    rows: { used, leftOver: rows - used },
  };
};

function summaryOf(
  { studied, loss, settings, ignoresStart }: PreparedRun,
  plan: Plan,
  { fit, blockVariances }: Descent,
): FittedRun {
  const { layout } = settings;
  const pilot = studied?.pilot ?? null;
  return {
    layout,
    plan,
    loss,
    isLossOpen: settings.loss === 'auto',
    pilotRows: layout.pilotRows,
    pilot,
    widened: null,
    ignoresStart,
    fit,
    samplingNorm:
      pilot && stepsByCurvature(settings) ? Math.sqrt(pilot.estimate.noise / rowsUsed(plan.steps.at(-1)!)) : null,
    blockVariances,
    blend: blendFound(pilot, fit),
    quality: studied && fitQuality(studied.batch, { theta: fit.theta, loss }),
    ...fitIntervals(studied, { fit, blockVariances, settings }),
  };
}

function blendFound(pilot: Pilot | null, { parts }: Fit): FittedBlend | null {
  const blend = pilot?.estimate.blend ?? null;
  if (pilot === null || blend === null || parts === undefined) return null;
  const [huber, bisquare] = parts as readonly [Float64Array, Float64Array];
  const { weight, fits } = blend;
  return { weight, loss: fits[1].loss, huber, bisquare, weightlessShare: pilot.residuals.weightlessShare };
}
