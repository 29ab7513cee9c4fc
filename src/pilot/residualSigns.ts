/** What the targets of a linear model, and their residuals at the first estimate, tell of the rows and of the loss. */
import type { NamedLoss } from '../loss/lossByName.ts';
import { slopeOfSlope } from '../loss/slopeOfSlope.ts';
import { meanOf } from '../math/meanOf.ts';
import type { Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { classCodes } from './classCodes.ts';
import { codeRows } from './codeRows.ts';
import { cutOffTargets } from './cutOffTargets.ts';
import { exactShare } from './exactShare.ts';
import { hasEstimate } from './hasEstimate.ts';
import { type LeftOutGroup, leftOutGroups } from './leftOutGroups.ts';
import { leftOutRows } from './leftOutRows.ts';
import type { MissingCode } from './missingCodes.ts';
import type { Pilot } from './pilot.ts';
import { skewOf } from './skew.ts';
import { slopesOfMean } from './slopesOfMean.ts';
import type { Study } from './study.ts';
import { twoValues } from './twoValues.ts';
import type { WeightedRisk } from './weightedRisk.ts';

export type ResidualSigns = Pick<
  Pilot,
  | 'residualScale'
  | 'farShare'
  | 'farBesideCodes'
  | 'leftOutCodes'
  | 'leftOutRows'
  | 'exactShare'
  | 'twoTargets'
  | 'cutOff'
  | 'areCounts'
  | 'arePositive'
  | 'classCodes'
  | 'bendAtFit'
  | 'skew'
  | 'slopesOfMean'
  | 'leftOutGroups'
  | 'leftOutFar'
>;

/** In residual scales: one normal residual in five hundred million is so far off. */
export const FAR_OFF = 6;

/** Losses that hardly count a row far off, or not at all. */
const LEAVE_OUT = ['tukey', 'geman-mcclure'];

/** Of other targets than linear ones. */
export const NO_SIGNS: ResidualSigns = {
  residualScale: 0,
  farShare: 0,
  farBesideCodes: 0,
  leftOutCodes: [],
  leftOutRows: null,
  exactShare: 0,
  twoTargets: null,
  cutOff: [],
  areCounts: false,
  arePositive: false,
  classCodes: null,
  bendAtFit: 1,
  skew: 0,
  slopesOfMean: null,
  leftOutGroups: [],
  leftOutFar: [],
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
export function residualSigns(
  study: Study,
  rows: SampleBatch,
  { loss, t, weights, risk, bends, residualScale, toTheta, codes }: FittedStudy,
): ResidualSigns {
  const { batch, penalties } = study;
  const residuals = risk.residuals(t, new Float64Array(batch.rows));
  const isRobust = hasEstimate(loss.loss);
  const leaves = LEAVE_OUT.includes(loss.name);
  const groups = (of: 'levels' | 'numbers'): readonly LeftOutGroup[] =>
    leaves ? leftOutGroups(batch, residuals, { loss: loss.loss, of }) : [];
  const ofMean =
    isRobust && penalties.every(penalty => penalty === 0)
      ? slopesOfMean(study, { loss: loss.loss, t, weights, reach: FAR_OFF * residualScale })
      : null;
  const limit = FAR_OFF * residualScale;
  const ofCodes = { codes, loss: leaves ? loss.loss : null, limit, weights: study.weights };
  const isCoded = (row: number): boolean =>
    codes.some(({ column, value }) => rows.columns[column]![row] === value);
  const out = leaves
    ? leftOutRows(study, {
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
    farShare: shareBeyond(limit, residuals, study.weights),
    ...codeRows(rows, residuals, ofCodes),
    leftOutRows: out && { ...out, counted: out.counted && toTheta(out.counted) },
    exactShare: exactShare(rows.target, residuals, rows.weights),
    twoTargets: twoValues(rows),
    cutOff: cutOffTargets(rows),
    areCounts: rows.target.every(isCount),
    arePositive: rows.target.every(target => target > 0),
    classCodes: classCodes(rows.target),
    bendAtFit: isRobust && bends > 0 ? Math.max(1, (slopeOfSlope(loss.loss, 0, 0) * batch.rows) / bends) : 1,
    skew: isRobust ? skewOf(residuals, { weights: rows.weights, scale: residualScale, reach: FAR_OFF }) : 0,
    slopesOfMean: ofMean && { ...ofMean, theta: toTheta(ofMean.theta) },
    leftOutGroups: groups('levels'),
    leftOutFar: groups('numbers'),
  };
}

const isCount = (target: number): boolean => target >= 0 && Number.isInteger(target);

const shareBeyond = (limit: number, values: Float64Array, weights: Float64Array): number =>
  meanOf(
    values.map(value => (Math.abs(value) > limit ? 1 : 0)),
    weights,
  );
