/** The reproduction as a page: every figure with its claim, verdict and readings. */
import type { Cell } from './figureCells.ts';
import { type FigureReport, readingsOf } from './figureReport.ts';
import type { Rate } from './rates.ts';
import { type Judgement, type Outcome, WINNING_SHARE } from './verdict.ts';

/** Markdown whose pictures lie in `folder`, as seen from the page. */
export const gallery = (reports: readonly FigureReport[], folder: string): string =>
  [
    '# The paper’s simulations, reproduced',
    `Every run goes through the pipeline that users have. Curves are medians over ${reports[0]?.seeds ?? 0} seeds, bands their quartiles, logarithms natural. Where the text can be read in more than one way, the primary reading is the figure and the others stand beside it, with controls that explain the outcome.`,
    `**The rule.** A series wins against another at x where its error is the lower one for at least ${100 * WINNING_SHARE} % of the seeds, both on the same rows. A claim *holds* where it wins in every comparison at every x of its range, *does not hold* where it wins nowhere there, and *holds in part* otherwise. The other readings are put to the same test.`,
    table(
      ['figure', 'claim', 'verdict'],
      reports.map(({ figure, judgements }) => [
        `[${figure.name}](#${figure.name})`,
        figure.claim.text,
        `**${judgements[0]!.verdict}**`,
      ]),
    ),
    ...reports.map(report => section(report, folder)),
  ].join('\n\n');

function section({ figure, cells, judgements, rates, seeds }: FigureReport, folder: string): string {
  const { from, to, because } = figure.claim.range;
  return [
    `## ${figure.name}`,
    `${figure.title}. Claim: ${figure.claim.text}. **${capital(judgements[0]!.verdict)}** (${seeds} seeds; ${figure.x} from ${count(from)} to ${count(to)}: ${because}).`,
    `![${figure.name}](${folder}/${figure.name}.svg)`,
    table(
      ['reading', 'what it is', 'verdict', `where it wins, of all ${figure.x}`, 'medians at the end'],
      readingsOf(figure).map(({ name, about }) => {
        const judged = judgements.find(({ reading }) => reading === name);
        return [
          name,
          about,
          judged?.verdict ?? 'nothing to compare',
          judged === undefined ? '' : judged.outcomes.map(outcome => won(outcome)).join('; '),
          judged === undefined ? '' : ends(judged, cells),
        ];
      }),
    ),
    `![${figure.name}, all readings](${folder}/${figure.name}-readings.svg)`,
    ...(rates.length === 0 ? [] : [rateTable(rates)]),
  ].join('\n\n');
}

/** Upper bounds may be beaten: a slope steeper than its exponent does not contradict a theorem, a flatter one at these n does not either. */
const rateTable = (rates: readonly Rate[]): string =>
  `Empirical rates, as the slope of log error against log n from n = ${count(rates[0]!.from)} on (median of the seeds' slopes, 95 % interval):\n\n${table(
    ['series', 'theorem', 'claimed exponent', 'slope', 'interval'],
    rates.map(({ series, theorem, exponent, slope, low, high }) => [
      series,
      theorem,
      exponent.toFixed(2),
      slope.toFixed(2),
      `${low.toFixed(2)} to ${high.toFixed(2)}`,
    ]),
  )}`;

/** 'ACCFW eps=0.5: 2,000 to 10,000' */
export function won({ lower, wins }: Outcome): string {
  const runs: number[][] = [];
  wins.forEach(({ x, share }, k) => {
    if (share < WINNING_SHARE) return;
    const last = runs.at(-1);
    if (last !== undefined && wins[k - 1]?.x === last.at(-1)) last.push(x);
    else runs.push([x]);
  });
  const spans = runs.map(run =>
    run.length === 1 ? count(run[0]!) : `${count(run[0]!)} to ${count(run.at(-1)!)}`,
  );
  return `${lower}: ${spans.join(', ') || 'nowhere'}`;
}

function ends({ outcomes, reading }: Judgement, cells: readonly Cell[]): string {
  return outcomes
    .map(({ lower, upper }) => {
      const [a, b] = [lower, upper].map(
        series => cells.filter(cell => cell.reading === reading && cell.series === series).at(-1)!,
      );
      return `${lower} ${a!.median.toFixed(2)}, ${upper} ${b!.median.toFixed(2)}`;
    })
    .join('; ');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

const count = (value: number): string => value.toLocaleString('en');

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
