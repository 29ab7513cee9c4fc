/** The mean of the values, weighted if weights are given. */
export function meanOf(values: Float64Array, weights?: Float64Array): number {
  let sum = 0;
  if (weights === undefined) {
    for (let i = 0; i < values.length; i++) sum += values[i]!;
    return sum / values.length;
  }
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    sum += weights[i]! * values[i]!;
    total += weights[i]!;
  }
  return sum / total;
}
