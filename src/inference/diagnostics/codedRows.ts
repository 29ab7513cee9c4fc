/**
 * How a fit treats rows with a code for a missing value (missingCodes.ts). Such rows have an extreme feature and mostly
 * a large residual, and notes on outliers are not meant for them.
 *
 *   omega_i = psi(r_i)/r_i, the weight of row i in the fit: 1 at residual 0, 0 far from the fit
 */

import { meanOf } from '../../math/median.ts';
import type { Loss } from '../../method/loss/loss.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { MissingCode } from './missingCodes.ts';

export interface CodedRows {
  /** Share of all rows, by weight, that have no code and a residual beyond the limit. */
  readonly uncodedOutlierShare: number;
  /** Columns with codes whose rows the loss rejects. */
  readonly rejectedCodes: readonly number[];
}

export interface CodeOptions {
  readonly codes: readonly MissingCode[];
  /** A redescending loss; null for others. */
  readonly loss: Loss | null;
  readonly limit: number;
  /** Case weights. */
  readonly weights: Float64Array;
}

/** `rows` in the units of the data, with their residuals. */
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
