/**
 * Stretches of the file that differ by their targets alone, as where cases come before controls, or those above a
 * median before the others.
 *
 * Of independent rows that were put in order by their targets, s depends on the place in the file through the target
 * only. Where all targets of a stretch are above all those of the next, or below, the rows within each are as
 * independent as before, around a mean of their own; what goes together within stretches is more than the order of
 * targets makes.
 */

/**
 * Where stretches begin, and where the last one ends. One stretch where targets do not fall apart, and where they do in
 * so many places that they rise or fall along the file, as series do.
 */
export function targetLevels(target: Float64Array, order: Uint32Array): Uint32Array {
  const rows = order.length;
  const rising = Float64Array.from(order, i => target[i]!);
  const cuts = [cutsOf(rising), cutsOf(rising.map(value => -value))].find(({ length }) => length > 0) ?? [];
  return Uint32Array.from([0, ...(cuts.length < MOST_LEVELS ? cuts : []), rows]);
}

/** Places that all lower values are before and all higher ones behind. */
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
 * A file sorted by classes has few; of a series that rises along the file, stretches so short would hide what its rows
 * have in common.
 */
const MOST_LEVELS = 12;
