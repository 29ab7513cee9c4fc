/** `sluice inspect`: describes a file before anything is fitted to it. */
import { expandPaths, type Inspection, inspectTable, openTable } from '../../index.ts';
import { inFlags } from '../render/inFlags.ts';
import { levelLines } from '../render/levelLines.ts';
import { progress } from '../render/progress.ts';
import { counted, significant, table } from '../render/text.ts';
import { visible } from '../render/visible.ts';

export async function inspectCommand(
  patterns: readonly string[],
  { json, quiet }: { readonly json?: boolean; readonly quiet?: boolean },
): Promise<void> {
  const found: Inspection[] = [];
  const shown = progress({ quiet: quiet === true });
  for (const path of await expandPaths(patterns)) {
    const opened = await openTable(path, { stdin: process.stdin });
    try {
      const onRows = (rows: number): void => shown.rows(rows, opened.rows ?? Infinity);
      found.push(told(await inspectTable(opened, { onRows })));
    } finally {
      shown.end();
      await opened.close();
    }
  }
  process.stdout.write(json ? `${JSON.stringify(found)}\n` : found.map(render).join('\n'));
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
  return texts === undefined
    ? []
    : [texts.distinct === null ? 'many levels' : counted(texts.distinct, 'level')];
}
