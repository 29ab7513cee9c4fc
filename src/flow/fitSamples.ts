/**
 * One run from rows to an estimate: a pilot where the plan needs one, a plan, the pipeline, and its summary. The operators do the work; this is the
 * composition that most users want.
 */
import { from, lastValueFrom, type Observable, tap, toArray } from 'rxjs';
import { allButLast } from '../constraint/allButLast.ts';
import type { Constraint } from '../constraint/constraint.ts';
import { everywhere } from '../constraint/everywhere.ts';
import { lossByName, type NamedLoss } from '../loss/lossByName.ts';
import { ridge } from '../loss/ridge.ts';
import { ArgumentError, refuse } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';
import type { Layout } from '../plan/layout.ts';
import { HUBER_TUNING, type Pilot, studyPilot } from '../plan/pilot.ts';
import type { Plan } from '../plan/plan.ts';
import { type Aggregate, planFit } from '../plan/planFit.ts';
import { frankWolfe } from '../rule/frankWolfe.ts';
import { type Momentum, nesterov } from '../rule/nesterov.ts';
import { preconditioned } from '../rule/preconditioned.ts';
import { projectedGradient } from '../rule/projectedGradient.ts';
import type { UpdateRule } from '../rule/updateRule.ts';
import type { Chunk } from '../sample/chunk.ts';
import { gather } from '../sample/gather.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { skipRows } from '../sample/skipRows.ts';
import { aggregateBy } from './aggregateBy.ts';
import { blockSums, type Kernel } from './blockSums.ts';
import { descend } from './descend.ts';
import { gramSums, suitsGram } from './gramSums.ts';
import { huberGradient } from './huberGradient.ts';
import type { Iterate } from './iterate.ts';
import { passes } from './passes.ts';
import { split } from './split.ts';
import { type Fit, summarize } from './summarize.ts';

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

export async function fitSamples(samples: Samples, settings: FitSettings): Promise<FittedSamples> {
  const { layout, intercept, aggregate, failureProbability, kernel, onPlan, onIterate } = settings;
  const { pilotRows, mode, schedule, steps } = layout;
  const [pilotRowsFound, chunks] = await startOf(samples, layout);
  const loss = settings.loss === 'auto' ? chooseLoss(pilotRowsFound, settings) : settings.loss;
  const penalized = settings.penalty ? ridge(loss.loss, settings.penalty) : loss.loss;
  const pilot =
    pilotRowsFound === null || !needsPilot({ ...settings, loss })
      ? null
      : studyPilot(pilotRowsFound, { loss: penalized, intercept, names: settings.names ?? [] });
  const plan = planFit({
    rows: layout.rows,
    features: samples.features,
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
  const { estimation } = plan;
  const stages =
    estimation.kind === 'huber'
      ? [huberGradient(plan, estimation)]
      : [suitsGram(plan) ? gramSums(plan) : blockSums(plan, kernel), aggregateBy(estimation.aggregator)];
  const fit = await lastValueFrom(
    chunks.pipe(
      descend(plan, ...stages),
      tap(iterate => onIterate?.(iterate)),
      summarize(plan),
    ),
  );
  return { fit, plan, loss, pilotRows };
}

/** The pilot's rows in memory, and the chunks that follow them. */
async function startOf(samples: Samples, layout: Layout): Promise<[SampleBatch | null, Observable<Chunk>]> {
  const { pilotRows, schedule, steps } = layout;
  if (schedule === null) {
    const pilot = pilotRows === 0 ? null : await gatherFirst(samples, pilotRows);
    return [pilot, passes(skipRows(samples, pilotRows), steps)];
  }
  if (pilotRows === 0) return [null, split(samples, schedule)];
  const [first, ...rest] = await lastValueFrom(
    split(samples, { chunks: [pilotRows, ...schedule.chunks] }).pipe(toArray()),
  );
  return [await gather(first!.batches, pilotRows, samples.features), from(rest)];
}

async function gatherFirst(samples: Samples, rows: number): Promise<SampleBatch> {
  const [chunk] = await lastValueFrom(split(samples, { chunks: [rows] }).pipe(toArray()));
  return gather(chunk!.batches, rows, samples.features);
}

function chooseLoss(pilot: SampleBatch | null, { intercept, names = [] }: FitSettings): NamedLoss {
  if (pilot === null) refuse('loss', 'be named where no pilot is read', 'auto', 'give --loss');
  if (pilot.target.every(target => target === 0 || target === 1)) return lossByName('logistic');
  const { residualScale } = studyPilot(pilot, { loss: lossByName('squared').loss, intercept, names });
  return lossByName('pseudo-huber', { parameter: HUBER_TUNING * residualScale });
}

function ruleOf(settings: FitSettings, pilot: Pilot | null): UpdateRule {
  const { method, constraint: given, intercept, momentum } = settings;
  if (method === 'frank-wolfe' || method === 'accelerated-frank-wolfe') {
    if (given === undefined)
      throw new ArgumentError(`method ${method} needs a bounded set; give --set l2 --radius D`);
    if (intercept) throw new ArgumentError(`method ${method} has no free coordinate; give --no-intercept`);
    if (method === 'frank-wolfe') return frankWolfe({ constraint: given });
    if (settings.stepSize === undefined) {
      throw new ArgumentError(
        'method accelerated-frank-wolfe needs its constant step; give --step, or --theorem',
      );
    }
    return { ...frankWolfe({ constraint: given, stepSize: settings.stepSize }), name: method };
  }
  const constraint = given === undefined ? everywhere() : intercept ? allButLast(given) : given;
  if (settings.stepSize !== undefined) {
    const { stepSize } = settings;
    if (method !== 'nesterov') return projectedGradient({ stepSize, constraint });
    if (given !== undefined)
      throw new ArgumentError('method nesterov works over all of R^p; leave --set out');
    return nesterov({ stepSize, momentum: momentum ?? 'increasing' });
  }
  if (pilot === null) return refuse('stepSize', 'be given where no pilot is read', undefined);
  if (given !== undefined) {
    if (method === 'nesterov')
      throw new ArgumentError('method nesterov works over all of R^p; leave --set out');
    return projectedGradient({ stepSize: 1 / pilot.smoothness, constraint });
  }
  const inner =
    method === 'nesterov'
      ? nesterov({ stepSize: 1, momentum: momentum ?? 0.1 })
      : projectedGradient({ stepSize: 1 });
  return preconditioned<unknown>(inner as UpdateRule, pilot.factor);
}

function startOption({ start }: FitSettings, pilot: Pilot | null): { start?: Vector } {
  if (start !== undefined) return { start };
  return pilot === null ? {} : { start: pilot.start };
}
