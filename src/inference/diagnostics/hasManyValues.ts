/** Whether there are more than two, unlike the level of a text. */
export function hasManyValues(values: Float64Array): boolean {
  const first = values[0];
  const other = values.find(value => value !== first);
  return values.some(value => value !== first && value !== other);
}
