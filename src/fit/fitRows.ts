import type { GramWork } from '../engine/kernel/cellGrams.ts';
import { requireInteger } from '../errors.ts';
import type { FittedRun } from '../inference/fittedRun.ts';
import { hasPilotEstimate } from '../inference/pilot/firstEstimate.ts';
import type { Random } from '../math/random/random.ts';
import { seeded } from '../math/random/seeded.ts';
import { type GivenLoss, namedLossOf } from '../method/loss/namedLossOf.ts';
import { cellsOf, type Layout, type LayoutOptions, layoutRows } from '../plan/layout.ts';
import { requireTarget, type Samples } from '../sample/samples.ts';
import { pilotPlaces } from '../sample/shuffle/pilotPlaces.ts';
import { type ScatteredSamples, scatter } from '../sample/shuffle/scatter.ts';
import { type FitSettings, fitFrom, fitSamples, needsPilot } from './fitSamples.ts';
import { gramPass, suitsGramPass } from './input/gramPass.ts';
import { openInput, type WiderInput } from './input/openInput.ts';
import { DEFAULT_ORDER_SEED, type RowOrder, requireOrder } from './input/withChunks.ts';
import { requireSettings } from './requireSettings.ts';

/** Everything that `fitRows` may be told; what is not given is chosen by a pilot. */
export interface FitRowsOptions
  extends Partial<Omit<FitSettings, 'layout' | 'keepsLayout' | 'places' | 'loss'>>,
    Pick<LayoutOptions, 'mode' | 'steps' | 'schedule' | 'blocks'>,
    RowOrder {
  /** `auto`: logistic where the pilot's targets are all 0 or 1, otherwise a robust loss tuned to its residuals. */
  readonly loss?: GivenLoss | 'auto';
  /** Computes the moments of a fit in one pass: in the calling thread unless given. */
  readonly grams?: GramWork;
  /** Whether rows can be read once only; false unless given. */
  readonly readOnce?: boolean;
  /** Opens rows that are not read here, with as many in every part as there are; `samples` then only says how many. */
  readonly elsewhere?: (layout: Layout, held: number) => Promise<WiderInput>;
}

/** Rows for the pilot and the steps. */
const rowsLeft = (rows: number, { heldOut }: FitRowsOptions): number =>
  rows - (heldOut === undefined ? 0 : requireInteger('heldOut.rows', heldOut.rows, 1, rows - 1));

/** Defaults: a robust loss at the scale of the residuals, an intercept, and enough blocks for intervals. */
const usual = {
  loss: 'auto',
  method: 'auto',
  aggregate: 'auto',
  failureProbability: 0.05,
  intercept: true,
} as const;

/** With defaults, and the loss by name. */
function completed({ loss = usual.loss, ...options }: FitRowsOptions) {
  // Callers may pass undefined for an option that was not given to them.
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    ...usual,
    ...(Object.fromEntries(given) as typeof options),
    loss: loss === 'auto' ? loss : namedLossOf(loss),
  };
}

/** The whole run from rows to an estimate, with defaults that work: layout, shuffle, pilot, plan, pipeline. */
export async function fitRows(samples: Samples, asked: FitRowsOptions = {}): Promise<FittedRun> {
  const options = completed(asked);
  const { mode = 'auto', steps, schedule } = options;
  requireTarget(samples);
  requireOrder(options.order ?? 'shuffle');
  requireSettings(options, samples.features);
  const keepsLayout = mode !== 'auto' || steps !== undefined || schedule !== undefined;
  const layout = layoutFor(samples, options);
  if (options.elsewhere !== undefined) {
    const { start, layout: own } = await options.elsewhere(layout, options.heldOut?.rows ?? 0);
    return fitFrom(start, { ...options, keepsLayout, layout: own });
  }
  const { heldOut } = options;
  const cells = [...cellsOf(layout), ...(heldOut ? [heldOut.rows] : [])];
  const places = (most: number): Float64Array =>
    pilotPlaces(cells, most, options.order === 'as-is' ? null : orderOf(options));
  const settings = { ...options, keepsLayout, places };
  let shuffled: ScatteredSamples | undefined;
  /** The rows themselves, in the order of the run. */
  const inOrder = (): Samples => {
    if (options.order === 'as-is') return samples;
    shuffled = scatter(samples, { ...options, cells, random: orderOf(options) });
    return options.shuffled?.(shuffled) ?? shuffled;
  };
  try {
    // Fresh chunks in the order of the file are read once anyway.
    if ((options.order !== 'as-is' || layout.mode === 'full') && momentsDo(samples, options, layout)) {
      const random = options.order === 'as-is' ? null : orderOf(options);
      const start = await gramPass(samples, layout, random, options.grams);
      // Moments carry no more information about a column than the pilot has, so that a pilot that is too small reads
      // the rows after all.
      const wider = async (): Promise<WiderInput> => {
        const slow = await openInput(inOrder(), layout, 0);
        return (await slow.wider?.()) ?? { start: slow, layout };
      };
      return await fitFrom(options.readOnce ? start : { ...start, wider }, { ...settings, layout });
    }
    return await fitSamples(inOrder(), { ...settings, layout });
  } finally {
    await shuffled?.close();
  }
}

const orderOf = ({ orderSeed = DEFAULT_ORDER_SEED }: RowOrder): Random => seeded(orderSeed, 'order');

/** Whether the steps need nothing but moments of the rows. */
const momentsDo = (
  samples: Pick<Samples, 'features'>,
  options: ReturnType<typeof completed>,
  layout: Layout,
): boolean => options.heldOut === undefined && suitsGramPass(samples, { ...options, layout });

/** Whether rows that stay in their order are read once only. */
export function readsOnce(samples: Pick<Samples, 'rows' | 'features'>, options: FitRowsOptions): boolean {
  const layout = layoutFor(samples, options);
  return layout.mode === 'fresh' || layout.sharesPilot || momentsDo(samples, completed(options), layout);
}

/** The assignment of rows to pilot, steps and blocks, without reading any. */
export function layoutFor({ rows, features }: Pick<Samples, 'rows' | 'features'>, asked: FitRowsOptions): Layout {
  const options = completed(asked);
  const { aggregate, failureProbability, intercept, ...settings } = options;
  return layoutRows({
    ...options,
    rows: rowsLeft(rows, options),
    size: intercept ? features + 1 : features,
    aggregate: kindOf(aggregate, needsPilot(settings)),
    failureProbability,
    pilot: needsPilot(settings),
    pilotCounts: settings.loss === 'auto' || hasPilotEstimate(settings.loss.loss),
  });
}

/**
 * All aggregates but a mean and the Huber-contamination estimator work on blocks, and after a pilot a mean has them for
 * its intervals.
 */
function kindOf(aggregate: FitSettings['aggregate'], pilot: boolean): LayoutOptions['aggregate'] {
  if (typeof aggregate === 'object') return 'huber' in aggregate ? 'huber' : 'median-of-means';
  return aggregate === 'auto' || pilot ? 'median-of-means' : aggregate;
}
