import type { Vector } from '../math/vector.ts';
import type { PrivacyLedger } from '../privacy/ledger.ts';

/** The state of a descent after a step; step 0 is the start. */
export interface Iterate {
  readonly step: number;
  readonly theta: Vector;
  /** Rows whose gradients entered this step. */
  readonly rows: number;
  /** Everything charged up to and including this step. */
  readonly ledger: PrivacyLedger;
}
