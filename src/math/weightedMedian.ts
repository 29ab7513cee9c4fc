/**
 * The value with half of the weight on either side, as `median` would find it if every value were repeated as often as
 * its weight says. The mean of two neighbouring values if the weight splits exactly between them.
 */
export function weightedMedian(values: Float64Array, weights: Float64Array): number {
  const order = Uint32Array.from(values, (_, i) => i)
    .filter(i => weights[i]! > 0)
    .sort((a, b) => values[a]! - values[b]!);
  const half = order.reduce((sum, i) => sum + weights[i]!, 0) / 2;
  let below = 0;
  for (let k = 0; k < order.length; k++) {
    below += weights[order[k]!]!;
    if (below > half) return values[order[k]!]!;
    if (below === half && k + 1 < order.length) return (values[order[k]!]! + values[order[k + 1]!]!) / 2;
  }
  return values[order.at(-1)!]!;
}
