import { inCode } from '../../words.ts';
import type { Design, DesignColumn } from './design.ts';

/**
 * The remedy for columns that cannot be used: the remaining columns by name if they are few, in the form of the
 * `features` option, whether or not it was given.
 */
export function featuresWithout({ features }: Pick<Design, 'features'>, columns: readonly string[]): string {
  const them = columns.length === 1 ? 'it' : 'them';
  const kept = [...new Set(features.map(sourceOf))].filter(name => !columns.includes(name));
  if (kept.length === 0) return 'name columns in `features` that have values';
  // The command line takes the names as one comma-separated text.
  const isListed = kept.length <= MOST_LISTED && kept.every(name => !/[',]/.test(name));
  if (!isListed) return `leave ${them} out by naming the others in \`features\``;
  return `leave ${them} out: \`features: [${kept.map(inCode).join(', ')}]\``;
}

const MOST_LISTED = 8;

/** The name of the column of the table behind a level or an element. */
export const sourceOf = ({ name, levels, level, element }: DesignColumn): string => {
  if (level !== undefined) return name.slice(0, -`=${levels![level]}`.length);
  return element === undefined ? name : name.slice(0, -`[${element}]`.length);
};
