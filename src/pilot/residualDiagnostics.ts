/** What the targets of a linear model, and their residuals at the first estimate, tell of the rows and of the loss. */
import type { NamedLoss } from '../loss/lossByName.ts';
import { slopeOfSlope } from '../loss/slopeOfSlope.ts';
import { meanOf } from '../math/meanOf.ts';
import type { Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { censoredTargets } from './censoredTargets.ts';
import { classCodes } from './classCodes.ts';
import { codedRows } from './codedRows.ts';
import { exactShare } from './exactShare.ts';
import { hasPilotEstimate } from './hasPilotEstimate.ts';
import { leastSquaresContrast } from './leastSquaresContrast.ts';
import type { MissingCode } from './missingCodes.ts';
import type { Pilot } from './pilot.ts';
import { type RejectedGroup, rejectedGroups } from './rejectedGroups.ts';
import { rejectedRows } from './rejectedRows.ts';
import { skewOf } from './skew.ts';
import type { Study } from './study.ts';
import { twoValues } from './twoValues.ts';
import type { WeightedRisk } from './weightedRisk.ts';

export type ResidualDiagnostics = Pick<
  Pilot,
  | 'residualScale'
  | 'outlierShare'
  | 'uncodedOutlierShare'
  | 'rejectedCodes'
  | 'rejectedRows'
  | 'exactShare'
  | 'twoTargets'
  | 'censoringBounds'
  | 'areCounts'
  | 'arePositive'
  | 'classCodes'
  | 'peakCurvatureRatio'
  | 'skew'
  | 'leastSquaresContrast'
  | 'rejectedGroups'
  | 'rejectedExtremes'
>;

/** In residual scales: one normal residual in five hundred million is so far off. */
export const OUTLIER_SCALES = 6;

/** Losses that hardly count a row far off, or not at all. */
const REDESCENDING = ['tukey', 'geman-mcclure'];

/** Of other targets than linear ones. */
export const NO_RESIDUALS: ResidualDiagnostics = {
  residualScale: 0,
  outlierShare: 0,
  uncodedOutlierShare: 0,
  rejectedCodes: [],
  rejectedRows: null,
  exactShare: 0,
  twoTargets: null,
  censoringBounds: [],
  areCounts: false,
  arePositive: false,
  classCodes: null,
  peakCurvatureRatio: 1,
  skew: 0,
  leastSquaresContrast: null,
  rejectedGroups: [],
  rejectedExtremes: [],
};

export interface FittedStudy {
  readonly loss: NamedLoss;
  readonly t: Vector;
  /** By leverage too, where that counts. */
  readonly weights: Float64Array;
  readonly risk: WeightedRisk;
  /** The sum over rows of how much the loss bends. */
  readonly bends: number;
  readonly residualScale: number;
  readonly toTheta: (t: Vector) => Vector;
  /** Of what is missing. */
  readonly codes: readonly MissingCode[];
}

/** `rows` are those of the study in the units of the data. */
export function residualDiagnostics(
  study: Study,
  rows: SampleBatch,
  { loss, t, weights, risk, bends, residualScale, toTheta, codes }: FittedStudy,
): ResidualDiagnostics {
  const { batch, penalties } = study;
  const residuals = risk.residuals(t, new Float64Array(batch.rows));
  const isRobust = hasPilotEstimate(loss.loss);
  const isRedescending = REDESCENDING.includes(loss.name);
  const groups = (of: 'levels' | 'numbers'): readonly RejectedGroup[] =>
    isRedescending ? rejectedGroups(batch, residuals, { loss: loss.loss, of }) : [];
  const ofMean =
    isRobust && penalties.every(penalty => penalty === 0)
      ? leastSquaresContrast(study, { loss: loss.loss, t, weights, reach: OUTLIER_SCALES * residualScale })
      : null;
  const limit = OUTLIER_SCALES * residualScale;
  const ofCodes = { codes, loss: isRedescending ? loss.loss : null, limit, weights: study.weights };
  const isCoded = (row: number): boolean =>
    codes.some(({ column, value }) => rows.columns[column]![row] === value);
  const out = isRedescending
    ? rejectedRows(study, {
        loss: loss.loss,
        t,
        weights,
        residuals,
        scale: residualScale,
        isCoded: codes.length > 0 ? isCoded : null,
      })
    : null;
  return {
    residualScale,
    outlierShare: shareBeyond(limit, residuals, study.weights),
    ...codedRows(rows, residuals, ofCodes),
    rejectedRows: out && { ...out, huber: out.huber && toTheta(out.huber) },
    exactShare: exactShare(rows.target, residuals, rows.weights),
    twoTargets: twoValues(rows),
    censoringBounds: censoredTargets(rows),
    areCounts: rows.target.every(isCount),
    arePositive: rows.target.every(target => target > 0),
    classCodes: classCodes(rows.target),
    peakCurvatureRatio:
      isRobust && bends > 0 ? Math.max(1, (slopeOfSlope(loss.loss, 0, 0) * batch.rows) / bends) : 1,
    skew: isRobust
      ? skewOf(residuals, { weights: rows.weights, scale: residualScale, reach: OUTLIER_SCALES })
      : 0,
    leastSquaresContrast: ofMean && { ...ofMean, theta: toTheta(ofMean.theta) },
    rejectedGroups: groups('levels'),
    rejectedExtremes: groups('numbers'),
  };
}

const isCount = (target: number): boolean => target >= 0 && Number.isInteger(target);

const shareBeyond = (limit: number, values: Float64Array, weights: Float64Array): number =>
  meanOf(
    values.map(value => (Math.abs(value) > limit ? 1 : 0)),
    weights,
  );
