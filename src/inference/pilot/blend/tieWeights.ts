/** What rows count in scales, and how much wider scales are, where targets are equal. */
export interface TieWeights {
  readonly counts: Float64Array;
  readonly widening: number;
}

/**
 * What every row counts in a scale: its weight, times 1 less the share of the weight that rows with its target have, if
 * that is more than one of many. So no value has more than half of the weight, however many rows have it, and no scale
 * is 0 because most targets are equal, or because one row has most of the weight.
 *
 * A fit that bounds residuals may still follow the value that most rows have rather than the line of all. So scales are
 * 1/(1 - t^2)^4 times as wide, where a share t of the rows has the most common target: the more of them are equal, the
 * nearer fits come to least squares, whose mean is then what a line can describe. Rounded numbers are hardly affected: a
 * value that a fifth of the rows has widens scales by 18 %.
 */
export function tieWeights(target: Float64Array, weights: Float64Array): TieWeights {
  const order = target.slice().sort();
  const shares = new Map<number, number>();
  for (let i = 1; i < order.length; i++) if (order[i] === order[i - 1]) shares.set(order[i]!, 0);
  const isWeighted = weights.some(weight => weight !== weights[0]);
  if (shares.size === 0 && !isWeighted) return { counts: weights, widening: 1 };
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < target.length; i++) {
    const share = shares.get(target[i]!);
    if (share !== undefined) shares.set(target[i]!, share + weights[i]! / total);
  }
  let most = 0;
  for (const share of shares.values()) most = Math.max(most, share);
  const shareOf = (i: number): number => shares.get(target[i]!) ?? (isWeighted ? weights[i]! / total : 0);
  return {
    // Of rounding, where all targets are equal.
    counts: weights.map((weight, i) => weight * Math.max(0, 1 - ROUNDING - shareOf(i))),
    widening: 1 / Math.max(ROUNDING, 1 - most ** 2) ** 4,
  };
}

const ROUNDING = 1e-12;
