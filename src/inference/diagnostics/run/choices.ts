import { HUBER_TUNING } from '../../../method/loss/lossByName.ts';
import { counted } from '../../../words.ts';
import { LEAST_ROWS_PER_COEFFICIENT } from '../../pilot/robust/residualScales.ts';
import type { Diagnosis } from '../diagnose.ts';
import { digits, percent, type Tell } from '../notes.ts';
import { OUTLIER_SCALES } from '../residuals/outliers.ts';
import { fewOf } from './shortage.ts';

/** Which loss a run chose by itself, and why. */
export const lossChoice: Tell<string> = ({ loss, isLossOpen, pilot, fit }) => {
  if (!isLossOpen) return null;
  if (loss.name === 'logistic') return 'loss logistic: every target of the pilot is 0 or 1';
  if (loss.name === 'squared') {
    const why = pilot.targets.twoValues ? 'the target has two values' : 'most rows have the same target';
    return `loss squared: ${why}, so residuals have no scale by which to recognise outliers`;
  }
  const scale = `residuals have a scale of ${digits(pilot.residuals.scale)}`;
  const chosen = `loss ${loss.name}(${digits(loss.parameter!)}): ${scale}`;
  if (loss.name === 'pseudo-huber')
    return `${chosen}, and q is ${HUBER_TUNING} scales; every row counts, and large residuals have bounded influence`;
  const isShort = pilot.rows.positiveWeight < LEAST_ROWS_PER_COEFFICIENT * fit.theta.length;
  const why = isShort
    ? `with fewer than ${LEAST_ROWS_PER_COEFFICIENT} rows per coefficient, only residuals beyond ${digits(loss.parameter! / pilot.residuals.scale)} scales are rejected`
    : `${outliers(pilot.residuals)} are separated from the others by a gap and are treated as outliers`;
  return `${chosen}; ${why}${byLeverage(pilot.leverage)}`;
};

function outliers({ rejectedRows, outlierShare }: Diagnosis['residuals']): string {
  const rejected = rejectedRows?.share ?? 0;
  if (rejected === 0 && outlierShare === 0) return 'a few rows';
  const [share, beyond] = rejected > outlierShare ? [rejected, rejectedRows!.beyond] : [outlierShare, OUTLIER_SCALES];
  return `${percent(share)} of the pilot rows, beyond ${digits(beyond)} scales,`;
}

const byLeverage = ({ rowWeights, downWeightedShare }: Diagnosis['leverage']): string =>
  rowWeights === null || downWeightedShare === 0
    ? ''
    : `; high-leverage rows are down-weighted, ${percent(downWeightedShare)} of the rows by more than half`;

/** How rows are assigned to the pilot, steps and blocks. */
export const layoutChoices: Tell<string> = (
  { layout, pilot, plan, fit, widened, uncertainty, noIntervals },
  { names },
) => {
  const { mode, sharesPilot, steps, schedule, blocks } = layout;
  const taken = `${steps} ${steps === 1 ? 'step' : 'steps'} (${plan.rule.name})`;
  const use = 'for units, the first estimate and the curvature';
  const averaged = pilot.estimate.isMinimum ? '; its estimate is weighted by its rows' : '';
  const why =
    widened === null
      ? ''
      : `; ${counted(widened.rows, 'row')} were not enough: too few ${fewOf(widened.shortage, names)}`;
  return [
    sharesPilot
      ? `a pilot of all ${counted(pilot.rows.count, 'row')}, which the steps use again, ${use}${why}`
      : `a pilot of ${counted(pilot.rows.count, 'row')}, which no step uses again, ${use}${averaged}${why}`,
    mode === 'fresh'
      ? `${taken} on ${steps === 1 ? 'a fresh chunk' : 'fresh chunks'} of ${schedule!.chunks.join(', ')} ${schedule!.chunks.at(-1) === 1 ? 'row' : 'rows'}${fit.rowsBehind === undefined ? '' : ', each iterate weighted by its rows'}`
      : `${taken} ${steps === 1 ? '' : 'each '}over all ${sharesPilot ? '' : 'other '}rows${unfilled(plan.leftOver)}`,
    uncertainty === null
      ? `no intervals: ${noIntervals}`
      : {
          rows: 'intervals from the influence of each row on the estimate',
          blocks: `intervals from the differences between ${blocks} blocks per step`,
          neighbours: 'intervals from blocks of neighbouring rows, which are correlated',
        }[uncertainty.from],
  ];
};

const unfilled = (rows: number): string =>
  rows === 0 ? '' : ` except ${rows} that ${rows === 1 ? 'does' : 'do'} not fill a block`;
