import type { DesignOptions } from './design.ts';

/** The declared levels of a text column, if any. */
export const declaredLevels = (
  { categorical = {} }: Pick<DesignOptions, 'categorical'>,
  name: string,
): readonly string[] | undefined => (Object.hasOwn(categorical, name) ? categorical[name] : undefined);
