/**
 * One run from rows to an estimate: a pilot where the plan needs one, a plan, the pipeline, and its summary. The
 * operators do the work; this is the composition that most users want.
 */
import { map } from 'rxjs';
import { medianVariance } from '../aggregate/medianVariance.ts';
import type { NamedLoss } from '../loss/lossByName.ts';
import { ridge } from '../loss/ridge.ts';
import { refuse, requireNonNegative } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';
import { type Neighbours, neighbours } from '../pilot/neighbours/neighbours.ts';
import type { Pilot, Thin } from '../pilot/pilot.ts';
import { studyPilot } from '../pilot/studyPilot.ts';
import type { Layout } from '../plan/layout.ts';
import { type Plan, rowsUsed } from '../plan/plan.ts';
import { planFit } from '../plan/planFit.ts';
import { rowsBetween, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { aggregateOf } from './aggregateOf.ts';
import { type Astray, astray, watchGradients } from './astray.ts';
import { blockSpread, type Spread } from './blockSpread.ts';
import type { Kernel } from './blockSums.ts';
import { runPlan, usualSums } from './fitPlan.ts';
import type { Iterate } from './iterate.ts';
import { overSet } from './overSet.ts';
import { requireTargets } from './requireTargets.ts';
import { rowSpread } from './rowSpread.ts';
import { ruleOf } from './ruleOf.ts';
import { type Start, startOf } from './startOf.ts';
import { startsFarOff } from './startsFarOff.ts';
import { type StepSettings, stepsByCurvature } from './stepSettings.ts';
import type { Fit } from './summarize.ts';
import { type FitUncertainty, freedomOf, uncertaintyOf } from './uncertaintyOf.ts';
import { weighedBy, weighing } from './weighing.ts';
import { whyUnsure } from './whyUnsure.ts';
import { keepRows, worseThanStart } from './worseThanStart.ts';

export interface FitSettings extends StepSettings {
  /** Whether the layout stays as it is also where the pilot tells too little. */
  readonly keepsLayout?: boolean;
  /**
   * `auto`: logistic where the pilot's targets are all 0 or 1, otherwise a redescending one, tuned to its residuals.
   */
  readonly loss: NamedLoss | 'auto';
  readonly penalty?: number;
  readonly failureProbability: number;
  readonly kernel?: Kernel;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
  /**
   * Where in the file the first rows of the run were, `most` of them or fewer; unless given, nothing is found out about
   * neighbouring rows.
   */
  readonly places?: (most: number) => Float64Array;
  /** Rows that no step and no pilot sees, the last ones, and what is to be done with them at the end. */
  readonly heldOut?: HeldOut;
  /** The pilot's rows are there; studying them takes one thread, and a while. */
  readonly onPilot?: () => void;
  readonly onPlan?: (plan: Plan, loss: NamedLoss) => void;
  readonly onIterate?: (iterate: Iterate) => void;
}

export interface HeldOut {
  readonly rows: number;
  use(samples: Samples, found: FittedSamples): Promise<void>;
}

export interface FittedSamples {
  /** As it was, with a wider pilot than was asked for where that told too little. */
  readonly layout: Layout;
  readonly fit: Fit;
  readonly plan: Plan;
  readonly loss: NamedLoss;
  /** Whether the loss was left to the run. */
  readonly isLossOpen: boolean;
  readonly pilotRows: number;
  readonly pilot: Pilot | null;
  /** The pilot before this one, and why that was too small; null where the first one did. */
  readonly widened: { readonly rows: number; readonly thin: Thin } | null;
  /** Whether the start that was given was so far off that the steps began at the pilot's estimate instead. */
  readonly passesStart: boolean;
  /** Where steps of a given size led away from the answer; null where they did not. */
  readonly astray: Astray | null;
  /**
   * The gradient's norm that the chance of sampling makes at the best point, in the coordinates of the steps; null
   * where they have none.
   */
  readonly samplingNorm: number | null;
  /**
   * How far the blocks were from each other; null where the estimate is not the average that it would be the error of.
   */
  readonly spread: Spread | null;
  /** How far neighbouring rows of the file go together; null where they do not, or where nobody looked. */
  readonly neighbours: Neighbours | null;
  /** Null where the run says nothing about its own error. */
  readonly uncertainty: FitUncertainty | null;
  /** Why it says nothing; null where it does. */
  readonly noIntervals: string | null;
}

/** Whether these settings leave something for a pilot to find out. */
export const needsPilot = ({
  loss,
  stepSize,
  method,
}: Pick<FitSettings, 'loss' | 'stepSize' | 'method'>): boolean =>
  loss === 'auto' || (stepSize === undefined && method !== 'frank-wolfe');

export const fitSamples = async (samples: Samples, settings: FitSettings): Promise<FittedSamples> =>
  fitFrom(await startOf(samples, settings.layout, settings.heldOut?.rows ?? 0), settings);

/** Closes the start, whatever comes of it: between the pilot and the steps nobody else has the pass in hand. */
export async function fitFrom(start: Start, settings: FitSettings): Promise<FittedSamples> {
  try {
    return await fitOpened(start, settings);
  } finally {
    await start.close?.();
  }
}

async function fitOpened(start: Start, given: FitSettings): Promise<FittedSamples> {
  const { layout, intercept, failureProbability, kernel, onPilot, onPlan, onIterate } = given;
  if (given.penalty !== undefined) requireNonNegative('penalty', given.penalty);
  const { pilotRows, mode, schedule, steps } = layout;
  const { features, pilotBatch, chunks, sums = usualSums(kernel) } = start;
  if (pilotBatch !== null) {
    onPilot?.();
    requireTargets(pilotBatch, given.loss);
  }
  const first = pilotBatch === null || !needsPilot(given) ? null : pilotOf(pilotBatch, given);
  if (first?.thin && start.wider !== undefined && !given.keepsLayout) {
    const wider = await start.wider();
    const widened = { rows: pilotRows, thin: first.thin };
    const { heldOut } = given;
    // Whoever uses the rows held out is told of the wider pilot too.
    const told: HeldOut | undefined = heldOut && {
      rows: heldOut.rows,
      use: (held, found) => heldOut.use(held, { ...found, widened }),
    };
    const settings = { ...given, layout: wider.layout, ...(told && { heldOut: told }) };
    return { ...(await fitFrom(wider.start, settings)), widened };
  }
  const over = first === null ? null : overSet(pilotBatch!, first, given);
  const pilot = over === null ? first : { ...first!, ...over, unbounded: [] };
  const loss = pilot?.loss ?? given.loss;
  if (loss === 'auto') return refuse('loss', 'be named where no pilot is read', loss);
  const passesStart =
    pilot !== null &&
    given.start !== undefined &&
    startsFarOff(pilotBatch!, given.start, { pilot, loss, intercept });
  const settings = passesStart ? withoutStart(given) : given;
  const plan = planFit({
    rows: layout.rows,
    features,
    intercept,
    loss: given.penalty ? ridge(loss.loss, given.penalty) : loss.loss,
    rule: ruleOf(settings, pilot, over),
    mode,
    steps,
    aggregate: aggregateOf(settings, pilot),
    failureProbability,
    blocks: layout.blocks,
    ...(schedule === null ? {} : { schedule }),
    ...startOption(settings, pilot),
  });
  onPlan?.(plan, loss);
  const unsure = whyUnsure(settings, pilot);
  const watch = pilot && unsure === null ? blockSpread(plan, pilot.coordinates) : null;
  const weighed = pilot?.rowWeights ? chunks.pipe(map(weighing(pilot.rowWeights, mode))) : chunks;
  const own = pilot && stepsByCurvature(settings) ? pilot : null;
  const gradients = watchGradients();
  const lastRows =
    pilot === null && mode === 'fresh' && start.sums === undefined ? keepRows(steps - 1) : null;
  const seeIterate = (iterate: Iterate): void => {
    gradients.see(iterate);
    onIterate?.(iterate);
  };
  const fit = await runPlan(lastRows ? weighed.pipe(map(lastRows.keep)) : weighed, plan, sums, seeIterate, {
    onSums: watch ? [watch.stage] : [],
    ...(own && { coordinates: own.coordinates }),
  });
  const samplingNorm = own && Math.sqrt(own.noise / rowsUsed(plan.steps.at(-1)!));
  const spread = watch?.found() ?? null;
  const together = pilot && neighboursIn(pilotBatch!, pilot, fit, settings);
  const uncertainty =
    pilot && unsure === null && hasEnd(pilot) && !pilot.isTooNarrow
      ? uncertaintyOf({
          fit,
          pilot,
          rows: rowsTell(settings)
            ? rowSpread(weighedBy(pilot, pilotBatch!), { ...pilot, loss: loss.loss, theta: fit.theta })
            : null,
          blocks: rowsTell(settings) ? null : spread && inflated(spread, settings, pilot),
          neighbours: together,
        })
      : null;
  const noIntervals = uncertainty ? null : (unsure ?? whyNone(pilot, fit, settings));
  const told = { samplingNorm, spread, neighbours: together, uncertainty, noIntervals };
  const isLossOpen = given.loss === 'auto';
  const lastBatch = settings.constraint === undefined ? (lastRows?.found() ?? null) : null;
  const ledAway = astray(gradients.found(), {
    theta: fit.theta,
    settings,
    isSquared: loss.name === 'squared',
    pilot: pilot && { batch: pilotBatch!, found: pilot, loss },
    endsWorse:
      lastBatch !== null && worseThanStart(lastBatch, { loss: plan.loss, start: plan.start, end: fit.theta }),
  });
  const about = { layout, plan, loss, isLossOpen, pilotRows, pilot, widened: null, passesStart };
  const found = { ...about, fit, ...told, astray: ledAway };
  if (start.heldOut) await settings.heldOut?.use(start.heldOut, found);
  return found;
}

const pilotOf = (batch: SampleBatch, settings: FitSettings): Pilot =>
  studyPilot(batch, {
    loss: settings.loss,
    intercept: settings.intercept,
    runRows: settings.layout.sharesPilot ? batch.rows : settings.layout.rows + batch.rows,
    ...(settings.penalty !== undefined && { penalty: settings.penalty }),
    ...(settings.names !== undefined && { names: settings.names }),
  });

/** Whether there is a finite estimate. */
const hasEnd = ({ isApart, unbounded }: Pilot): boolean => !isApart && unbounded.length === 0;

const whyNone = (pilot: Pilot | null, fit: Fit, settings: FitSettings): string =>
  pilot?.isTooNarrow
    ? 'too few rows are within reach of the loss to tell how it curves'
    : pilot && !hasEnd(pilot)
      ? 'there is no finite estimate'
      : rowsTell(settings) || (pilot && freedomOf(fit, pilot) < 1)
        ? 'no more rows count than there are coefficients'
        : settings.layout.blocks === 1
          ? 'they come from how far blocks are apart, and there is one'
          : 'the rows do not fill the blocks that would tell them';

/** Whether the estimate is an average over rows that are all in memory, so that each can be asked for its part. */
const rowsTell = ({ layout, aggregate }: FitSettings): boolean =>
  layout.sharesPilot && aggregate !== 'median-of-means';

/** What the pilot's rows, in the order of the file, say of their neighbours. */
function neighboursIn(
  batch: SampleBatch,
  { coordinates, loss, rowWeights }: Pilot,
  { theta }: Fit,
  settings: FitSettings,
): Neighbours | null {
  const { intercept } = settings;
  const places = settings.places?.(Math.min(batch.rows, MOST_NEIGHBOURS));
  if (places === undefined) return null;
  const options = { places, loss: loss.loss, theta, intercept, rowWeights, coordinates };
  return neighbours(rowsBetween(batch, 0, places.length), options);
}

/** As many as the largest pilot has. */
const MOST_NEIGHBOURS = 100_000;

/** By what a median costs beside a mean. */
function inflated(spread: Spread, { aggregate }: FitSettings, { coordinates }: Pilot): Spread {
  if (aggregate !== 'median-of-means') return spread;
  const factor = medianVariance(coordinates.rank);
  return { ...spread, variances: spread.variances.map(variance => factor * variance) };
}

const withoutStart = ({ start: _, ...settings }: FitSettings): FitSettings => settings;

function startOption({ start }: FitSettings, pilot: Pilot | null): { start?: Vector } {
  if (start !== undefined) return { start };
  return pilot === null ? {} : { start: pilot.start };
}
