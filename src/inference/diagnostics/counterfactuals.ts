import type { PilotedRun } from '../fittedRun.ts';
import { withoutHighLeverage } from './leverage/highLeverage.ts';
import { downWeighted } from './leverage/leverageReliance.ts';
import { byLeastSquares } from './residuals/leastSquaresContrast.ts';
import { type RejectedRowsIncluded, withRejectedRows } from './residuals/outliers.ts';
import { withoutExtremeCounts } from './targets/extremeCounts.ts';

export interface Counterfactual {
  readonly column: number;
  readonly value: number;
}

export interface Counterfactuals {
  readonly extremeCounts: Counterfactual | null;
  readonly highLeverage: Counterfactual | null;
  readonly rejectedRows: RejectedRowsIncluded | null;
  readonly leastSquares: Counterfactual | null;
  readonly reliance: Counterfactual | null;
}

/**
 * What single coefficients would be without some rows, or with other weights or another loss. Several analyses of the
 * same coefficient may disagree, so that each coefficient has one alternative at most: that of the first in this list.
 *
 * - Without extreme counts (extremeCounts.ts).
 * - Without high-leverage rows that disagree with the others (highLeverage.ts).
 * - Including rejected rows (outliers.ts); after least squares where no slope moves by two standard errors.
 * - By least squares (leastSquaresContrast.ts).
 * - With high-leverage rows down-weighted that agree with the others (leverageReliance.ts).
 */
export function counterfactuals(found: PilotedRun): Counterfactuals {
  const taken = new Set<number>();
  const once = <C extends Counterfactual>(given: C | null): C | null => {
    if (given === null || taken.has(given.column)) return null;
    taken.add(given.column);
    return given;
  };
  const extremeCounts = once(withoutExtremeCounts(found));
  const highLeverage = once(withoutHighLeverage(found));
  const included = withRejectedRows(found);
  const moved = included?.isMoved ? once(included.most) : null;
  const leastSquares = once(byLeastSquares(found));
  return {
    extremeCounts,
    highLeverage,
    rejectedRows: included && { ...included, most: moved ?? once(included.most) },
    leastSquares,
    // Rows that disagree with the others do not agree with them as well.
    reliance: highLeverage === null ? once(downWeighted(found)) : null,
  };
}
