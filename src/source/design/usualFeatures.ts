import type { Field, Schema } from '../table/table.ts';
import { declaredLevels } from './declaredLevels.ts';
import type { DesignOptions, PassedOver } from './design.ts';
import { isNumber } from './isNumber.ts';
import { isRowIndex } from './isRowIndex.ts';

/** The default features: all numeric columns except a row index, and text with declared levels. */
export function usualFeatures(
  { fields }: Schema,
  options: DesignOptions,
): { readonly chosen: readonly string[]; readonly passedOver: readonly PassedOver[] } {
  const { target, weights } = options;
  const free = fields.filter(({ name }) => name !== target && name !== weights);
  const isUsual = (field: Field): boolean => {
    if (field.kind === 'text') return declaredLevels(options, field.name) !== undefined;
    return (isNumber(field) || field.kind === 'vector') && !isRowIndex(field.name);
  };
  return {
    chosen: free.filter(isUsual).map(({ name }) => name),
    passedOver: free.filter(field => !isUsual(field)),
  };
}
