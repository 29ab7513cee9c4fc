/** Whether there are more than two, as a level of a text has. */
export function hasManyValues(values: Float64Array): boolean {
  const first = values[0];
  const other = values.find(value => value !== first);
  return values.some(value => value !== first && value !== other);
}
