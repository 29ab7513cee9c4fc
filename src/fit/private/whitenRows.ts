import type { Vector } from '../../math/vector.ts';
import { isPoissonWithin } from '../../plan/private/boundedLoss.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import type { IntegerNoise } from '../../privacy/integerNoise.ts';
import { ledger, type PrivacyLedger } from '../../privacy/ledger.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import type { Samples } from '../../sample/samples.ts';
import { scaledTarget } from '../../sample/transform/scaling.ts';
import { whitenedSamples } from '../../sample/transform/whitenedSamples.ts';
import { meanTarget, type Whitening, whiteningOf } from '../../sample/transform/whitening.ts';
import { type ReleasedMoments, releaseMoments } from './releaseMoments.ts';

export interface WhitenedRows {
  readonly rows: Samples;
  readonly spent: PrivacyLedger;
  /** Null where rows are only scaled. */
  readonly whitening: Whitening | null;
  readonly start: Vector;
}

/**
 * Rows for the steps of a private run, in the coordinates of their second moments where the plan has these; with the
 * cost of releasing them, and a start.
 */
export async function whitenRows(
  scaled: Samples,
  plan: PrivatePlan,
  mechanismFor: (noise: IntegerNoise) => Mechanism,
): Promise<WhitenedRows> {
  const { start } = plan.plan;
  if (plan.moments === null) return { rows: scaled, spent: ledger(), whitening: null, start };
  const { noise, whitenedLength } = plan.moments;
  const released = await releaseMoments(scaled, plan, mechanismFor(noise));
  const { intercept, features } = plan.plan;
  const whitening = whiteningOf(released.values, { features, intercept, sigma: released.sigma });
  return {
    rows: whitenedSamples(scaled, whitening, whitenedLength),
    spent: released.ledger,
    whitening,
    start: intercept ? atTheMean(start, plan, released) : start,
  };
}

/** A more extreme class probability is clamped to this, and a mean count to this share of the largest. */
const RAREST = 0.001;

/**
 * The start with an intercept that fits the mean target. Centres are noised: on its way from 0, a distant intercept
 * would move slopes along, and slopes of features whose variance is hidden by noise come back slowest.
 */
function atTheMean(
  start: Vector,
  { plan: { loss }, moments, scaling }: PrivatePlan,
  { values, sigma }: ReleasedMoments,
): Vector {
  const bound = scaledTarget(scaling);
  const mean = moments!.targetUnit * meanTarget(values, sigma);
  const moved = start.slice();
  if (loss.targets.least === -Infinity) moved[start.length - 1] = Math.min(bound, Math.max(-bound, mean));
  else if (loss.kernel?.kind.endsWith('logistic')) {
    const chance = Math.min(1 - RAREST, Math.max(RAREST, mean));
    moved[start.length - 1] = Math.log(chance / (1 - chance));
  } else if (isPoissonWithin(loss, scaling)) {
    moved[start.length - 1] = Math.log(Math.min(bound, Math.max(RAREST * bound, mean)));
  }
  return moved;
}
