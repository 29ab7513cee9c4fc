/** What kind of targets the pilot's rows have: counts, classes, censored values, or too few events. */

import { isGlm } from '../../method/loss/glm.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { FittedStudy } from '../pilot/fittedStudy.ts';
import { twoValues } from '../pilot/twoValues.ts';
import { type CensoringBound, censoredTargets } from './censoredTargets.ts';
import { type ClassCodes, classCodes } from './classCodes.ts';
import { type ExtremeCounts, extremeCounts } from './extremeCounts.ts';

/** For linear targets, unless said otherwise. */
export interface TargetDiagnostics {
  /** The target where all rows of positive weight have the same, for any loss; null otherwise. */
  readonly constant: number | null;
  /** The targets where they have just two values; null otherwise. */
  readonly twoValues: readonly [number, number] | null;
  /** Bounds that many targets equal exactly though the others hardly have ties (censoredTargets.ts). */
  readonly censoringBounds: readonly CensoringBound[];
  /** Whether every target is a whole number of 0 or more. */
  readonly areCounts: boolean;
  /** Whether every target is above 0, so that it has a logarithm. */
  readonly arePositive: boolean;
  /** Targets that may be codes of classes (classCodes.ts); null otherwise. */
  readonly classCodes: ClassCodes | null;
  /** Counts far beyond all others that move a Poisson fit (extremeCounts.ts); null for other losses. */
  readonly extremeCounts: ExtremeCounts | null;
  /**
   * For generalized linear models: the effective number of events, where a class that is certain adds none; null where
   * there are enough of them.
   */
  readonly fewEvents: number | null;
  /** Rows of the rarer class; null unless events are few and the targets classes. */
  readonly rarerClass: number | null;
}

/**
 * With fewer, the fit has followed each of them, and intervals are too narrow: of nominal 95 %, 75 to 80 % covered the
 * true value with one event per coefficient, 89 % with two.
 */
const EVENTS_PER_COEFFICIENT = 5;

export function targetDiagnostics(fitted: FittedStudy): TargetDiagnostics {
  const { study, rows, standardized, estimate, t, curvature } = fitted;
  const { loss, isSeparated = false } = estimate;
  const { target } = rows;
  const extreme = loss.name === 'poisson' && !isSeparated ? extremeCounts(study, loss.loss, t) : null;
  const hasFewEvents =
    isGlm(loss) && !isSeparated && curvature.total < EVENTS_PER_COEFFICIENT * study.penalties.length;
  return {
    constant: target.every(value => value === target[0]) ? target[0]! : null,
    ...(estimate.residualScale > 0 ? linearTargets(rows) : NOT_LINEAR),
    extremeCounts: extreme && { ...extreme, without: standardized.toTheta(extreme.without) },
    fewEvents: hasFewEvents ? Math.max(1, Math.round(curvature.total)) : null,
    rarerClass: hasFewEvents && loss.name === 'logistic' ? rarerIn(target) : null,
  };
}

type LinearTargets = Pick<
  TargetDiagnostics,
  'twoValues' | 'censoringBounds' | 'areCounts' | 'arePositive' | 'classCodes'
>;

const linearTargets = (rows: SampleBatch): LinearTargets => ({
  twoValues: twoValues(rows),
  censoringBounds: censoredTargets(rows),
  areCounts: rows.target.every(value => value >= 0 && Number.isInteger(value)),
  arePositive: rows.target.every(value => value > 0),
  classCodes: classCodes(rows.target),
});

const NOT_LINEAR: LinearTargets = {
  twoValues: null,
  censoringBounds: [],
  areCounts: false,
  arePositive: false,
  classCodes: null,
};

/** Of targets of 0 and 1. */
function rarerIn(target: Float64Array): number {
  const ones = target.reduce((count, value) => (value === 1 ? count + 1 : count), 0);
  return Math.min(ones, target.length - ones);
}
