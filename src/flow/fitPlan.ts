/** Runs a plan that was made beforehand, such as a theorem's, over rows: shuffle, chunks, stages, descent, summary. */
import { lastValueFrom, type Observable, tap } from 'rxjs';
import { ArgumentError } from '../math/check.ts';
import type { Coordinates } from '../math/coordinates.ts';
import type { Plan } from '../plan/plan.ts';
import type { Chunk } from '../sample/chunk.ts';
import { requireTarget } from '../sample/requireTarget.ts';
import type { Samples } from '../sample/samples.ts';
import { aggregateBy } from './aggregateBy.ts';
import { blockSums, type Kernel } from './blockSums.ts';
import { descend } from './descend.ts';
import { gramSums, suitsGram } from './gramSums.ts';
import { huberGradient } from './huberGradient.ts';
import type { Iterate } from './iterate.ts';
import type { Stage } from './stage.ts';
import { type Fit, summarize } from './summarize.ts';
import { type RowOrder, withChunks } from './withChunks.ts';

export interface PlanRun extends RowOrder {
  readonly kernel?: Kernel;
  readonly onIterate?: (iterate: Iterate) => void;
}

export async function fitPlan(samples: Samples, plan: Plan, options: PlanRun = {}): Promise<Fit> {
  if (plan.privacy !== null) {
    throw new ArgumentError(
      'fitPlan adds no noise, but this plan is private; use planPrivate and fitPrivate',
    );
  }
  requireTarget(samples);
  const { kernel, onIterate, ...order } = options;
  return withChunks(samples, plan, order, chunks => runPlan(chunks, plan, defaultSums(kernel), onIterate));
}

/** How block sums are computed from chunks. */
export type Sums = (plan: Plan) => Stage<'step', 'sums'>;

export const defaultSums =
  (kernel?: Kernel): Sums =>
  plan =>
    suitsGram(plan) ? gramSums(plan) : blockSums(plan, kernel);

export interface RunOptions {
  /** What looks at block sums on their way. */
  readonly onSums?: readonly Stage<'sums', 'sums'>[];
  /** In which the Huber-contamination estimator compares rows, and gradients are measured; as they are unless given. */
  readonly coordinates?: Coordinates;
}

export function runPlan(
  chunks: Observable<Chunk>,
  plan: Plan,
  sums: Sums,
  onIterate?: (iterate: Iterate) => void,
  { onSums = [], coordinates }: RunOptions = {},
): Promise<Fit> {
  const { estimation } = plan;
  const stages =
    estimation.kind === 'huber'
      ? [huberGradient(plan, { ...estimation, ...(coordinates && { coordinates }) })]
      : [sums(plan), ...onSums, aggregateBy(estimation.aggregator)];
  return lastValueFrom(
    chunks.pipe(
      descend(plan, ...stages),
      tap(iterate => onIterate?.(iterate)),
      summarize(plan, coordinates),
    ),
  );
}
