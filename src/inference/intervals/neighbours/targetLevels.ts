/**
 * Stretches of the file with disjoint ranges of targets, as where cases come before controls, or targets above a median
 * before the others.
 *
 * If independent rows were sorted by their targets, s depends on the position in the file through the target only.
 * Where all targets of a stretch are above or below all those of the next, the rows within each are still independent,
 * around a mean of their own. Correlation within stretches is then more than sorting explains.
 */

/**
 * Where stretches begin, and where the last one ends. One stretch where target ranges overlap, and where they split in
 * so many places that targets rise or fall along the file, as in a time series.
 */
export function targetLevels(target: Float64Array, order: Uint32Array): Uint32Array {
  const rows = order.length;
  const rising = Float64Array.from(order, i => target[i]!);
  const cuts = [cutsOf(rising), cutsOf(rising.map(value => -value))].find(({ length }) => length > 0) ?? [];
  return Uint32Array.from([0, ...(cuts.length < MOST_LEVELS ? cuts : []), rows]);
}

/** Positions with all lower values before and all higher ones behind. */
function cutsOf(values: Float64Array): readonly number[] {
  const least = values.slice();
  for (let k = least.length - 2; k >= 0; k--) least[k] = Math.min(least[k]!, least[k + 1]!);
  const cuts: number[] = [];
  let most = -Infinity;
  for (let k = 1; k < values.length && cuts.length < MOST_LEVELS; k++) {
    most = Math.max(most, values[k - 1]!);
    if (most < least[k]!) cuts.push(k);
  }
  return cuts;
}

/**
 * A file sorted by classes has few. In a series that rises along the file, such short stretches would hide the
 * correlation.
 */
const MOST_LEVELS = 12;
