import type { Fit } from '../../flow/summarize.ts';
import { medianVariance } from '../../method/aggregate/geometricMedian.ts';
import type { StepSettings } from '../../plan/stepSettings.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import { partsOf } from '../pilot/blend/pilotBlend.ts';
import type { Pilot } from '../pilot/studyPilot.ts';
import type { BlockVariances } from './blockVariances.ts';
import { type Neighbours, neighbours } from './neighbours/neighbours.ts';
import { type SandwichVariances, sandwichVariances } from './sandwichVariances.ts';
import { covarianceOf, type FitUncertainty, residualDegrees, uncertaintyOf } from './uncertaintyOf.ts';

/**
 * Which intervals a run has, and why it has none: from single rows where all are in memory, otherwise from blocks, and
 * wider where neighbouring rows of the file are correlated.
 */
export interface FitIntervals {
  /** How far neighbouring rows of the file are correlated; null where they are not, or where that was not tested. */
  readonly neighbours: Neighbours | null;
  readonly uncertainty: FitUncertainty | null;
  /** The covariance of the coefficients, row by row, computed when it is asked for; null where there are no intervals. */
  covariance(): Float64Array | null;
  /** Why there are no intervals; null where there are. */
  readonly noIntervals: string | null;
}

interface IntervalOptions {
  readonly fit: Fit;
  readonly blockVariances: BlockVariances | null;
  readonly settings: StepSettings & {
    /** Positions in the file of the first rows of the run, at most `most`; without it neighbours are not tested. */
    readonly places?: (most: number) => Float64Array;
  };
}

/** `studied` is the pilot and its rows; null where none was read. */
export function fitIntervals(
  studied: { readonly pilot: Pilot; readonly batch: SampleBatch } | null,
  { fit, blockVariances, settings }: IntervalOptions,
): FitIntervals {
  const unsure = whyNoIntervals(settings, studied?.pilot ?? null);
  if (studied === null)
    return {
      neighbours: null,
      uncertainty: null,
      covariance: () => null,
      noIntervals: unsure ?? whyNone(null, fit, settings),
    };
  const { pilot, batch } = studied;
  const correlated = neighboursIn(batch, pilot, fit, settings);
  const canTell = unsure === null && hasFiniteEstimate(pilot) && !pilot.estimate.isLossTooNarrow;
  const byRows = usesRows(settings);
  const rows = canTell && byRows ? varianceByRows(batch, pilot, fit) : null;
  const told = canTell
    ? uncertaintyOf({
        fit,
        pilot,
        rows,
        blocks: byRows ? null : blockVariances && inflated(blockVariances, settings, pilot),
        neighbours: correlated,
      })
    : null;
  // Rows that all are as the fit says, such as those of a constant target, show no noise: intervals would have no width.
  const showsNoise = told?.errors.some(error => error > 0) ?? true;
  const uncertainty = showsNoise ? told : null;
  return {
    neighbours: correlated,
    uncertainty,
    covariance: () => uncertainty && covarianceOf({ rows, pilot }, uncertainty),
    noIntervals: uncertainty
      ? null
      : (unsure ??
        (showsNoise ? whyNone(pilot, fit, settings) : 'no row differs from the fit, so the noise is unknown')),
  };
}

/** Single rows do not show that a bisquare fit may change from one minimum to another, but half-samples do. */
function varianceByRows(batch: SampleBatch, { estimate }: Pilot, fit: Fit): SandwichVariances | null {
  const found = sandwichVariances(batch, partsOf(estimate, fit));
  const { blend } = estimate;
  if (found === null || blend === null) return found;
  const byHalves = found.variances.map((_, j) => blend.spread.reduce((sum, away) => sum + away[j]! ** 2, 0));
  return { ...found, variances: found.variances.map((variance, j) => Math.max(variance, byHalves[j]!)) };
}

/** Whether there is a finite estimate. */
const hasFiniteEstimate = ({ estimate, columns }: Pilot): boolean =>
  !estimate.isSeparated && columns.unbounded.length === 0;

function whyNone(pilot: Pilot | null, fit: Fit, settings: StepSettings): string {
  if (pilot?.estimate.isLossTooNarrow) return 'too few rows are within reach of the loss to estimate its curvature';
  if (pilot && !hasFiniteEstimate(pilot)) return 'there is no finite estimate';
  if (usesRows(settings) || (pilot && residualDegrees(fit, pilot) < 1))
    return 'there are no more effective rows than coefficients';
  return settings.layout.blocks === 1
    ? 'they come from differences between blocks, and there is only one'
    : 'the rows do not fill the blocks';
}

/** Whether the estimate is an average over rows that are all in memory, so that each row's influence is known. */
const usesRows = ({ layout, aggregate }: StepSettings): boolean =>
  layout.sharesPilot && aggregate !== 'median-of-means';

/** Tests the pilot's rows in the order of the file. */
function neighboursIn(
  batch: SampleBatch,
  { estimate }: Pilot,
  fit: Fit,
  { intercept, places: placesOf }: IntervalOptions['settings'],
): Neighbours | null {
  const places = placesOf?.(Math.min(batch.rows, MOST_NEIGHBOURS));
  if (places === undefined) return null;
  return neighbours(rowsBetween(batch, 0, places.length), {
    places,
    parts: partsOf(estimate, fit),
    intercept,
    coordinates: estimate.coordinates,
  });
}

/** The size of the largest pilot. */
const MOST_NEIGHBOURS = 100_000;

/** By the variance of a median over that of a mean. */
function inflated(variances: BlockVariances, { aggregate }: StepSettings, { estimate }: Pilot): BlockVariances {
  if (aggregate !== 'median-of-means') return variances;
  const factor = medianVariance(estimate.coordinates.rank);
  return { ...variances, variances: variances.variances.map(variance => factor * variance) };
}

/** Why blocks cannot give intervals; null where they can: for steps by the pilot's curvature, averaged over the run. */
export function whyNoIntervals(
  { method, stepSize, constraint, aggregate }: StepSettings,
  pilot: Pilot | null,
): string | null {
  if (pilot === null) return 'without a pilot the curvature is unknown';
  if (constraint !== undefined) return 'the estimate is constrained to a set, which block differences do not reflect';
  if (stepSize !== undefined) return 'steps of a given size need not converge';
  if (method === 'nesterov') return 'block differences do not reflect the momentum';
  if (typeof aggregate === 'object') {
    return 'huber' in aggregate
      ? 'the huber aggregate has no blocks'
      : `it is unknown how ${aggregate.name} treats block differences`;
  }
  return null;
}
