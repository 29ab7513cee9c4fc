import type { RoundEngine } from '../engine/roundEngine.ts';
import { ArgumentError } from '../errors.ts';
import type { Kernel } from '../flow/blockSums.ts';
import type { Iterate } from '../flow/iterate.ts';
import { defaultSums, runPlan } from '../flow/runPlan.ts';
import type { Fit } from '../flow/summarize.ts';
import type { Plan } from '../plan/plan.ts';
import { requireTarget, type Samples } from '../sample/samples.ts';
import { type Checkpoint, planFacts } from './checkpoint.ts';
import { type RowOrder, withChunks } from './input/withChunks.ts';
import { plannedRounds } from './remote/remoteInput.ts';

/** How rows are ordered and computed for a plan. */
export interface PlanRun extends RowOrder {
  /** What computes block sums; compiled code on this thread unless given. */
  readonly kernel?: Kernel;
  /** Sees every iterate. */
  readonly onIterate?: (iterate: Iterate) => void;
  /** Where the run is kept, so that a later process can go on. */
  readonly kept?: Checkpoint;
  /** Where rows that are not read here answer; `samples` then only says what they are. */
  readonly elsewhere?: RoundEngine;
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
  const { kernel, onIterate, kept, elsewhere, ...order } = options;
  kept?.requireSame('plan', planFacts(plan));
  if (elsewhere !== undefined) {
    const { chunks, sums } = await plannedRounds(elsewhere, plan, kept?.requireSame);
    return runPlan(chunks, plan, sums, onIterate, kept && { answers: kept });
  }
  return withChunks(samples, plan, order, chunks =>
    runPlan(chunks, plan, defaultSums(kernel), onIterate, kept && { answers: kept }),
  );
}
