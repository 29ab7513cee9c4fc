import { curvatureSummer } from '../../engine/kernel/curvatureSummer.ts';
import { bendOfClasses, type ReleasedCurvature } from '../../inference/intervals/private/riskAxes.ts';
import { norm, type Vector } from '../../math/vector.ts';
import { slopeOfSlope } from '../../method/loss/loss.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import { integerRelease } from '../../privacy/integerNoise.ts';
import type { PrivacyLedger } from '../../privacy/ledger.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import type { Samples } from '../../sample/samples.ts';

/**
 * The last release of a private run that began with second moments: the curvature of the risk where the steps ended,
 * and the variance of gradients there, from which intervals are made. It is charged before its noise is drawn. The
 * directions depend on what was released before.
 */
export async function releaseCurvature(
  rows: Samples,
  { plan: { loss, intercept }, curvatureRelease }: Pick<PrivatePlan, 'plan' | 'curvatureRelease'>,
  { theta, ledger }: { readonly theta: Vector; readonly ledger: PrivacyLedger },
  mechanism: Mechanism,
): Promise<{ readonly released: ReleasedCurvature; readonly ledger: PrivacyLedger }> {
  const { noise, bend, ...held } = curvatureRelease!;
  const release = integerRelease(noise, { chunk: 'all', rowsPerBlock: rows.rows });
  const charged = ledger.charge(mechanism.event(release));
  const slopes = intercept ? theta.subarray(0, -1) : theta;
  const along = directionOf(slopes);
  const summer = curvatureSummer({
    ...held,
    loss,
    bend: { at: (score, target) => slopeOfSlope(loss, score, target), most: bend },
    at: theta,
    along,
    intercept,
    rows: rows.rows,
    grid: noise.grid,
    squaredNorm: noise.squaredNorm,
  });
  for await (const batch of rows.batches()) summer.add(batch);
  const { sums } = mechanism.perturb(summer.finish(), release);
  const expected = bendOfClasses(loss, norm(slopes), intercept ? theta.at(-1)! : 0);
  const values = sums.map(sum => sum / rows.rows);
  return { released: { values, sigma: release.sigma, along, expected }, ledger: charged };
}

/** For slopes that are all 0, along all coordinates equally. */
function directionOf(slopes: Vector): Vector {
  const length = norm(slopes);
  return slopes.map(slope => (length > 0 ? slope / length : 1 / Math.sqrt(slopes.length)));
}
