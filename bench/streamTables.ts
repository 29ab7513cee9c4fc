/** The tables of docs/streams.md, made of the figures in bench/online.json alone. */
import type { Measured } from '../test/support/onlineFigures.ts';
import { kindName } from './streamPictures.ts';

type Figures = Readonly<Record<string, readonly Measured[]>>;

const digits = (value: number | null | undefined, places = 3): string =>
  value === null || value === undefined ? '–' : value.toFixed(places);
const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${(100 * value).toFixed(1)} %`;
const number = (value: unknown): string => Number(value).toLocaleString('en', { maximumFractionDigits: 0 });
const withError = ({ repeats, figures: { ratio, ratioError } }: Measured): string =>
  `${digits(ratio)} ± ${digits(ratioError)} [${repeats}]`;
const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');

/** One row for each of some keys, one column for each of others. */
function grid(
  corner: string,
  cells: readonly Measured[],
  rowOf: (measured: Measured) => string,
  columnOf: (measured: Measured) => string,
  text: (found: readonly Measured[]) => string,
): string {
  const [rows, columns] = [unique(cells.map(rowOf)), unique(cells.map(columnOf))];
  return table(
    [corner, ...columns],
    rows.map(row => [
      row,
      ...columns.map(column => text(cells.filter(cell => rowOf(cell) === row && columnOf(cell) === column))),
    ]),
  );
}

const largest = (found: readonly Measured[]): string =>
  found.length === 0 ? '' : withError(found.reduce((a, b) => (b.figures.ratio! > a.figures.ratio! ? b : a)));

const TABLES: Readonly<Record<string, (figures: Figures) => string>> = {
  error: ({ error = [] }) =>
    grid(
      'loss and noise',
      error.filter(({ cell }) => Number(cell.chunks) >= 10),
      ({ cell }) => kindName(cell),
      ({ cell }) => `p ${cell.features}, m ${number(cell.chunk)}`,
      largest,
    ),
  'odd beginning': ({ 'odd beginning': cells = [] }) =>
    grid(
      'the first tenth has',
      cells,
      ({ cell }) => String(cell.beginning),
      ({ cell }) => kindName(cell),
      largest,
    ),
  rubbish: ({ rubbish = [] }) =>
    table(
      ['two rubbish chunks in 100', 'error over that without them', 'set aside'],
      rubbish.map(each => [kindName(each.cell), withError(each), digits(each.figures.aside, 0)]),
    ),
  coverage: ({ coverage = [] }) =>
    table(
      [
        'what comes',
        'streams',
        'chunks',
        'ever outside "at any time"',
        'ever outside "now"',
        'outside "now" at the end',
      ],
      coverage.map(({ cell, repeats, figures }) => [
        cell.values === undefined ? `rows, ${kindName(cell)}` : `${cell.values} chunk values`,
        number(repeats),
        String(cell.chunks),
        percent(figures.ever),
        percent(figures.fixed),
        percent(figures.now),
      ]),
    ),
  'false alarms': ({ 'false alarms': cells = [] }) =>
    table(
      ['what comes', 'chunks', 'false alarms in 10,000 chunks'],
      cells.map(({ cell, repeats, figures: { rate } }) => [
        cell.series === undefined
          ? `rows, ${kindName(cell)}${cell.doubles ? ', whose noise doubles' : ''}`
          : `six series, ${cell.series}`,
        number(repeats),
        // Alarms are counts: the error is that of their number.
        `${digits(rate, 1)} ± ${digits((10_000 * Math.sqrt(Math.max(1, (rate! * repeats) / 10_000))) / repeats, 1)}`,
      ]),
    ),
  delay: ({ delay = [] }) =>
    table(
      [
        'jump, in standard errors of one chunk',
        'chunks before it',
        'correlation of features',
        'median',
        'nine in ten',
        'missed',
      ],
      delay.map(({ cell, repeats, figures: { median, p90, missed } }) => [
        String(cell.jump),
        number(cell.after),
        String(cell.rho),
        `${digits(median, 0)} [${repeats}]`,
        digits(p90, 0),
        percent(missed),
      ]),
    ),
  forgetting: ({ forgetting = [] }) =>
    table(
      ['--forget R', 'worth, in R rows', 'outside "now"', 'rows to recover from a jump, in R'],
      forgetting.map(({ cell, repeats, figures: { worth, outside, recovery } }) => [
        `${kindName(cell)} [${repeats}]`,
        digits(worth, 2),
        percent(outside),
        digits(recovery, 1),
      ]),
    ),
  'private error': ({ 'private error': cells = [] }) =>
    table(
      [
        'epsilon',
        'features',
        'loss',
        'm\\*',
        'preamble',
        'error over the formula',
        'outside "now"',
        'ever outside',
        'hidden',
      ],
      cells.map(each => {
        const { cell, figures } = each;
        const more = [
          cell.forget === undefined ? '' : `, forgetting in ${cell.forget} chunks`,
          cell.spread === undefined ? '' : `, features of 1/${number(1 / Number(cell.spread))} of their bounds`,
        ];
        return [
          String(cell.epsilon),
          String(cell.features),
          kindName(cell) + more.join(''),
          number(figures.halfway),
          number(figures.preamble),
          withError(each),
          percent(figures.outside),
          cell.forget === undefined ? percent(figures.everOutside) : 'none',
          percent(figures.hidden),
        ];
      }),
    ),
  page: ({ page = [] }) =>
    table(
      ['a page after', 'heap, MB', 'nodes', 'listeners'],
      page.flatMap(({ cell, figures }) =>
        [1, 2, 3, 4, 5].map(k => [
          `${number((Number(cell.updates) * k) / 5)} updates, ${number((Number(cell.seconds) * k) / 5)} s`,
          digits(figures[`megabytes ${k}`], 2),
          number(figures[`nodes ${k}`]),
          number(figures[`listeners ${k}`]),
        ]),
      ),
    ),
};

/** The accuracy that `npm run bench:streams` measured, in bench/results.json. */
export interface StreamsResults {
  readonly accuracyRows: number;
  readonly accuracy: readonly Readonly<Record<'name' | 'plain' | 'scales' | 'outliers', string | number | null>>[];
}

const peersTable = ({ accuracyRows, accuracy }: StreamsResults): string =>
  table(
    [
      `error of predictions, ${number(accuracyRows)} rows of 11 features`,
      'clean',
      'scales 1e-3 to 1e6',
      '1 % off by 50',
    ],
    accuracy.map(({ name, ...errors }) => [
      String(name),
      ...(['plain', 'scales', 'outliers'] as const).map(kind =>
        errors[kind] === null ? 'not finite' : Number(errors[kind]).toPrecision(2),
      ),
    ]),
  );

/** A page whose tables, between `<!-- measured: name -->` and `<!-- end -->`, are made of the figures. */
export const withTables = (page: string, figures: Figures, streams: StreamsResults): string =>
  page.replaceAll(
    /(<!-- measured: ([^>]+) -->\n).*?(<!-- end -->)/gs,
    (_, begin: string, name: string, end: string) => {
      const made = name === 'peers' ? peersTable(streams) : TABLES[name]?.(figures);
      if (made === undefined)
        throw new Error(`docs/streams.md asks for the table ${JSON.stringify(name)}, of which there is none`);
      return `${begin}\n${made}\n\n${end}`;
    },
  );
