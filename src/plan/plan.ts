import { requireMembers } from '../errors.ts';
import type { Vector } from '../math/vector.ts';
import type { Aggregator } from '../method/aggregate/aggregator.ts';
import type { Loss } from '../method/loss/loss.ts';
import type { UpdateRule } from '../method/rule/updateRule.ts';
import type { RowSet } from '../privacy/event.ts';
import type { Release } from '../privacy/mechanism.ts';

/** The rows, blocks and noise of one step. */
export interface StepPlan {
  /** The rows: chunk t of the split, or all of them. */
  readonly chunk: RowSet;
  /** Rows of the chunk. */
  readonly rows: number;
  /** Blocks whose sums are aggregated. */
  readonly blocks: number;
  /** Consecutive rows that are summed together, each block on its own. */
  readonly rowsPerBlock: number;
  /** Rows beyond the last block that a mean over all rows includes anyway; 0 unless given. */
  readonly rest?: number;
  /** The noised release of this step; null where the plan is not private. */
  readonly release: Release | null;
}

/** The number of rows that enter a step. */
export const rowsUsed = ({ blocks, rowsPerBlock, rest = 0 }: StepPlan): number => blocks * rowsPerBlock + rest;

/** The steps of a run by number, as an array has them; the `length` of an endless run is Infinity. */
export interface Steps {
  readonly length: number;
  at(t: number): StepPlan | undefined;
}

/** Steps without end, each made when it is asked for. */
export const endless = (stepAt: (t: number) => StepPlan): Steps =>
  Object.freeze({
    length: Infinity,
    at: (t: number) => (Number.isInteger(t) && t >= 0 ? Object.freeze(stepAt(t)) : undefined),
  });

/** A step on the rows of a chunk that ended early: as many blocks as planned, or as many as there are rows. */
export function stepOf(planned: StepPlan, rows: number): StepPlan {
  if (rows === planned.rows) return planned;
  const blocks = Math.max(1, Math.min(planned.blocks, rows));
  const rowsPerBlock = Math.floor(rows / blocks);
  const rest = planned.rest === undefined ? {} : { rest: rows - blocks * rowsPerBlock };
  return { ...planned, rows, blocks, rowsPerBlock, ...rest };
}

export type Estimation =
  | { readonly kind: 'blocks'; readonly aggregator: Aggregator }
  | { readonly kind: 'huber'; readonly contamination: number; readonly failureProbability: number };

/** For untyped callers: something with the members of a plan that are used. */
export const requirePlan = <P>(plan: P, members = 'steps'): P =>
  requireMembers('plan', 'be a plan, as `planFit` or `planPrivate` makes one', plan, members);

/** What the noise was calibrated to; null where the plan is not private. */
export interface PrivacyTarget {
  readonly calibration: Calibration;
  readonly epsilon: number;
  readonly delta: number;
  readonly lipschitz: number;
  /** Where the guarantee is for all rows of a unit: how many of them may count, which `perUnit` must have ensured. */
  readonly unitRows?: number;
}

/**
 * How noise is calibrated: `exact` for steps over all rows, `parallel` for disjoint chunks, `paper` by the paper's
 * formulas.
 */
export type Calibration = 'exact' | 'parallel' | 'paper';

/**
 * A plan fixes a run before the first row is read: which rows each step sees, in how many blocks, with how much noise,
 * and what the rule does with the result. It couples sampling, noise and accounting, so they cannot disagree.
 */
export interface Plan<S extends Steps = readonly StepPlan[]> {
  /** Rows of the whole run; Infinity where it is endless. */
  readonly rows: number;
  /** The number of features, without the intercept. */
  readonly features: number;
  /** Whether theta has one more coordinate than there are features: the intercept, its last. */
  readonly intercept: boolean;
  /** The loss whose risk is minimised. */
  readonly loss: Loss;
  /** What turns gradients into steps. */
  readonly rule: UpdateRule;
  /** Where the first step begins. */
  readonly start: Vector;
  /** `fresh`: every row in at most one step; `full`: every step over all rows. */
  readonly mode: 'full' | 'fresh';
  /** How a gradient is estimated from a chunk. */
  readonly estimation: Estimation;
  /** The steps, in order. */
  readonly steps: S;
  /** Rows that no step uses. In full mode every step leaves out the same rows. */
  readonly leftOver: number;
  /** What the noise was calibrated to; null where the plan is not private. */
  readonly privacy: PrivacyTarget | null;
}
