/**
 * What a fit makes of rows that have a code for what is missing (missingCodes.ts). Such rows are far out in their
 * feature, and mostly far from the fit: what is said of far rows is not meant for them.
 *
 *   omega_i = psi(r_i)/r_i, from 1 at the fit to 0 far off
 */
import type { Loss } from '../loss/loss.ts';
import { meanOf } from '../math/meanOf.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { MissingCode } from './missingCodes.ts';

export interface CodedRows {
  /** The share of rows without a code whose residuals are beyond the limit, of all rows as often as they count. */
  readonly uncodedOutlierShare: number;
  /** The columns with codes whose rows as good as do not count. */
  readonly rejectedCodes: readonly number[];
}

export interface CodeOptions {
  readonly codes: readonly MissingCode[];
  /** One that leaves far rows out; null for others. */
  readonly loss: Loss | null;
  readonly limit: number;
  /** How often rows count. */
  readonly weights: Float64Array;
}

/** Of rows in the units of the data, and their residuals. */
export function codedRows(
  { columns }: SampleBatch,
  residuals: Float64Array,
  { codes, loss, limit, weights }: CodeOptions,
): CodedRows {
  const hasCode = ({ column, value }: MissingCode, i: number): boolean => columns[column]![i] === value;
  const isFar = residuals.map((residual, i) =>
    Math.abs(residual) > limit && !codes.some(code => hasCode(code, i)) ? 1 : 0,
  );
  const isLeftOut = (code: MissingCode): boolean => {
    if (loss === null) return false;
    const own = residuals.filter((_, i) => hasCode(code, i));
    return meanOf(own.map(r => (r === 0 ? 1 : loss.slope(-r, 0) / -r))) < HARDLY;
  };
  return {
    uncodedOutlierShare: meanOf(isFar, weights),
    rejectedCodes: codes.filter(isLeftOut).map(({ column }) => column),
  };
}

/** Mean of omega. */
const HARDLY = 0.1;
