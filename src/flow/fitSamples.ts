/**
 * One run from rows to an estimate: a pilot where the plan needs one, a plan, the pipeline, and its summary. The operators do the work; this is the
 * composition that most users want.
 */
import { from, lastValueFrom, type Observable, toArray } from 'rxjs';
import { allButLast } from '../constraint/allButLast.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { everywhere } from '../constraint/everywhere.ts';
import { lossByName, type NamedLoss } from '../loss/lossByName.ts';
import { ridge } from '../loss/ridge.ts';
import { ArgumentError, refuse } from '../math/check.ts';
import { maxNorm, type Vector } from '../math/vector.ts';
import type { Layout } from '../plan/layout.ts';
import { HUBER_TUNING, type Pilot, studyPilot } from '../plan/pilot.ts';
import type { Plan } from '../plan/plan.ts';
import { type Aggregate, planFit } from '../plan/planFit.ts';
import { frankWolfe } from '../rule/frankWolfe.ts';
import { type Momentum, nesterov } from '../rule/nesterov.ts';
import { newton } from '../rule/newton.ts';
import { preconditioned } from '../rule/preconditioned.ts';
import { projectedGradient } from '../rule/projectedGradient.ts';
import type { UpdateRule } from '../rule/updateRule.ts';
import type { Chunk } from '../sample/chunk.ts';
import { gather } from '../sample/gather.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { skipRows } from '../sample/skipRows.ts';
import type { Kernel } from './blockSums.ts';
import { runPlan, type Sums, usualSums } from './fitPlan.ts';
import type { Iterate } from './iterate.ts';
import { passes } from './passes.ts';
import { split } from './split.ts';
import type { Fit } from './summarize.ts';

export type Method = 'auto' | 'gradient' | 'nesterov' | 'frank-wolfe' | 'accelerated-frank-wolfe';

export interface FitSettings {
  readonly layout: Layout;
  /** `auto`: logistic where the pilot's targets are all 0 or 1, otherwise pseudo-Huber at the scale of its residuals. */
  readonly loss: NamedLoss | 'auto';
  readonly penalty?: number;
  readonly intercept: boolean;
  readonly method: Method;
  readonly constraint?: Constraint;
  /** Without it the step comes from the pilot's curvature. */
  readonly stepSize?: number;
  readonly momentum?: Momentum;
  readonly start?: Vector;
  readonly aggregate: Aggregate;
  readonly failureProbability: number;
  readonly kernel?: Kernel;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
  readonly onPlan?: (plan: Plan, loss: NamedLoss) => void;
  readonly onIterate?: (iterate: Iterate) => void;
}

export interface FittedSamples {
  readonly fit: Fit;
  readonly plan: Plan;
  readonly loss: NamedLoss;
  readonly pilotRows: number;
}

/** Whether these settings leave something for a pilot to find out. */
export const needsPilot = ({
  loss,
  stepSize,
  method,
}: Pick<FitSettings, 'loss' | 'stepSize' | 'method'>): boolean =>
  loss === 'auto' || (stepSize === undefined && method !== 'frank-wolfe');

/** What a run begins with. */
export interface Start {
  readonly features: number;
  /** The pilot's rows in memory. */
  readonly pilotBatch: SampleBatch | null;
  readonly chunks: Observable<Chunk>;
  /** How block sums come of the chunks, where they come otherwise than from their rows. */
  readonly sums?: Sums;
}

export const fitSamples = async (samples: Samples, settings: FitSettings): Promise<FittedSamples> =>
  fitFrom(await startOf(samples, settings.layout), settings);

export async function fitFrom(start: Start, settings: FitSettings): Promise<FittedSamples> {
  const { layout, intercept, aggregate, failureProbability, kernel, onPlan, onIterate } = settings;
  const { pilotRows, mode, schedule, steps } = layout;
  const { features, pilotBatch, chunks, sums = usualSums(kernel) } = start;
  const loss = settings.loss === 'auto' ? chooseLoss(pilotBatch, settings) : settings.loss;
  const penalized = settings.penalty ? ridge(loss.loss, settings.penalty) : loss.loss;
  const pilot =
    pilotBatch === null || !needsPilot({ ...settings, loss })
      ? null
      : studyPilot(pilotBatch, { loss: penalized, intercept, names: settings.names ?? [] });
  const plan = planFit({
    rows: layout.rows,
    features,
    intercept,
    loss: penalized,
    rule: ruleOf(settings, pilot),
    mode,
    steps,
    aggregate,
    failureProbability,
    blocks: layout.blocks,
    ...(schedule === null ? {} : { schedule }),
    ...startOption(settings, pilot),
  });
  onPlan?.(plan, loss);
  return { fit: await runPlan(chunks, plan, sums, onIterate), plan, loss, pilotRows };
}

/** The pilot's rows, and the chunks that follow them. */
async function startOf(samples: Samples, { pilotRows, schedule, steps }: Layout): Promise<Start> {
  const { features } = samples;
  if (schedule === null) {
    const pilotBatch = pilotRows === 0 ? null : await gatherFirst(samples, pilotRows);
    return { features, pilotBatch, chunks: passes(skipRows(samples, pilotRows), steps) };
  }
  if (pilotRows === 0) return { features, pilotBatch: null, chunks: split(samples, schedule) };
  const [first, ...rest] = await lastValueFrom(
    split(samples, { chunks: [pilotRows, ...schedule.chunks] }).pipe(toArray()),
  );
  return { features, pilotBatch: await gather(first!.batches, pilotRows, features), chunks: from(rest) };
}

async function gatherFirst(samples: Samples, rows: number): Promise<SampleBatch> {
  const [chunk] = await lastValueFrom(split(samples, { chunks: [rows] }).pipe(toArray()));
  return gather(chunk!.batches, rows, samples.features);
}

function chooseLoss(pilot: SampleBatch | null, { intercept, names = [] }: FitSettings): NamedLoss {
  if (pilot === null) refuse('loss', 'be named where no pilot is read', 'auto');
  if (pilot.target.every(target => target === 0 || target === 1)) return lossByName('logistic');
  const { residualScale } = studyPilot(pilot, { loss: lossByName('squared').loss, intercept, names });
  // Where a line fits all rows but for rounding, residuals have no scale of their own.
  const least = LEAST_SCALE * maxNorm(pilot.target);
  return lossByName('pseudo-huber', { parameter: HUBER_TUNING * Math.max(residualScale, least) });
}

const LEAST_SCALE = 1e-9;

function ruleOf(settings: FitSettings, pilot: Pilot | null): UpdateRule {
  const { method, constraint: given, intercept, momentum } = settings;
  if (method === 'frank-wolfe' || method === 'accelerated-frank-wolfe') {
    if (given === undefined)
      throw new ArgumentError(`method ${method} needs a bounded constraint; use l2Ball, l1Ball or box`);
    if (intercept) throw new ArgumentError(`method ${method} has no free coordinate; set intercept to false`);
    if (method === 'frank-wolfe') return frankWolfe({ constraint: given });
    if (settings.stepSize === undefined) {
      throw new ArgumentError(
        'method accelerated-frank-wolfe needs its constant stepSize; theorems.accFwRob has one',
      );
    }
    return { ...frankWolfe({ constraint: given, stepSize: settings.stepSize }), name: method };
  }
  const constraint = given === undefined ? everywhere() : intercept ? allButLast(given) : given;
  if (settings.stepSize !== undefined) {
    const { stepSize } = settings;
    if (method !== 'nesterov') return projectedGradient({ stepSize, constraint });
    if (given !== undefined)
      throw new ArgumentError('method nesterov works over all of R^p; leave constraint out');
    return nesterov({ stepSize, momentum: momentum ?? 'increasing' });
  }
  if (pilot === null) return refuse('stepSize', 'be given where no pilot is read', undefined);
  if (given !== undefined) {
    if (method === 'nesterov')
      throw new ArgumentError('method nesterov works over all of R^p; leave constraint out');
    return newton({ curvature: pilot.curvature, constraint });
  }
  if (method !== 'nesterov') return newton({ curvature: pilot.curvature });
  return preconditioned(nesterov({ stepSize: 1, momentum: momentum ?? 0.1 }), pilot.factor);
}

function startOption({ start }: FitSettings, pilot: Pilot | null): { start?: Vector } {
  if (start !== undefined) return { start };
  return pilot === null ? {} : { start: pilot.start };
}
