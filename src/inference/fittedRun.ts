import type { Fit } from '../flow/summarize.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import type { Layout } from '../plan/layout.ts';
import type { Plan } from '../plan/plan.ts';
import type { Shortage } from './diagnostics/run/shortage.ts';
import type { BlockVariances } from './intervals/blockVariances.ts';
import type { FitIntervals } from './intervals/fitIntervals.ts';
import type { Released } from './intervals/private/privateUncertainty.ts';
import type { Pilot } from './pilot/studyPilot.ts';

/** Everything that a run over rows found: the fit itself, the pilot behind it, and its intervals. */
export interface FittedRun extends FitIntervals {
  /** As used: with a wider pilot than asked for, where that was too small. */
  readonly layout: Layout;
  /** The last iterate, and what the steps did. */
  readonly fit: Fit;
  /** The plan that was run. */
  readonly plan: Plan;
  /** The loss, with the parameter that it was tuned to. */
  readonly loss: NamedLoss;
  /** Whether the run chose the loss. */
  readonly isLossOpen: boolean;
  /** How many rows the pilot took, whether or not the steps use them too; 0 where there was none. */
  readonly pilotRows: number;
  /** What the pilot found; null where there was none. */
  readonly pilot: Pilot | null;
  /** The first pilot and what it was short of; null where it was large enough. */
  readonly widened: { readonly rows: number; readonly shortage: Shortage } | null;
  /** Whether the given start was so poor that the steps began at the pilot's estimate instead. */
  readonly ignoresStart: boolean;
  /**
   * The norm of the gradient that sampling noise makes at the best point, in the coordinates of the steps; null where
   * they have none.
   */
  readonly samplingNorm: number | null;
  /** The variance of the coefficients from blocks; null where the estimate is not an average over these. */
  readonly blockVariances: BlockVariances | null;
  /** The two fits whose weighted mean the estimate is; null where it is one fit. */
  readonly blend: FittedBlend | null;
  /** How well the estimate describes the pilot's rows; null where none was read. */
  readonly quality: FitQuality | null;
}

/** Huber's fit and the bisquare fit, with the run's rows, and how much the second counts. */
export interface FittedBlend {
  /** Of the bisquare fit, from 0 to 1. */
  readonly weight: number;
  /** That of the bisquare fit; Huber's is the loss of the run. */
  readonly loss: NamedLoss;
  readonly huber: Float64Array;
  readonly bisquare: Float64Array;
  /** The share of the pilot's rows, by weight, that the bisquare fit gives no weight. */
  readonly weightlessShare: number;
}

/** Measures of fit on rows of the run itself, as far as they suit the loss. On rows of its own use `evaluate`. */
export interface FitQuality {
  /** The number of rows measured. */
  readonly rows: number;
  /** For the squared loss: the share of the target's variance that is explained, and the standard deviation left. */
  readonly r2?: number;
  readonly residualError?: number;
  /** For robust losses: 1.4826 times the median absolute residual, and 1 less its square over the target's own. */
  readonly residualScale?: number;
  readonly robustR2?: number;
  /** For classes: the chance that a random one scores above a random zero. */
  readonly auc?: number;
  /** For classes and counts: the share of the deviance of a constant that the model removes. */
  readonly devianceExplained?: number;
}

/** A run with a pilot, which most notes are about. */
export interface PilotedRun extends FittedRun {
  readonly pilot: Pilot;
}

/** What a private run released. `theta` is in the units of the data; `fit.theta` in those of the scaled rows. */
export interface PrivateFit {
  readonly theta: Float64Array;
  readonly fit: Fit;
  /** What second moments, the curvature after the last step and the path of the steps showed; null where there were only steps. */
  readonly released: Released | null;
  /**
   * The mean of the last gradients, over what noise explains: above 1, the descent had not converged (settling.ts).
   * Null where that is unknown.
   */
  readonly pull: number | null;
}
