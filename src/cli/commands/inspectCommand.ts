import { type Inspection, inspect } from '../../index.ts';
import { inFlags } from '../render/inFlags.ts';
import { progress } from '../render/progress.ts';
import { counted, significant, table, visible } from '../render/text.ts';

/** `sluice inspect`: describes a file before anything is fitted to it. */
export async function inspectCommand(
  patterns: readonly string[],
  { json, quiet }: { readonly json?: boolean; readonly quiet?: boolean },
): Promise<void> {
  const shown = progress({ quiet: quiet === true });
  try {
    const found = (await inspect(patterns, { onProgress: shown.tell })).map(told);
    shown.end();
    process.stdout.write(json ? `${JSON.stringify(found)}\n` : found.map(render).join('\n'));
  } finally {
    shown.end();
  }
}

const told = (inspection: Inspection): Inspection => ({
  ...inspection,
  columns: inspection.columns.map(column =>
    column.problem === undefined ? column : { ...column, problem: inFlags(column.problem) },
  ),
  warnings: inspection.warnings.map(inFlags),
});

const render = ({ name, format, rows, columns, warnings }: Inspection): string =>
  `${visible(name)}: ${format}, ${counted(rows, 'row')}\n\n${table([
    ['column', 'type', 'nulls', 'least', 'median', 'most', 'tail'],
    ...columns.map(column => [column.name, column.type, String(column.nulls ?? '?'), ...ranges(column)]),
  ])}\n${[...columns.flatMap(levelLines), ...warnings.map(warning => `- ${warning}`)].map(visible).join('\n')}\n`;

function ranges({ numbers, times, texts, problem }: Inspection['columns'][number]): string[] {
  if (problem !== undefined) return ['not read'];
  if (numbers !== undefined) {
    const { least, median, most, tail, apart } = numbers;
    return [
      significant(least),
      `${median.within === 0 ? '' : 'about '}${significant(median.value)}`,
      significant(most),
      apart !== null
        ? 'a gap'
        : tail === null
          ? ''
          : tail.weight === 'heavy'
            ? `heavy, index ${tail.index.toFixed(1)}`
            : 'light',
    ];
  }
  if (times !== undefined) return [times.least, times.median, times.most];
  return texts === undefined ? [] : [texts.distinct === null ? 'many levels' : counted(texts.distinct, 'level')];
}

const MOST_SHOWN = 12;

/** The levels of a text column, the most frequent first, and the flag that declares them; nothing for other columns. */
function levelLines({ name, texts }: Inspection['columns'][number]): string[] {
  if (texts === undefined) return [];
  const { levels, distinct } = texts;
  const shown = levels.slice(0, MOST_SHOWN);
  const rest =
    distinct === null ? ', and others' : distinct > shown.length ? `, and ${distinct - shown.length} others` : '';
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
  return [`levels of ${JSON.stringify(name)}: ${counts.join(', ')}${rest}`, ...(canDeclare ? [flag, reason] : [])];
}

/** Neither empty nor with control characters, which could move a terminal's cursor. */
const isPlain = (text: string): boolean => text !== '' && !/\p{C}/u.test(text);

/** Quoted for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
