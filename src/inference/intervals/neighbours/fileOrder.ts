/** The order in which rows are in the file. */

/** Bucket sort of rows by their positions: random positions spread evenly over as many bins as there are rows. */
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

/** Whether targets almost never fall from one row to the next, or almost never rise. */
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
