import { map } from 'rxjs';
import { ArgumentError } from '../errors.ts';
import type { Kernel } from '../flow/blockSums.ts';
import type { Iterate } from '../flow/iterate.ts';
import { defaultSums, runPlan } from '../flow/runPlan.ts';
import type { Fit } from '../flow/summarize.ts';
import { watchDivergence } from '../inference/diagnostics/run/divergence.ts';
import type { Plan } from '../plan/plan.ts';
import { requireTarget, type Samples } from '../sample/samples.ts';
import { type Checkpoint, planFacts } from './checkpoint.ts';
import { type RowOrder, withChunks } from './input/withChunks.ts';

/** How rows are ordered and computed for a plan. */
export interface PlanRun extends RowOrder {
  /** What computes block sums; compiled code on this thread unless given. */
  readonly kernel?: Kernel;
  /** Sees every iterate. */
  readonly onIterate?: (iterate: Iterate) => void;
  /** Whether a set holds the steps back, so that they cannot diverge; false unless given. */
  readonly isHeld?: boolean;
  /** Where the run is kept, so that a later process can go on. */
  readonly kept?: Checkpoint;
}

/** Runs a plan that was made beforehand, such as a theorem's, over rows: shuffle, chunks, stages, descent, summary. */
export async function fitPlan(samples: Samples, plan: Plan, options: PlanRun = {}): Promise<Fit> {
  if (plan.privacy !== null) {
    throw new ArgumentError(
      'fitPlan adds no noise, but this plan is private; use planPrivate and fitPrivate',
      'ERR_NOT_PRIVATE',
      { argument: 'plan' },
    );
  }
  requireTarget(samples);
  const { kernel, onIterate, kept, isHeld = false, ...order } = options;
  const watch = watchDivergence(plan);
  kept?.requireSame('plan', planFacts(plan));
  const see = (iterate: Iterate): void => {
    watch.see(iterate);
    onIterate?.(iterate);
  };
  const fit = await withChunks(samples, plan, order, chunks =>
    runPlan(chunks.pipe(map(watch.keep)), plan, defaultSums(kernel), see, kept && { answers: kept }),
  );
  watch.requireConverged({ isHeld, pilot: null, remedy: TOO_LONG });
  return fit;
}

const TOO_LONG =
  'the steps of this plan are too long for these rows: centre and scale the features, or plan for the largest and smallest curvature that they have';
