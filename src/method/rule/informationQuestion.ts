import type { Vector } from '../../math/vector.ts';
import type { Loss } from '../loss/loss.ts';
import { triangleSize } from './pooled.ts';
import type { Placement, Question } from './updateRule.ts';

/**
 * What is asked about the rows of a held chunk; `engine/kernel/informationSummer.ts` answers it, as one vector.
 *
 *   columns       how many rows, and where the target and the features lie: `COLUMNS`, then mean, spread of each feature
 *   information   loss, gradient and curvature at a point: `SUMS`, then for each feature the largest |z|, for each
 *                 coefficient sum of psi z and sum of (psi z)^2, and the lower triangle of sum psi' z z', row by row
 *   trial         the largest |z.(at - from)| of a row, and the sum of losses
 *
 * Rows are z = ((x - centre)/scale, 1); psi, psi' and losses are times the rows' weights.
 */
export interface InformationQuestion extends Question {
  readonly asks: 'columns' | 'information' | 'trial';
  readonly loss: Loss;
  readonly coordinates: Placement;
  readonly from: Vector;
}

/** Where an answer about columns has what; means and spreads of features follow. */
export const COLUMNS = { rows: 0, weight: 1, mean: 2, median: 3, deviation: 4, length: 5 } as const;
/** Where an answer about information has what. */
export const SUMS = { rows: 0, weight: 1, loss: 2, squares: 3, bends: 4, deviation: 5, length: 6 } as const;

/** The length of an answer. */
export const answerSize = (asks: InformationQuestion['asks'], features: number, size: number): number =>
  asks === 'trial'
    ? 2
    : asks === 'columns'
      ? COLUMNS.length + 2 * features
      : SUMS.length + features + 2 * size + triangleSize(size);
