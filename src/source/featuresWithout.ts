import { inCode } from '../math/inCode.ts';
import type { Design, DesignColumn } from './design.ts';

/**
 * The way out for whoever is told that columns cannot be used: the others by name where they are few, as `features`
 * has them, whether it was given or not.
 */
export function featuresWithout({ features }: Pick<Design, 'features'>, columns: readonly string[]): string {
  const them = columns.length === 1 ? 'it' : 'them';
  const kept = [...new Set(features.map(sourceOf))].filter(name => !columns.includes(name));
  if (kept.length === 0) return 'name columns that have values in `features`';
  // A command line takes the names in one text, with commas between them.
  const isListed = kept.length <= MOST_LISTED && kept.every(name => !/[',]/.test(name));
  if (!isListed) return `leave ${them} out by naming the others in \`features\``;
  return `leave ${them} out: \`features: [${kept.map(inCode).join(', ')}]\``;
}

const MOST_LISTED = 8;

/** The column of the table, which levels and elements bear the name of. */
export const sourceOf = ({ name, levels, level, element }: DesignColumn): string => {
  if (level !== undefined) return name.slice(0, -`=${levels![level]}`.length);
  return element === undefined ? name : name.slice(0, -`[${element}]`.length);
};
