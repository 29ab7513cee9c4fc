import type { DesignOptions } from '../design.ts';

/** The levels of a text column, where somebody declared them. */
export const declaredLevels = (
  { categorical = {} }: Pick<DesignOptions, 'categorical'>,
  name: string,
): readonly string[] | undefined => (Object.hasOwn(categorical, name) ? categorical[name] : undefined);
