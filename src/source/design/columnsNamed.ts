import type { Schema } from '../table/table.ts';

/** An element of a vector column: v[3]. */
const ELEMENT = /\[\d+\]$/;

/**
 * The columns behind features that are named as in results: the vector v for v[3], unless a column has exactly that
 * name.
 */
export function columnsNamed({ fields }: Schema, features: readonly string[]): readonly string[] {
  const columns = new Set(fields.map(({ name }) => name));
  const columnOf = (feature: string): string => {
    const vector = feature.replace(ELEMENT, '');
    return !columns.has(feature) && columns.has(vector) ? vector : feature;
  };
  // Elements together stand for their vector; other duplicates are rejected later.
  return features
    .map(columnOf)
    .filter((column, k, all) => column === features[k] || all.indexOf(column) === k);
}
