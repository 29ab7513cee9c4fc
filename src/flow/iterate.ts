import type { Vector } from '../math/vector.ts';
import type { PrivacyLedger } from '../privacy/ledger.ts';
import type { Gradient } from '../sample/gradientSums.ts';

/** The state of a descent after a step; step 0 is the start. */
export interface Iterate {
  readonly step: number;
  readonly theta: Vector;
  /** The gradient that the step used; null for the start. */
  readonly gradient: Gradient | null;
  /** Rows whose gradients entered this step. */
  readonly rows: number;
  /** Rows that the estimate rests on, where the rule brings earlier steps to bear on it. */
  readonly rowsBehind?: number;
  /** The fits that theta is a weighted mean of, where the rule has several. */
  readonly parts?: readonly Vector[];
  /** The rule's state after the step, as plain data: what a later run goes on from. */
  readonly state?: unknown;
  /** Everything charged up to and including this step. */
  readonly ledger: PrivacyLedger;
}
