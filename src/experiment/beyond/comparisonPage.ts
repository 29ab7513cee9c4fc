/** The comparison as a page of Markdown: a table for every figure, with what is to be known about it. */
import type { Figure } from '../figure.ts';
import { type Cell, figureCells } from '../figureCells.ts';
import { figures } from '../figures.ts';
import type { Point } from '../point.ts';
import { errorName } from './comparedSettings.ts';
import { remarks, summary } from './comparisonRemarks.ts';

/** How each reading is headed. */
const COLUMNS = [
  ['nothing', 'theta = 0'],
  ['paper', 'paper'],
  ['geometric', 'geometric chunks'],
  ['preconditioned', 'preconditioned'],
  ['averaged', 'averaged'],
  ['least noise', 'least noise'],
  ['default', 'default'],
] as const;

/** The points of every seed; a series is named `figure, series of the figure`. */
export function comparisonPage(seeds: readonly (readonly Point[])[]): string {
  const cells = figureCells(seeds);
  const sections = figures.map(figure =>
    section(
      figure,
      cells.filter(({ series }) => series.startsWith(`${figure.name}, `)),
    ),
  );
  const made = `Medians over ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}, made by \`tsx pipelines/beyond-the-paper.ts --out docs/beyond-the-paper.md\`. Do not edit.`;
  return `${['# Better than the paper', made, summary, ...sections].join('\n\n')}\n`;
}

function section(figure: Figure, cells: readonly Cell[]): string {
  const settings = new Map(cells.map(({ series, x }) => [`${series} at ${x}`, { series, x }]));
  const rows = [...settings.values()].map(setting => tableRow(figure, setting, cells));
  const headings = ['method', 'n', ...COLUMNS.map(([, heading]) => heading), 'paper / default'];
  return [
    `## ${figure.name}: ${figure.title}\n`,
    `Error: ${errorName(figure)}. ${remarks[figure.name]!}\n`,
    line(headings),
    line(headings.map((_, at) => (at === 0 ? '---' : '---:'))),
    ...rows.map(line),
  ].join('\n');
}

function tableRow(
  figure: Figure,
  { series, x }: Pick<Cell, 'series' | 'x'>,
  cells: readonly Cell[],
): string[] {
  const medianOf = (reading: string): number | undefined =>
    cells.find(cell => cell.reading === reading && cell.series === series && cell.x === x)?.median;
  const [paper, ours] = [medianOf('paper'), medianOf('default')];
  const method = series.slice(`${figure.name}, `.length).replace(/ n=\d+$/, '');
  return [
    method,
    x.toLocaleString('en'),
    ...COLUMNS.map(([reading]) => shown(medianOf(reading), reading === 'default' ? 'refused' : '')),
    paper === undefined || ours === undefined ? '' : shown(paper / ours, ''),
  ];
}

const shown = (value: number | undefined, otherwise: string): string =>
  value === undefined ? otherwise : String(Number(value.toPrecision(3)));

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
