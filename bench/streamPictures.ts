/** The pictures of docs/streams.md, made of the figures in bench/online.json alone. */
import { type Chart, type ChartPoint, chartSvg } from '../src/sink/page/chart.ts';
import type { Measured } from '../test/support/onlineFigures.ts';

type Figures = Readonly<Record<string, readonly Measured[]>>;

/** What the rows of a cell were learnt by, and what noise they had. */
export const KIND_NAMES: Readonly<Record<string, string>> = {
  squared: 'squared',
  huber: 'pseudo-Huber',
  t3: 'pseudo-Huber t3',
  mixed: 'pseudo-Huber wild',
  skew: 'pseudo-Huber skewed',
  logistic: 'logistic',
  poisson: 'Poisson',
};
export const kindName = (cell: Measured['cell']): string => KIND_NAMES[String(cell.kind)] ?? String(cell.kind);

const point = (series: string, x: number, median: number, [q25, q75] = [median, median]): ChartPoint => ({
  ...{ series, x, median, q25, q75 },
});
const around = (value: number, error: number): [number, number] => [value - error, value + error];
const groupsOf = <T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly [string, readonly T[]])[] =>
  [...new Set(items.map(keyOf))].map(key => [key, items.filter(item => keyOf(item) === key)] as const);

const CHARTS: Readonly<Record<string, (figures: Figures) => Chart>> = {
  error: ({ error = [] }) => ({
    title: 'Error over that of the batch fit on all rows so far',
    subtitle: 'Bands are standard errors; features on scales from 1e-3 to 1e6, correlated by .9',
    x: 'chunks',
    y: 'ratio',
    xScale: 'log',
    panels: groupsOf(error, ({ cell }) => `${cell.features} features, chunks of ${cell.chunk} rows`).map(
      ([title, cells]) => ({
        title,
        points: cells.map(({ cell, figures: { ratio, ratioError } }) =>
          point(kindName(cell), Number(cell.chunks), ratio!, around(ratio!, ratioError!)),
        ),
      }),
    ),
  }),
  'ever-wrong': ({ coverage = [] }) => ({
    title: 'Share of intervals of 95 % that were ever wrong',
    subtitle: '"at any time" may be watched for ever, "now" holds for those who look once',
    x: 'chunks',
    y: 'share',
    xScale: 'log',
    panels: coverage.map(({ cell, figures }) => ({
      title: cell.values === undefined ? `rows: ${kindName(cell)}` : `chunk values: ${cell.values}`,
      points: Object.entries(figures).flatMap(([name, value]) => {
        const [kind, chunks] = name.split(' ');
        if (chunks === undefined) return [];
        return [point(kind === 'ever' ? 'at-any-time' : 'now', Number(chunks), value!)];
      }),
    })),
  }),
  'private-error': ({ 'private error': cells = [] }) => ({
    title: 'Error of private streams over that of the formula, after ten preambles',
    subtitle: 'Bands are standard errors; the formula is sqrt((k v/n)(1 + m*/m))',
    x: 'epsilon',
    y: 'ratio',
    xScale: 'log',
    panels: groupsOf(
      cells.filter(({ cell }) => cell.spread === undefined),
      ({ cell }) => `${cell.features} features`,
    ).map(([title, own]) => ({
      title,
      points: [...own]
        .sort((a, b) => Number(a.cell.epsilon) - Number(b.cell.epsilon))
        .map(({ cell, figures: { ratio, ratioError } }) =>
          point(
            `${kindName(cell)}${cell.forget === undefined ? '' : ' forgetting'}`,
            Number(cell.epsilon),
            ratio!,
            around(ratio!, ratioError!),
          ),
        ),
    })),
  }),
  'alarm-delays': ({ delay = [] }) => ({
    title: 'Chunks until a jump is found',
    subtitle: 'Medians, and up to the ninth of ten; jumps in standard errors of the estimate of one chunk',
    x: 'jump',
    y: 'chunks',
    panels: [
      {
        title: '',
        points: delay
          .filter(({ cell, figures }) => cell.rho === 0 && figures.median !== null)
          .map(({ cell, figures: { median, p90 } }) =>
            point(`${cell.after}-chunks-before`, Number(cell.jump), median!, [median!, p90 ?? median!]),
          ),
      },
    ],
  }),
  recovery: ({ recovery = [] }) => ({
    title: 'After one of five coefficients jumped by 1',
    subtitle: 'The jump comes after 10 R rows; --forget R, --on-alarm restart, and --on-alarm note',
    x: 'rows after the jump, in R',
    y: 'log10 of the error of predictions',
    panels: [
      {
        title: '',
        points: recovery.flatMap(({ cell, figures }) =>
          Object.entries(figures)
            .filter(([name]) => name !== 'before')
            .map(([at, error]) => [Number(at), error!] as const)
            .sort(([a], [b]) => a - b)
            .map(([at, error]) => point(String(cell.way), at, Math.log10(error))),
        ),
      },
    ],
  }),
};

/** The texts of the pictures, by the names of their files in docs/streams. */
export async function streamPictures(figures: Figures): Promise<ReadonlyMap<string, string>> {
  const drawn = Object.entries(CHARTS).map(
    async ([name, chartOf]) => [`${name}.svg`, await chartSvg(chartOf(figures))] as const,
  );
  return new Map(await Promise.all(drawn));
}
