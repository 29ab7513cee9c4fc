import { HUBER_TUNING } from '../../../method/loss/lossByName.ts';
import { counted } from '../../../words.ts';
import { digits, type Tell } from '../notes.ts';
import { fewOf } from './shortage.ts';

/** Which loss a run chose by itself, and why. */
export const lossChoice: Tell<string> = ({ loss, isLossOpen, pilot, blend }) => {
  if (!isLossOpen) return null;
  if (loss.name === 'logistic') return 'loss logistic: every target of the pilot is 0 or 1';
  const scale = `residuals have a scale of ${digits(pilot.residuals.scale)}`;
  if (loss.name === 'tukey')
    return `loss tukey(${digits(loss.parameter!)}): a bisquare fit, which gives rows beyond that residual no weight; Huber's fit would have less weight in a mean of both, which these settings do not allow`;
  const huber = `loss ${loss.name}(${digits(loss.parameter!)}): ${scale}, and q is ${HUBER_TUNING} scales`;
  if (blend === null) return `${huber}; every row counts, and large residuals have bounded influence`;
  return `${huber}; the estimate is the mean of this fit and of a bisquare fit with c ${digits(blend.loss.parameter!)}, which gives rows beyond it no weight and counts ${digits(blend.weight)}`;
};

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
