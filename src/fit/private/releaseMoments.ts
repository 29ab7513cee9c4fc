import { momentSummer } from '../../engine/kernel/momentSummer.ts';
import type { Vector } from '../../math/vector.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import { integerRelease } from '../../privacy/integerRelease.ts';
import { ledger, type PrivacyLedger } from '../../privacy/ledger.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import type { Samples } from '../../sample/samples.ts';
import { requireRows } from '../input/withChunks.ts';

export interface ReleasedMoments {
  /** Means over all rows, with noise, as `momentSummer` has them. */
  readonly values: Vector;
  readonly sigma: number;
  readonly ledger: PrivacyLedger;
}

/**
 * The first release of a private run whose plan wants one: second moments of all rows, charged before their noise is
 * drawn.
 */
export async function releaseMoments(
  samples: Samples,
  { plan, moments }: Pick<PrivatePlan, 'plan' | 'moments'>,
  mechanism: Mechanism,
): Promise<ReleasedMoments> {
  // Before anything is charged.
  requireRows(samples, plan);
  const { rows, features } = plan;
  const { noise, norm, targetUnit } = moments!;
  const release = integerRelease(noise, { chunk: 'all', rowsPerBlock: rows });
  const spent = ledger().charge(mechanism.event(release));
  const { grid, squaredNorm } = noise;
  const summer = momentSummer({ features, rows, norm, targetUnit, grid, squaredNorm });
  for await (const batch of samples.batches()) summer.add(batch);
  const { sums } = mechanism.perturb(summer.finish(), release);
  return { values: sums.map(sum => sum / rows), sigma: release.sigma, ledger: spent };
}
