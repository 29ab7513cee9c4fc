/**
 * A plan fixes a run before the first row is read: which rows each step sees, in how many blocks, with how much noise,
 * and what the rule does with the result. It couples sampling, noise and accounting, so they cannot disagree.
 */

import type { Vector } from '../math/vector.ts';
import type { Aggregator } from '../method/aggregate/aggregator.ts';
import type { Loss } from '../method/loss/loss.ts';
import type { UpdateRule } from '../method/rule/updateRule.ts';
import type { RowSet } from '../privacy/event.ts';
import type { Release } from '../privacy/mechanism.ts';

export interface StepPlan {
  /** The rows: chunk t of the split, or all of them. */
  readonly chunk: RowSet;
  readonly rows: number;
  readonly blocks: number;
  readonly rowsPerBlock: number;
  /** Rows beyond the last block that a mean over all rows includes anyway; 0 unless given. */
  readonly rest?: number;
  /** The noised release of this step; null where the plan is not private. */
  readonly release: Release | null;
}

/** The number of rows that enter a step. */
export const rowsUsed = ({ blocks, rowsPerBlock, rest = 0 }: StepPlan): number =>
  blocks * rowsPerBlock + rest;

export type Estimation =
  | { readonly kind: 'blocks'; readonly aggregator: Aggregator }
  | { readonly kind: 'huber'; readonly contamination: number; readonly failureProbability: number };

/** What the noise was calibrated to; null where the plan is not private. */
export interface PrivacyTarget {
  readonly calibration: Calibration;
  readonly epsilon: number;
  readonly delta: number;
  readonly lipschitz: number;
  /** Where the guarantee is for all rows of a unit: how many of them may count, which `perUnit` must have ensured. */
  readonly unitRows?: number;
}

export type Calibration = 'exact' | 'parallel' | 'paper';

export interface Plan {
  readonly rows: number;
  readonly features: number;
  /** Whether theta has one more coordinate than there are features: the intercept, its last. */
  readonly intercept: boolean;
  readonly loss: Loss;
  readonly rule: UpdateRule;
  readonly start: Vector;
  readonly mode: 'full' | 'fresh';
  readonly estimation: Estimation;
  readonly steps: readonly StepPlan[];
  /** Rows that no step uses. In full mode every step leaves out the same rows. */
  readonly leftOver: number;
  readonly privacy: PrivacyTarget | null;
}
