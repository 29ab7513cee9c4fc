import type { Fit } from '../../../flow/summarize.ts';
import type { Coordinates } from '../../../math/coordinates.ts';
import { scaled, times, type Vector, blend as weightedMean } from '../../../math/vector.ts';
import { type Loss, slopeOfSlope } from '../../../method/loss/loss.ts';
import type { NamedLoss } from '../../../method/loss/lossByName.ts';
import type { FittedStudy } from '../fittedStudy.ts';
import { curvatureFactor } from '../risk/curvatureFactor.ts';
import type { WeightSummary } from '../standardized.ts';
import type { PilotEstimate } from '../studyPilot.ts';

/** One of the fits that an estimate is the weighted mean of; one of weight 1 where there is no other. */
export interface FitPart {
  /** Its weight in the estimate. */
  readonly share: number;
  readonly loss: NamedLoss;
  /** With the intercept last, where there is one. */
  readonly theta: Vector;
  /** In which steps of length 1 lead to its minimum: its curvature is the identity there, or less. */
  readonly coordinates: Coordinates;
}

/** A blend (blend.ts) in the units of the data, with what steps over further rows need. */
export interface PilotBlend {
  /** w, the weight of the bisquare fit. */
  readonly weight: number;
  /** Huber's fit and the bisquare fit, and the error of each: noise/n is that of an estimate from n rows. */
  readonly fits: readonly [FitPart & { readonly noise: number }, FitPart & { readonly noise: number }];
  /** The number of rows in both halves of a split. */
  readonly rowsHeld: number;
  /** Vectors whose outer products add up to the covariance of an estimate of the pilot's rows. */
  readonly spread: readonly Vector[];
  /**
   * Of the gradients of both losses, one behind the other, to what they move the estimate by, in coordinates in which
   * the curvature of Huber's loss is the identity.
   */
  readonly coordinates: Coordinates;
}

export function pilotBlend(
  { study, standardized, estimate, risk }: FittedStudy,
  { mean, meanOfRun }: Pick<WeightSummary, 'mean' | 'meanOfRun'>,
): PilotBlend | null {
  const { blend, loss } = estimate;
  if (blend === undefined) return null;
  const { weight, huber: t } = blend;
  const { toTheta, ofGradient } = standardized;
  const unit = 1 / Math.sqrt(meanOfRun);
  const { curvature } = risk.derivatives(loss.loss, t);
  const factor = curvatureFactor(curvature, risk.size, study.intercept);
  const inner: Coordinates = {
    size: risk.size,
    rank: factor.kept.length,
    toTheta: factor.solveTransposed,
    ofGradient: factor.solveFactor,
  };
  const inUnits = ({ size, rank, ...maps }: Coordinates): Coordinates => ({
    size,
    rank,
    toTheta: phi => scaled(toTheta(maps.toTheta(phi)), unit),
    ofGradient: gradient => scaled(maps.ofGradient(ofGradient(gradient)), unit),
  });
  const partOf = (share: number, named: NamedLoss, at: Vector, coordinates: Coordinates) => ({
    share,
    loss: named,
    theta: toTheta(at),
    coordinates: inUnits(coordinates),
    noise: coordinates.rank * mean * noiseOf(named.loss, at),
  });
  const noiseOf = (of: Loss, at: Vector): number => {
    const { rows } = study.batch;
    const residuals = risk.residuals(at, new Float64Array(rows));
    let [squares, bends] = [0, 0];
    for (let i = 0; i < rows; i++) {
      const r = -residuals[i]!;
      squares += (study.weights[i]! * of.slope(r, 0)) ** 2;
      bends += study.weights[i]! * Math.max(0, slopeOfSlope(of, r, 0));
    }
    return bends > 0 ? squares / bends : 0;
  };
  const fits = [partOf(1 - weight, loss, t, inner), partOf(weight, blend.loss, blend.t, blend.coordinates)] as const;
  const { size } = risk;
  return {
    weight,
    fits,
    rowsHeld: blend.rowsHeld,
    spread: blend.spread.map(toTheta),
    coordinates: {
      size,
      rank: inner.rank,
      toTheta: inUnits(inner).toTheta,
      ofGradient(both) {
        const [ofHuber, ofBisquare] = [both.subarray(0, size), both.subarray(size)].map(ofGradient) as [Vector, Vector];
        const { toTheta: outOf, ofGradient: into } = blend.coordinates;
        const moved = inner.ofGradient(times(curvature, outOf(into(ofBisquare))));
        return scaled(weightedMean(inner.ofGradient(ofHuber), moved, weight), unit);
      },
    },
  };
}

/** That of the weighted mean, whose fits see the same rows and so err together. */
export const noiseOf = ({ fits }: Pick<PilotBlend, 'fits'>): number =>
  fits.reduce((sum, { share, noise }) => sum + share * Math.sqrt(noise), 0) ** 2;

/** The fits of a run with what its steps found, or its one fit. */
export function partsOf(
  { loss, coordinates, blend }: Pick<PilotEstimate, 'loss' | 'coordinates' | 'blend'>,
  { theta, parts }: Pick<Fit, 'theta' | 'parts'>,
): readonly FitPart[] {
  if (blend === null || parts === undefined) return [{ share: 1, loss, theta, coordinates }];
  return blend.fits.map((part, k) => ({ ...part, theta: parts[k]! }));
}
