import { ArgumentError, refuse, requireChoice, requireNonNegative, requireVector } from '../errors.ts';
import { zeros } from '../math/vector.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { acceptedTargets } from '../method/loss/lossByName.ts';
import { METHODS } from '../method/rule/updateRule.ts';
import type { Layout } from '../plan/layout.ts';
import { estimationOf } from '../plan/planFit.ts';
import type { StepSettings } from '../plan/stepSettings.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { counted } from '../words.ts';
import type { FitRowsOptions } from './fitRows.ts';
import { requireRule } from './ruleOf.ts';

/** Refuses settings that are wrong for any rows, before any are read. */
export function requireSettings(
  settings: Omit<StepSettings, 'layout'> & {
    readonly penalty?: number;
    readonly failureProbability: number;
  },
  features: number,
): void {
  const { method, constraint, intercept, start, penalty, aggregate, failureProbability } = settings;
  requireChoice('method', method, METHODS);
  if (start !== undefined) requireVector('start', start, intercept ? features + 1 : features);
  if (penalty !== undefined) requireNonNegative('penalty', penalty);
  if (typeof aggregate === 'string') requireChoice('aggregate', aggregate, ['auto', 'mean', 'median-of-means']);
  else estimationOf(aggregate, failureProbability);
  requireRule(settings);
  if (constraint === undefined) return;
  try {
    constraint.project(zeros(features));
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    refuse('constraint', `be a set for the ${features} coefficients of the features`, constraint.name, error.message);
  }
}

/**
 * Refuses targets outside the domain of the loss, where it has no minimum: steps would go on for ever, or reject every
 * row. Rows of weight 0 are skipped, and values that are not finite are refused elsewhere.
 */
export function requireTargets({ rows, target, weights }: SampleBatch, loss: NamedLoss | 'auto'): void {
  const rule = loss === 'auto' ? null : acceptedTargets(loss);
  if (rule === null) return;
  const isOdd = (i: number): boolean => weights?.[i] !== 0 && Number.isFinite(target[i]) && !rule.accepts(target[i]!);
  let [odd, first] = [0, Number.NaN];
  for (let i = 0; i < rows; i++) if (isOdd(i) && odd++ === 0) first = target[i]!;
  if (odd === 0) return;
  const others = odd === 1 ? '' : ` and ${odd - 1} more`;
  throw new ArgumentError(
    `${rule.needs}, got ${first}${others} in ${counted(rows, 'row')} of the pilot; choose a loss for such targets, fix them, or give their rows weight 0`,
    'ERR_ARGUMENT',
    { argument: 'target', value: first },
  );
}

/** Refuses more blocks than the steps can fill, before any row is assigned to one. */
export function requireBlocks(
  { blocks, failureProbability = 0.05 }: Pick<FitRowsOptions, 'blocks' | 'failureProbability'>,
  layout: Pick<Layout, 'blocks' | 'rows' | 'schedule'>,
): void {
  const chunks = layout.schedule?.chunks ?? [layout.rows];
  const least = chunks.reduce((smallest, rows) => Math.min(smallest, rows));
  if (layout.blocks === 1 || 2 * layout.blocks <= least) return;
  const whose = `${counted(least, 'row')} of ${chunks.length === 1 ? 'a step' : 'the smallest step'}`;
  throw new ArgumentError(
    blocks === undefined
      ? `\`failureProbability: ${failureProbability}\` asks for ${layout.blocks} blocks of two rows or more, more than the ${whose} can fill; give a larger \`failureProbability\`, fewer \`steps\`, \`mode: 'full'\`, or more rows`
      : `\`blocks\` must be at most ${Math.max(1, Math.floor(least / 2))}, half of the ${whose}, got ${blocks}; give fewer, or leave it out to let \`failureProbability\` decide`,
    'ERR_TOO_FEW_ROWS',
    { rows: least, blocks: layout.blocks },
  );
}

/**
 * With a mean, blocks are used only for intervals. Without a pilot there are no intervals, and if all rows are in
 * memory the intervals come from the rows. Such `blocks` are refused if the mean was asked for. If the run chose the
 * mean, it may choose otherwise for other rows, so that there is a warning instead.
 */
export function requireUsedBlocks(
  { blocks, aggregate = 'auto' }: Pick<FitRowsOptions, 'blocks' | 'aggregate'>,
  { pilotRows, sharesPilot }: Pick<Layout, 'pilotRows' | 'sharesPilot'>,
): readonly string[] {
  const isMean = aggregate === 'mean' || (aggregate === 'auto' && pilotRows > 0);
  if (blocks === undefined || !isMean || (pilotRows > 0 && !sharesPilot)) return [];
  const why = sharesPilot
    ? 'all rows are in memory, so the intervals of the mean come from the rows'
    : 'with a mean, blocks are used only for intervals, and without a pilot there are none';
  const problem = `\`blocks: ${blocks}\` has no effect with \`aggregate: '${aggregate}'\` here: ${why}; leave \`blocks\` out, or give \`aggregate: 'median-of-means'\``;
  if (aggregate === 'mean') throw new ArgumentError(problem, 'ERR_CONFLICT', { arguments: ['blocks', 'aggregate'] });
  return [problem];
}
