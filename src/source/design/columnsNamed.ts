import type { Schema } from '../table.ts';

/** An element of a vector column: v[3]. */
const ELEMENT = /\[\d+\]$/;

/**
 * The columns behind features that bear the names of results: the vector v behind v[3], unless a column bears that very
 * name.
 */
export function columnsNamed({ fields }: Schema, features: readonly string[]): readonly string[] {
  const columns = new Set(fields.map(({ name }) => name));
  const columnOf = (feature: string): string => {
    const vector = feature.replace(ELEMENT, '');
    return !columns.has(feature) && columns.has(vector) ? vector : feature;
  };
  // Elements stand for their vector together; what is listed twice otherwise is for others to refuse.
  return features
    .map(columnOf)
    .filter((column, k, all) => column === features[k] || all.indexOf(column) === k);
}
