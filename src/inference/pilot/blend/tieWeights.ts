/**
 * What every row counts in a scale: its weight, times 1 less the share of rows with its target, where there are others.
 * So no value has more than half of the weight, however many rows have it, and no scale is 0 because most targets are
 * equal.
 */
export function tieWeights(target: Float64Array, weights: Float64Array): Float64Array {
  const order = target.slice().sort();
  const shares = new Map<number, number>();
  for (let i = 1; i < order.length; i++) if (order[i] === order[i - 1]) shares.set(order[i]!, 0);
  if (shares.size === 0) return weights;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < target.length; i++) {
    const share = shares.get(target[i]!);
    if (share !== undefined) shares.set(target[i]!, share + weights[i]! / total);
  }
  // Of rounding, where all targets are equal.
  return weights.map((weight, i) => weight * Math.max(0, 1 - ROUNDING - (shares.get(target[i]!) ?? 0)));
}

const ROUNDING = 1e-12;
