import type { Vector } from '../../../math/vector.ts';
import { leastValue } from '../../../method/loss/loss.ts';
import type { NamedLoss } from '../../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import type { FittedRun } from '../../fittedRun.ts';
import { weightedRisk } from '../../pilot/risk/weightedRisk.ts';
import type { Pilot } from '../../pilot/studyPilot.ts';
import { ABOUT_PENALISED, digits, type Told } from '../notes.ts';

/**
 * Whether a start is so much worse than the pilot's estimate, by the excess risk of the pilot's rows over the smallest
 * possible, that steps may not recover: beyond the reach of a redescending loss no row has influence, and where classes
 * seem certain, hardly any. Least squares is one step away from anywhere.
 */
export function isPoorStart(
  batch: SampleBatch,
  start: Vector,
  { pilot, loss, intercept }: { readonly pilot: Pilot; readonly loss: NamedLoss; readonly intercept: boolean },
  times = WORSE,
): boolean {
  if (loss.name === 'squared') return false;
  const weights = batch.weights ?? new Float64Array(batch.rows).fill(1);
  const risk = weightedRisk(batch, { intercept, weights });
  const least = batch.target.reduce((sum, y, i) => sum + weights[i]! * leastValue(loss.loss, y), 0) / batch.rows;
  const excessAt = (theta: Vector): number => risk.value(loss.loss, theta) - least;
  return !(excessAt(start) <= times * excessAt(pilot.estimate.theta));
}

/** Times the pilot's excess risk: a model of another sample of such rows is within a few per cent. */
const WORSE = 1.2;

export function startNotes({ ignoresStart }: FittedRun): Told {
  return ignoresStart
    ? "the given start is too far from the pilot's estimate for steps to be sure to converge, so they began at the pilot's estimate instead; check that the start is a model of these data"
    : null;
}

/** The rows with the largest gradients, by loss. */
const INFORMATIVE: Readonly<Record<string, string>> = {
  logistic: 'those of the less expected class',
  poisson: 'those with large counts',
};

/** Under these losses the rows with the largest gradients are not outliers. */
export function aggregateNotes({ plan, loss }: FittedRun): Told {
  return plan.estimation.kind === 'huber' && loss.loss.targets.least > -Infinity
    ? `the huber aggregate rejects the most informative rows of a ${loss.name} fit, ${INFORMATIVE[loss.name] ?? 'those with large gradients'}: coefficients are biased even on clean data; use \`aggregate: 'median-of-means'\`, or none`
    : null;
}

export function penaltyNotes({ plan, uncertainty }: FittedRun): Told {
  const { penalty } = plan.loss;
  return penalty > 0 && uncertainty !== null
    ? `\`penalty: ${digits(penalty)}\` shrinks coefficients towards 0; ${ABOUT_PENALISED}`
    : null;
}
