import type { Vector } from '../../math/vector.ts';
import { leastValue } from '../../method/loss/loss.ts';
import type { NamedLoss } from '../../method/loss/lossByName.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Pilot } from '../pilot/pilot.ts';
import { weightedRisk } from '../pilot/weightedRisk.ts';

/**
 * Whether a start is so much worse than the pilot's estimate, by the excess risk of the pilot's rows over the smallest
 * possible, that steps may not recover: beyond the reach of a redescending loss no row has influence, and where classes
 * seem certain, hardly any. Least squares is one step away from anywhere.
 */
export function isPoorStart(
  batch: SampleBatch,
  start: Vector,
  {
    pilot,
    loss,
    intercept,
  }: { readonly pilot: Pilot; readonly loss: NamedLoss; readonly intercept: boolean },
): boolean {
  if (loss.name === 'squared') return false;
  const weights = batch.weights ?? new Float64Array(batch.rows).fill(1);
  const risk = weightedRisk(batch, { intercept, weights });
  const least =
    batch.target.reduce((sum, y, i) => sum + weights[i]! * leastValue(loss.loss, y), 0) / batch.rows;
  const excessAt = (theta: Vector): number => risk.value(loss.loss, theta) - least;
  return !(excessAt(start) <= WORSE * excessAt(pilot.estimate.theta));
}

/** Times the pilot's excess risk: a model of another sample of such rows is within a few per cent. */
const WORSE = 1.2;
