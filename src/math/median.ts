/**
 * The median of the values, which are reordered in place; the mean of the two middle ones if their number is even.
 * Quickselect: only the side of the pivot that contains the middle is partitioned further, so the expected work is
 * linear.
 */
export const median = (values: Float64Array): number => medianAt(values, values.length >> 1, values.length % 2 === 0);

/** The value of this rank, counted from 0, or its mean with the one before it if `isBetween`. */
export function medianAt(values: Float64Array, rank: number, isBetween: boolean): number {
  const upper = select(values, rank);
  if (!isBetween) return upper;
  let lower = -Infinity;
  for (let i = 0; i < rank; i++) if (values[i]! > lower) lower = values[i]!;
  return (lower + upper) / 2;
}

/** The value of this rank, counted from 0; smaller values end up before it and larger ones after it. */
function select(values: Float64Array, rank: number): number {
  let first = 0;
  let last = values.length - 1;
  while (first < last) {
    const pivot = middleOf(values[first]!, values[(first + last) >> 1]!, values[last]!);
    let i = first;
    let j = last;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const moved = values[i]!;
      values[i++] = values[j]!;
      values[j--] = moved;
    }
    if (rank <= j) last = j;
    else if (rank >= i) first = i;
    else break;
  }
  return values[rank]!;
}

const middleOf = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

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

/**
 * The value with half of the weight on either side, as `median` would find it if every value were repeated as often as
 * its weight says. The mean of two neighbouring values if the weight splits exactly between them. Where weights only say
 * which rows count, the others need not be sorted, which would take many times as long.
 */
export function weightedMedian(values: Float64Array, weights: Float64Array): number {
  if (areMarks(weights.subarray(0, values.length))) return median(values.filter((_, i) => weights[i] === 1));
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

/** Whether every weight is 0 or 1, and some are 1. */
const areMarks = (weights: Float64Array): boolean =>
  weights.includes(1) && weights.every(weight => weight === 1 || weight === 0);
