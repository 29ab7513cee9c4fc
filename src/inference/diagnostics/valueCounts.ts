/** A value that many rows share exactly, such as a code or a bound. */
export interface ValueCount {
  readonly value: number;
  /** Rows that have it. */
  readonly count: number;
}

/** The smallest and the largest value. */
export function extremesOf(values: Float64Array): readonly [ValueCount, ValueCount] {
  let [least, most] = [Infinity, -Infinity];
  let [atLeast, atMost] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value <= least) {
      atLeast = value === least ? atLeast + 1 : 1;
      least = value;
    }
    if (value >= most) {
      atMost = value === most ? atMost + 1 : 1;
      most = value;
    }
  }
  return [
    { value: least, count: atLeast },
    { value: most, count: atMost },
  ];
}

/** The number of rows with each value, in the order of the values. */
export function multiplicities(sorted: Float64Array): readonly number[] {
  const runs: number[] = [];
  for (let i = 0; i < sorted.length; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) runs[runs.length - 1]!++;
    else runs.push(1);
  }
  return runs;
}

/** Whether there are more than two, unlike the level of a text. */
export function hasManyValues(values: Float64Array): boolean {
  const first = values[0];
  const other = values.find(value => value !== first);
  return values.some(value => value !== first && value !== other);
}
