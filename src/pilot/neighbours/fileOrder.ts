/** The order in which rows are in the file. */

/** Rows by their places. Random places fall evenly into as many bins as there are rows, and few into the same. */
export function orderOf(places: Float64Array): Uint32Array {
  const rows = places.length;
  const order = new Uint32Array(rows);
  let most = 0;
  let isSorted = true;
  for (let i = 0; i < rows; i++) {
    order[i] = i;
    if (places[i]! < most) isSorted = false;
    else most = places[i]!;
  }
  if (isSorted) return order;
  const bins = rows / (most + 1);
  const ends = new Uint32Array(rows + 1);
  for (let i = 0; i < rows; i++) ends[Math.floor(places[i]! * bins) + 1]!++;
  for (let k = 0; k < rows; k++) ends[k + 1]! += ends[k]!;
  for (let i = 0; i < rows; i++) order[ends[Math.floor(places[i]! * bins)]!++] = i;
  for (let k = 1; k < rows; k++) {
    const i = order[k]!;
    let at = k;
    for (; at > 0 && places[order[at - 1]!]! > places[i]!; at--) order[at] = order[at - 1]!;
    order[at] = i;
  }
  return order;
}

/** Whether hardly a target falls from one row to the next, or hardly one rises. */
export function areSorted(target: Float64Array, order: Uint32Array): boolean {
  let [rises, falls] = [0, 0];
  for (let k = 1; k < order.length; k++) {
    const change = target[order[k]!]! - target[order[k - 1]!]!;
    if (change > 0) rises++;
    else if (change < 0) falls++;
  }
  return Math.min(rises, falls) <= SORTED * (rises + falls);
}

const SORTED = 0.01;
