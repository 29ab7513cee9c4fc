/** The whole way from rows to an estimate with defaults that work: layout, shuffle, pilot, plan, pipeline. */
import type { GramWork } from '../gradient/cellGrams.ts';
import { requireInteger } from '../math/check.ts';
import { hasEstimate } from '../plan/firstEstimate.ts';
import { cellsOf, type Layout, type LayoutOptions, layoutRows } from '../plan/layout.ts';
import { seeded } from '../random/seeded.ts';
import type { Samples } from '../sample/samples.ts';
import { scatter } from '../source/scatter.ts';
import { type FitSettings, type FittedSamples, fitFrom, fitSamples, needsPilot } from './fitSamples.ts';
import { gramPass, suitsGramPass } from './gramPass.ts';
import { DEFAULT_ORDER_SEED, type RowOrder } from './withChunks.ts';

export interface EstimateOptions
  extends Partial<Omit<FitSettings, 'layout'>>,
    Pick<LayoutOptions, 'mode' | 'steps' | 'schedule' | 'blocks'>,
    RowOrder {
  /** Who adds up the moments of a fit in one pass: the caller unless given. */
  readonly grams?: GramWork;
}

/** How many rows are left for pilot and steps. */
const rowsLeft = (rows: number, { heldOut }: EstimateOptions): number =>
  rows - (heldOut === undefined ? 0 : requireInteger('heldOut.rows', heldOut.rows, 1, rows - 1));

export type Estimate = FittedSamples;

/** What is not asked for otherwise: a robust loss at the scale of the residuals, an intercept, and blocks enough to say how far off the estimate may be. */
const usual = {
  loss: 'auto',
  method: 'auto',
  aggregate: 'auto',
  failureProbability: 0.05,
  intercept: true,
} as const;

export async function estimate(samples: Samples, options: EstimateOptions = {}): Promise<Estimate> {
  const { mode = 'auto', steps, schedule } = options;
  const keepsLayout = mode !== 'auto' || steps !== undefined || schedule !== undefined;
  const settings = { ...usual, keepsLayout, ...options };
  const layout = layoutFor(samples, options);
  const random = options.order === 'as-is' ? null : seeded(options.orderSeed ?? DEFAULT_ORDER_SEED, 'order');
  // Fresh chunks in the order of the file are read once anyway.
  const { heldOut } = options;
  if (
    heldOut === undefined &&
    (random !== null || layout.mode === 'full') &&
    suitsGramPass(samples, { ...settings, layout })
  ) {
    return fitFrom(await gramPass(samples, layout, random, options.grams), { ...settings, layout });
  }
  if (random === null) return fitSamples(samples, { ...settings, layout });
  const shuffled = scatter(samples, {
    ...options,
    cells: [...cellsOf(layout), ...(heldOut ? [heldOut.rows] : [])],
    random,
  });
  try {
    const read = options.shuffled?.(shuffled) ?? shuffled;
    return await fitSamples(read, { ...settings, layout });
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
    rows: rowsLeft(rows, options),
    size: intercept ? features + 1 : features,
    aggregate: kindOf(aggregate),
    failureProbability,
    pilot: needsPilot(settings),
    pilotCounts: settings.loss === 'auto' || hasEstimate(settings.loss.loss),
  });
}

/** Everything but a mean and the Huber-contamination estimator works on blocks. */
function kindOf(aggregate: FitSettings['aggregate']): LayoutOptions['aggregate'] {
  if (typeof aggregate === 'object') return 'huber' in aggregate ? 'huber' : 'median-of-means';
  return aggregate === 'auto' ? 'median-of-means' : aggregate;
}
