/** The first few names, and how many more there are. */
export function listed(names: readonly string[], joint: 'and' | 'or' = 'and'): string {
  const shown = names.slice(0, MOST_LISTED).map(name => JSON.stringify(name));
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} ${joint} ${more} ${more === 1 ? 'other' : 'others'}`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} ${joint} ${shown.at(-1)}`;
}

const MOST_LISTED = 5;
