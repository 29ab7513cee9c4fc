import type { NamedLoss } from '../loss/lossByName.ts';
import type { Vector } from '../math/vector.ts';
import type { Pilot } from '../plan/pilot.ts';
import { weightedRisk } from '../plan/weightedRisk.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

/**
 * Whether a start is so much worse than the pilot's own estimate, by the risk of the pilot's rows, that steps may not come back from it: beyond the reach of a redescending loss no row pulls at all, and where classes seem sure, hardly
 * any. From anywhere least squares is one step away.
 */
export function startsFarOff(
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
  return !(risk.value(loss.loss, start) <= FAR_OFF * risk.value(loss.loss, pilot.start));
}

/** A model of rows like these, from other samples, is within a few per cent. */
const FAR_OFF = 1.2;
