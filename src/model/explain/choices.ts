/** What a run chose by itself: the loss, and how rows are laid out over pilot, steps and blocks. */

import type { Estimate } from '../../flow/estimate.ts';
import { LEAST_ROWS_PER_COEFFICIENT } from '../../pilot/degreesOfFreedom.ts';
import type { LeverageDiagnostics } from '../../pilot/leverageDiagnostics.ts';
import type { Shortage } from '../../pilot/shortage.ts';
import type { ExplainOptions } from './explanation.ts';
import { digits, nameOf, rowsIn } from './words.ts';

export function lossChoice({ loss, isLossOpen, pilot, fit }: Estimate): readonly string[] {
  if (!isLossOpen || pilot === null) return [];
  if (loss.name === 'logistic') return ['loss logistic: every target of the pilot is 0 or 1'];
  if (loss.name === 'squared')
    return [
      pilot.targets.twoValues
        ? 'loss squared: the targets of the pilot have two values, and residuals then no scale to tell outliers by'
        : 'loss squared: most rows near a robust fit have one and the same target, so that residuals have no scale to tell outliers by',
    ];
  const q = digits(loss.parameter!);
  if (loss.name === 'pseudo-huber')
    return [
      `loss pseudo-huber(${q}): residuals have a scale of ${digits(pilot.residuals.scale)}, but are larger in some rows than in others, or reach much further to one side, for noise differs or the fit misses a bend or a product of features, and a loss that leaves far rows out would tell too little of what only these know; rows beyond ${q} count, each as much as one at ${q}${byLeverage(pilot.leverage)}`,
    ];
  const why =
    pilot.rows.positiveWeight < LEAST_ROWS_PER_COEFFICIENT * fit.theta.length
      ? `fewer than ${LEAST_ROWS_PER_COEFFICIENT} rows a coefficient are fitted all too well once more are left out`
      : 'of the tunings tried this one promises the least error';
  return [
    `loss ${loss.name}(${q}): residuals have a scale of ${digits(pilot.residuals.scale)}, and rows ${loss.name === 'tukey' ? `beyond ${q} do not` : `far beyond ${q} hardly`} count${byLeverage(pilot.leverage)}; ${why}`,
  ];
}

/** What rows count by besides their residuals. */
const byLeverage = ({ rowWeights, downWeightedShare }: LeverageDiagnostics): string =>
  rowWeights === null
    ? ''
    : `, and rows far out in their features less: ${digits(100 * downWeightedShare)} % of the pilot's less than half`;

export function layoutChoices(
  { layout, pilot, plan, fit, widened, uncertainty, noIntervals }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  if (pilot === null) return [];
  const { mode, sharesPilot, steps, schedule, blocks } = layout;
  const taken = `${steps} ${steps === 1 ? 'step' : 'steps'} (${plan.rule.name})`;
  const counts = pilot.estimate.isMinimum ? ', and its own estimate counts as so many' : '';
  const why =
    widened === null ? '' : `; of ${rowsIn(widened.rows)}, too few ${fewOf(widened.shortage, names)}`;
  return [
    sharesPilot
      ? `a pilot of all ${rowsIn(pilot.rows.count)}, which the steps see again: units, first estimate, curvature${why}`
      : `a pilot of ${rowsIn(pilot.rows.count)}, which no step uses again: units, first estimate, curvature${counts}${why}`,
    mode === 'fresh'
      ? `${taken} on ${steps === 1 ? 'a fresh chunk' : 'fresh chunks'} of ${schedule!.chunks.join(', ')} ${schedule!.chunks.at(-1) === 1 ? 'row' : 'rows'}${fit.rowsBehind === undefined ? '' : ', each iterate counting as its rows'}`
      : `${taken} ${steps === 1 ? '' : 'each '}over all ${sharesPilot ? '' : 'other '}rows${unfilled(plan.leftOver)}`,
    uncertainty === null
      ? `no intervals: ${noIntervals}`
      : {
          rows: 'intervals from what each row does to the estimate',
          blocks: `${blocks} blocks a step, whose differences make the intervals`,
          neighbours: 'intervals from blocks of neighbouring rows, which go together',
        }[uncertainty.from],
  ];
}

function fewOf(thin: Shortage, names: readonly string[]): string {
  switch (thin.few) {
    case 'rows of a column':
      return `told of ${thin.column === names.length ? 'the intercept' : JSON.stringify(nameOf(thin.column, names))}`;
    case 'weights':
      return 'had most of the weight';
    case 'events':
      return 'had an event, or a class in doubt';
    case 'rows within reach':
      return 'were within reach of the loss';
    case 'rows with leverage':
      return 'had most of the leverage';
  }
}

const unfilled = (rows: number): string =>
  rows === 0 ? '' : ` but ${rows} that ${rows === 1 ? 'does' : 'do'} not fill a block`;
