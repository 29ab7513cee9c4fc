import type { FigureCell } from './figureCells.ts';
import type { FigureReport } from './figureReport.ts';
import type { Rate } from './rates.ts';
import { type Judgement, type Outcome, WINNING_SHARE } from './verdict.ts';

/**
 * The reproduction as a page: every figure with its claim, verdict and readings.
 *
 * Markdown whose pictures are in `folder`, relative to the page; `command` is what made it.
 */
export const gallery = (reports: readonly FigureReport[], folder: string, command: string): string =>
  [
    '# The paper’s simulations, reproduced',
    `Made by \`${command}\`. Every run goes through the pipeline that users have. Curves are medians over ${reports[0]?.seeds ?? 0} seeds, bands their quartiles, logarithms natural. Where the text can be read in more than one way, the primary reading is the figure and the others stand beside it, with controls that explain the outcome.`,
    `**The rule.** A series wins against another at x where its error is the lower one for at least ${100 * WINNING_SHARE} % of the seeds, both on the same rows. A claim *holds* where it wins in every comparison at every x of its range, *does not hold* where it wins nowhere there, and *holds in part* otherwise. The other readings are put to the same test, and the further claims of a caption for the primary reading.`,
    table(
      ['figure', 'claim', 'verdict'],
      reports.map(({ figure, judgements }) => [
        `[${figure.name}](#${figure.name})`,
        figure.claim.text,
        `**${judgements[0]!.verdict}**`,
      ]),
    ),
    ...reports.map(report => section(report, folder)),
    ...rateSection(reports),
  ].join('\n\n');

function section({ figure, cells, judgements, also, seeds }: FigureReport, folder: string): string {
  const { from, to, because } = figure.claim.range;
  return [
    `## ${figure.name}`,
    `${figure.title}. Claim: ${figure.claim.text}. **${capital(judgements[0]!.verdict)}** (${seeds} seeds; ${figure.x} from ${count(from)} to ${count(to)}: ${because}).`,
    `![${figure.name}](${folder}/${figure.name}.svg)`,
    table(
      ['reading', 'what it is', 'verdict', `where it wins, of all ${figure.x}`, 'medians at the end'],
      figure.readings.map(({ name, about }) => {
        const judged = judgements.find(({ reading }) => reading === name);
        return [
          name,
          about,
          judged?.verdict ?? 'nothing to compare',
          judged === undefined ? '' : outcomesText(judged.outcomes),
          judged === undefined ? '' : ends(judged, cells),
        ];
      }),
    ),
    ...also.map(
      ({ claim, verdict, outcomes }) =>
        `The caption also claims: ${claim.text}. **${capital(verdict)}** (primary reading; ${figure.x} from ${count(claim.range.from)} to ${count(claim.range.to)}: ${claim.range.because}). ${outcomesText(outcomes)}.`,
    ),
    `![${figure.name}, all readings](${folder}/${figure.name}-readings.svg)`,
    ...(figure.remark === undefined ? [] : [figure.remark]),
  ].join('\n\n');
}

function rateSection(reports: readonly FigureReport[]): string[] {
  const rows = reports.flatMap(({ figure, rates }) => rates.map(rate => rateRow(figure.name, rate)));
  if (rows.length === 0) return [];
  return [
    '## Empirical rates',
    'Slopes of log error against log n, or against log eps for contaminated rows, beside the exponents that theorems claim: the median of the seeds’ slopes, and an interval that covers the true median with a probability of at least 95 %. Theorems bound errors from above and for large n: a steeper slope does not contradict one, and a flatter one at these n does not either. Where the claim adds a term without n, the power need not show. Five theorems have no simulation in the paper (Iter_Rate_Inc_C, ERM_GLM_UP, ERM_GLM_UP_General, HT_Ridge_min>0, HT_Ridge_min=0): their rows are from the exhibit rates, where noise still rules Iter_Rate_Inc_C; it is short of the n = 66,280 from which its rate is proved, and ERM_GLM_UP of its n = 2.4e9.',
    table(['theorem', 'figure', 'series', 'claimed', 'measured', '95 % interval', 'range'], rows),
  ];
}

const rateRow = (
  figure: string,
  { theorem, series, exponent, plus, of = 'n', slope, low, high, from, to }: Rate,
): readonly string[] => [
  theorem,
  figure,
  series,
  `${exponent.toFixed(2)}${plus === undefined ? '' : `, plus ${plus}`}`,
  slope.toFixed(2),
  `${low.toFixed(2)} to ${high.toFixed(2)}`,
  `${of} from ${count(from)} to ${count(to)}`,
];

/**
 * 'ACCFW eps=0.5: 2,000 to 10,000', or 'A < B: ...' where A is compared with more than one, for each of the outcomes.
 */
export const outcomesText = (outcomes: readonly Outcome[]): string =>
  outcomes
    .map(({ lower, upper, wins }) => {
      const isOnly = outcomes.filter(other => other.lower === lower).length === 1;
      return `${isOnly ? lower : `${lower} < ${upper}`}: ${spansOf(wins) || 'nowhere'}`;
    })
    .join('; ');

function spansOf(wins: Outcome['wins']): string {
  const runs: number[][] = [];
  wins.forEach(({ x, share }, k) => {
    if (share < WINNING_SHARE) return;
    const last = runs.at(-1);
    if (last !== undefined && wins[k - 1]?.x === last.at(-1)) last.push(x);
    else runs.push([x]);
  });
  return runs.map(run => (run.length === 1 ? count(run[0]!) : `${count(run[0]!)} to ${count(run.at(-1)!)}`)).join(', ');
}

function ends({ outcomes, reading }: Judgement, cells: readonly FigureCell[]): string {
  const told = new Set<string>();
  return outcomes
    .map(({ lower, upper }) =>
      [lower, upper]
        .filter(series => !told.has(series) && told.add(series))
        .map(series => {
          const last = cells.filter(cell => cell.reading === reading && cell.series === series).at(-1)!;
          return `${series} ${last.median.toFixed(2)}`;
        })
        .join(', '),
    )
    .filter(text => text !== '')
    .join('; ');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

const count = (value: number): string => value.toLocaleString('en');

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
