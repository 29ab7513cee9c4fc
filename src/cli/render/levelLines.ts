import type { Inspection } from '../../index.ts';

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
  // With an intercept, one level is determined by the others.
  const isWhole = declarable.length === distinct;
  const declared = isWhole ? declarable.slice(1) : declarable;
  const flag = `  --categorical ${quoted(`${name}=${declared.join('|')}`)}`;
  const reason = isWhole
    ? `  (the most frequent level, ${declarable[0]}, is left out: it is the reference that the others are compared with, and the most precisely estimated one)`
    : '  (the levels left out together form the reference that the others are compared with)';
  const canDeclare = distinct !== null && declared.length > 0 && isPlain(name) && !name.includes('=');
  return [
    `levels of ${JSON.stringify(name)}: ${counts.join(', ')}${rest}`,
    ...(canDeclare ? [flag, reason] : []),
  ];
}

/** Neither empty nor with control characters, which could move a terminal's cursor. */
const isPlain = (text: string): boolean => text !== '' && !/\p{C}/u.test(text);

/** Quoted for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
