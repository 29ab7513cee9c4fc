import type { BlockSummer } from '../../engine/kernel/blockSummer.ts';
import { curvatureSummer, momentSummer } from '../../engine/kernel/wholeSummer.ts';
import { bendOfClasses, type ReleasedCurvature } from '../../inference/intervals/private/riskAxes.ts';
import { norm, type Vector } from '../../math/vector.ts';
import { slopeOfSlope } from '../../method/loss/loss.ts';
import { isPoissonWithin } from '../../plan/private/boundedLoss.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import { type IntegerNoise, integerRelease } from '../../privacy/integerNoise.ts';
import { ledger, type PrivacyLedger } from '../../privacy/ledger.ts';
import type { Mechanism, Release } from '../../privacy/mechanism.ts';
import { curvaturePlaces } from '../../sample/curvaturePlaces.ts';
import type { BlockSums } from '../../sample/gradientSums.ts';
import type { Samples } from '../../sample/samples.ts';
import { whitenedSamples } from '../../sample/transform/scaledSamples.ts';
import { scaledTarget } from '../../sample/transform/scaling.ts';
import { meanTarget, momentCount, type Whitening, whiteningOf } from '../../sample/transform/whitening.ts';
import { requireRows } from '../input/withChunks.ts';

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

/** Second moments with noise, and what they cost. */
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
  const { sums } = mechanism.perturb(
    mechanism.isKnown?.() ? nothing(momentCount(features), rows, noise) : await summed(samples, summer),
    release,
  );
  return { values: sums.map(sum => sum / rows), sigma: release.sigma, ledger: spent };
}

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
  const { sums } = mechanism.perturb(
    mechanism.isKnown?.() ? nothing(curvaturePlaces(theta.length).count, rows.rows, noise) : await summed(rows, summer),
    release,
  );
  const expected = bendOfClasses(loss, norm(slopes), intercept ? theta.at(-1)! : 0);
  const values = sums.map(sum => sum / rows.rows);
  return { released: { values, sigma: release.sigma, along, expected }, ledger: charged };
}

/** Every release of a private run with its noise, in the order in which they are made. */
export function plannedReleases({
  plan,
  noise,
  moments,
  curvatureRelease,
}: PrivatePlan): readonly { readonly noise: IntegerNoise; readonly release: Release }[] {
  const ofAll = (own: IntegerNoise) => ({
    noise: own,
    release: integerRelease(own, { chunk: 'all', rowsPerBlock: plan.rows }),
  });
  return [
    ...(moments === null ? [] : [ofAll(moments.noise)]),
    ...plan.steps.map(step => ({ noise, release: step.release! })),
    ...(moments === null ? [] : [ofAll(curvatureRelease!.noise)]),
  ];
}

async function summed(rows: Samples, summer: BlockSummer): Promise<BlockSums<'raw'>> {
  for await (const batch of rows.batches()) summer.add(batch);
  return summer.finish();
}

/** Sums in the place of those that a known release was made from. */
export const nothing = (
  numbers: number,
  rowsPerBlock: number,
  { grid, squaredNorm }: IntegerNoise,
  blocks = 1,
): BlockSums<'raw'> => ({
  sums: new Float64Array(numbers * blocks),
  blocks,
  rowsPerBlock,
  privacy: 'raw',
  grid,
  squaredNorm,
});

/** For slopes that are all 0, along all coordinates equally. */
function directionOf(slopes: Vector): Vector {
  const length = norm(slopes);
  return slopes.map(slope => (length > 0 ? slope / length : 1 / Math.sqrt(slopes.length)));
}
