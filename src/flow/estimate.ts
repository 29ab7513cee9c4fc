/** The whole way from rows to an estimate with defaults that work: layout, shuffle, pilot, plan, pipeline. */
import { cellsOf, type Layout, type LayoutOptions, layoutRows } from '../plan/layout.ts';
import { seeded } from '../random/seeded.ts';
import type { Samples } from '../sample/samples.ts';
import { type ScatterOptions, scatter } from '../source/scatter.ts';
import { type FitSettings, type FittedSamples, fitSamples, needsPilot } from './fitSamples.ts';

export interface EstimateOptions
  extends Partial<Omit<FitSettings, 'layout'>>,
    Pick<LayoutOptions, 'mode' | 'steps' | 'schedule' | 'blocks'>,
    Pick<ScatterOptions, 'scratch' | 'memoryBytes'> {
  /** Files are often sorted, so rows are shuffled unless they are said to come in random order. */
  readonly order?: 'shuffle' | 'as-is';
  /** Fixes the shuffle; the same for every run unless given. */
  readonly orderSeed?: string;
}

export interface Estimate extends FittedSamples {
  readonly layout: Layout;
}

/** What is not asked for otherwise: a robust loss at the scale of the residuals, an intercept, and a median of means. */
const usual = {
  loss: 'auto',
  method: 'auto',
  aggregate: 'median-of-means',
  failureProbability: 0.05,
  intercept: true,
} as const;

export const DEFAULT_ORDER_SEED = 'sluice';

export async function estimate(samples: Samples, options: EstimateOptions = {}): Promise<Estimate> {
  const settings = { ...usual, ...options };
  const layout = layoutFor(samples, options);
  if (options.order === 'as-is') return { ...(await fitSamples(samples, { ...settings, layout })), layout };
  const random = seeded(options.orderSeed ?? DEFAULT_ORDER_SEED, 'order');
  const shuffled = scatter(samples, { ...options, cells: cellsOf(layout), random });
  try {
    return { ...(await fitSamples(shuffled, { ...settings, layout })), layout };
  } finally {
    await shuffled.close();
  }
}

/** Which rows would do what, without reading any. */
export function layoutFor(
  { rows, features }: Pick<Samples, 'rows' | 'features'>,
  options: EstimateOptions,
): Layout {
  const { aggregate, failureProbability, intercept, ...settings } = { ...usual, ...options };
  return layoutRows({
    ...options,
    rows,
    size: intercept ? features + 1 : features,
    aggregate: typeof aggregate === 'object' ? 'huber' : aggregate,
    failureProbability,
    pilot: needsPilot(settings),
  });
}
