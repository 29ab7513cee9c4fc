import type { DesignOptions, PassedOver } from '../design.ts';
import type { Schema } from '../table.ts';
import { declaredLevels } from './declaredLevels.ts';
import { isNumber } from './isNumber.ts';

/** The features where nobody names them: everything that is a number as it stands, and text with declared levels. */
export function usualFeatures(
  { fields }: Schema,
  options: DesignOptions,
): { readonly chosen: readonly string[]; readonly passedOver: readonly PassedOver[] } {
  const { target, weights } = options;
  const free = fields.filter(({ name }) => name !== target && name !== weights);
  const chosen = free
    .filter(
      field =>
        isNumber(field) ||
        field.kind === 'vector' ||
        (field.kind === 'text' && declaredLevels(options, field.name) !== undefined),
    )
    .map(({ name }) => name);
  const passedOver = free.filter(
    ({ kind, name }) => (kind === 'text' || kind === 'time') && !chosen.includes(name),
  );
  return { chosen, passedOver };
}
