import type { Inspection } from '../index.ts';

const MOST_SHOWN = 12;

/** The levels of a text column, the most frequent first, and the flag that declares them; nothing for other columns. */
export function levelLines({ name, texts }: Inspection['columns'][number]): string[] {
  if (texts === undefined) return [];
  const { levels, distinct } = texts;
  const shown = levels.slice(0, MOST_SHOWN);
  const rest =
    distinct === null
      ? ', and others'
      : distinct > shown.length
        ? `, and ${distinct - shown.length} others`
        : '';
  const counts = shown.map(({ level, rows }) => `${isPlain(level) ? level : JSON.stringify(level)} ${rows}`);
  const declarable = shown.map(({ level }) => level).filter(level => isPlain(level) && !level.includes('|'));
  // With an intercept, the last level of all would follow from the others.
  const isWhole = declarable.length === distinct;
  const declared = isWhole ? declarable.slice(1) : declarable;
  const flag = `  --categorical ${quoted(`${name}=${declared.join('|')}`)}`;
  const reason = isWhole
    ? `  (the most frequent level, ${declarable[0]}, is left out: as the reference, which the others are compared with, it is the surest)`
    : '  (the levels that are left out are the reference together, which the others are compared with)';
  const canDeclare = distinct !== null && declared.length > 0 && isPlain(name) && !name.includes('=');
  return [
    `levels of ${JSON.stringify(name)}: ${counts.join(', ')}${rest}`,
    ...(canDeclare ? [flag, reason] : []),
  ];
}

/** Neither empty nor with characters that would move the cursor of a terminal. */
const isPlain = (text: string): boolean => text !== '' && !/\p{C}/u.test(text);

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
