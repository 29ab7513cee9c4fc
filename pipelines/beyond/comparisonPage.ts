/** The comparison as a page of Markdown: a table for every figure, with remarks and findings. */
import { type Figure, figureCells, figures, type Point } from '../../src/lab/paper/index.ts';
import { asShown, type ComparedErrors, comparedErrors } from './comparedErrors.ts';
import { errorName } from './comparedSettings.ts';
import { findings, inShort } from './comparisonFindings.ts';
import { columnsExplained, remarks } from './comparisonRemarks.ts';

/** The heading of each reading. */
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
  const rows = comparedErrors(figureCells(seeds));
  const sections = figures().map(figure =>
    section(
      figure,
      rows.filter(({ series }) => series.startsWith(`${figure.name}, `)),
    ),
  );
  const made = `Medians over ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}, made by \`tsx pipelines/beyond-the-paper.ts --out docs/beyond-the-paper.md\`. Do not edit.`;
  return `${['# Better than the paper', made, columnsExplained, inShort(rows), ...sections].join('\n\n')}\n`;
}

function section(figure: Figure, rows: readonly ComparedErrors[]): string {
  const headings = ['method', 'n', ...COLUMNS.map(([, heading]) => heading), 'paper / default'];
  return [
    `## ${figure.name}: ${figure.title}\n`,
    `Error: ${errorName(figure)}. ${remarks[figure.name]!}\n`,
    `${findings(rows)}\n`,
    line(headings),
    line(headings.map((_, at) => (at === 0 ? '---' : '---:'))),
    ...rows.map(row => line(tableRow(figure, row))),
  ].join('\n');
}

function tableRow(figure: Figure, { series, x, errors }: ComparedErrors): string[] {
  const { paper, default: ours } = errors;
  const method = series.slice(`${figure.name}, `.length).replace(/ n=\d+$/, '');
  return [
    method,
    x.toLocaleString('en'),
    ...COLUMNS.map(([reading]) => shown(errors[reading], reading === 'default' ? 'refused' : '')),
    paper === undefined || ours === undefined ? '' : shown(paper / ours, ''),
  ];
}

const shown = (value: number | undefined, otherwise: string): string =>
  value === undefined ? otherwise : String(asShown(value));

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
