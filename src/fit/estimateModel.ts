import { explainEstimate } from '../inference/diagnostics/explainEstimate.ts';
import type { ExplainOptions } from '../inference/diagnostics/notes.ts';
import type { FittedBlend, FittedRun } from '../inference/fittedRun.ts';
import type { Blend, Model } from '../model/model.ts';
import { type LevelTally, rememberedLevels } from '../sample/levelTally.ts';
import { INTERCEPT } from '../sample/samples.ts';
import { modelRecord, namedUncertainty } from './modelRecord.ts';

/** What the rows were, which an estimate does not know. */
export interface EstimatedRows
  extends Pick<ExplainOptions, 'passedOver' | 'times' | 'levels' | 'classes' | 'nullTokens' | 'rounded' | 'inFiles'> {
  readonly target: string;
  /** Of the features, in order. */
  readonly names: readonly string[];
  /** `shuffle`, as `estimate` does, unless given. */
  readonly order?: 'shuffle' | 'as-is';
  readonly orderSeed?: string;
  readonly categorical?: Model['categorical'];
  readonly heldOut?: number;
  readonly invalid?: number;
  /** For each column, the number of rows without a usable value. */
  readonly unusable?: NonNullable<ExplainOptions['skipped']>['columns'];
  /** The set that the coefficients were held to, where there was one. */
  readonly set?: { readonly kind: 'l2' | 'l1' | 'box'; readonly radius: number };
  /** The column of weights, where there was one. */
  readonly weights?: string;
}

/**
 * What `estimate` found, as the model file that reports, predictions and evaluations take: coefficients by name,
 * intervals, choices and notes.
 */
export function estimateModel(
  found: FittedRun,
  { order = 'shuffle', categorical = {}, heldOut = 0, invalid = 0, unusable = [], ...rows }: EstimatedRows,
): Model {
  const { target, names, orderSeed, set, weights, times = [], levels = [] } = rows;
  const { fit, plan, layout, pilotRows, uncertainty } = found;
  const { estimation } = plan;
  const leftOut = found.pilot?.columns.dropped.map(({ column }) => column) ?? [];
  const read = (layout.sharesPilot ? 0 : pilotRows) + layout.rows + heldOut;
  return modelRecord(found, {
    theta: fit.theta,
    names,
    read,
    aside: heldOut + (layout.sharesPilot ? 0 : pilotRows),
    invalid,
    target,
    categorical,
    times,
    plan: {
      mode: layout.mode,
      steps: layout.steps,
      chunks: layout.schedule?.chunks ?? null,
      blocks: layout.blocks,
      aggregate: estimation.kind === 'huber' ? { huber: estimation.contamination } : estimation.aggregator.name,
      pilotRows,
      sharesPilot: layout.sharesPilot,
      ...(found.samplingNorm !== null && { samplingNorm: found.samplingNorm }),
      ...(heldOut > 0 && { heldOut }),
      order,
      ...(orderSeed !== undefined && { orderSeed }),
      ...(set && { set: set.kind, radius: set.radius }),
      ...(weights !== undefined && { weights }),
    },
    ...(found.blend && { blend: namedBlend(found.blend, names) }),
    ...(leftOut.length > 0 && { leftOut: leftOut.map(column => names[column]!) }),
    ...(uncertainty && {
      uncertainty: namedUncertainty(uncertainty, names, basisOf(uncertainty, found.blend !== null), leftOut),
    }),
    ...explainEstimate(found, {
      ...rows,
      order,
      categorical,
      skipped: { read, invalid, columns: unusable },
    }),
    ...referenceLevels(levels),
  });
}

function namedBlend({ weight, loss, huber, bisquare, weightlessShare }: FittedBlend, names: readonly string[]): Blend {
  const named = (theta: Float64Array): Record<string, number> =>
    Object.fromEntries([...names, INTERCEPT].slice(0, theta.length).map((name, j) => [name, theta[j]!]));
  return {
    weight,
    parameter: loss.parameter!,
    withoutWeight: weightlessShare,
    huber: named(huber),
    bisquare: named(bisquare),
  };
}

function basisOf({ from, degrees }: NonNullable<FittedRun['uncertainty']>, isBlend: boolean): string {
  const [fewest, most] = [Math.min(...degrees), Math.max(...degrees)];
  const freedom = `with ${fewest} ${fewest === 1 ? 'degree' : 'degrees'} of freedom${fewest === most ? '' : ' or more'}`;
  const halves = isBlend && from === 'rows' ? ' or fits of half of them differ by' : '';
  return `${SOURCES[from]}${halves}, ${freedom}`;
}

const SOURCES = {
  rows: 'what every row does to the estimate (HC3)',
  blocks: "how far the run's disjoint blocks are from each other, by the pilot's curvature",
  neighbours: 'how far blocks of neighbouring rows are from each other',
} as const;

/**
 * What a model file remembers of levels without a coefficient of their own; nothing where levels were not counted, or
 * there is no text feature.
 */
export function referenceLevels(tallies: readonly LevelTally[]): Pick<Model, 'reference' | 'pooled'> {
  if (tallies.length === 0) return {};
  const pooling = tallies.filter(({ found }) => found?.pools);
  const remembered = (tally: LevelTally) => [tally.column, rememberedLevels(tally)] as const;
  return {
    reference: Object.fromEntries(
      tallies.map(tally => (tally.found?.pools ? [tally.column, [tally.found.reference]] : remembered(tally))),
    ),
    ...(pooling.length > 0 && { pooled: Object.fromEntries(pooling.map(remembered)) }),
  };
}
