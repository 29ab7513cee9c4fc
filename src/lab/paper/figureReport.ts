import { type Chart, chartSvg } from '../../sink/page/chart.ts';
import type { Exhibit } from './exhibit.ts';
import type { Point } from './figure.ts';
import { type FigureCell, figureCells } from './figureCells.ts';
import { type Rate, ratesOf } from './rates.ts';
import { type Claim, type Judgement, judge } from './verdict.ts';

/** The results of a figure: table, judgements, rates, charts. */
export interface FigureReport {
  readonly figure: Exhibit;
  readonly seeds: number;
  readonly cells: readonly FigureCell[];
  /** For every reading that has something to compare, the primary one first. */
  readonly judgements: readonly Judgement[];
  /** Of the caption's further claims, for the primary reading. */
  readonly also: readonly (Judgement & { readonly claim: Claim })[];
  /** Slopes of the primary reading, where theorems claim any. */
  readonly rates: readonly Rate[];
  /** The primary reading in the paper's axes, and all readings side by side. */
  readonly charts: { readonly primary: string; readonly readings: string };
}

/** The results of a figure: its table, its pictures and a judgement of every reading. */
export async function figureReport(figure: Exhibit, seeds: readonly (readonly Point[])[]): Promise<FigureReport> {
  const cells = figureCells(seeds);
  const names = figure.readings.map(({ name }) => name);
  const judgements = figure.readings.flatMap(
    ({ name, range = figure.claim.range }) => judge({ ...figure.claim, range }, name, seeds) ?? [],
  );
  const panels = names
    .map(name => ({ title: name, points: cells.filter(({ reading }) => reading === name) }))
    .filter(({ points }) => points.length > 0);
  const chart: Omit<Chart, 'panels'> = {
    title: `${figure.name}: ${figure.title}`,
    subtitle: `Medians and quartiles of ${seeds.length} seeds`,
    x: figure.x,
    y: figure.y,
    ...(figure.xScale && { xScale: figure.xScale }),
  };
  return {
    figure,
    seeds: seeds.length,
    cells,
    judgements,
    also: (figure.also ?? []).flatMap(claim => {
      const judgement = judge(claim, names[0]!, seeds);
      return judgement === undefined ? [] : [{ ...judgement, claim }];
    }),
    rates: ratesOf(figure.name, seeds),
    charts: {
      primary: await chartSvg({ ...chart, panels: panels.slice(0, 1) }),
      readings: await chartSvg({ ...chart, panels }),
    },
  };
}
