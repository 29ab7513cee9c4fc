import { momentAccount } from '../../fit/index.ts';
import type { Loss } from '../../index.ts';
import { isPoissonWithin, isSquaredWithin, type PrivatePlan, type PrivatePrediction } from '../../plan/index.ts';
import { counted, significant } from './text.ts';

/** A private plan as lines of text. */
export function privatePlanLines({
  plan,
  noise,
  clip,
  predicted,
  predictedIfWider,
  unitRows,
  moments,
  tail,
  scaling,
}: PrivatePlan): readonly string[] {
  const { rows, features, intercept, privacy, mode, steps, leftOver, rule, loss } = plan;
  const { calibration, epsilon, delta, lipschitz } = privacy!;
  const average = tail === 1 ? '' : `; the average of the last ${tail} iterates`;
  const sizes = [...new Set(steps.map(step => step.rows))];
  const { blocks, release } = steps.at(-1)!;
  const longest = moments?.whitenedLength ?? scaling.rowLength;
  return [
    `${counted(rows, 'row')}, ${counted(features, 'feature')}${intercept ? ' and an intercept' : ''}, scaled to [-1, 1] by their declared bounds`,
    `loss     ${titled(loss, scaling)}, targets in units of ${significant(scaling.target.scale)}${isOfClasses(plan.loss.targets, scaling) ? '; if they are classes, 0 or 1, use --loss logistic' : ''}`,
    `privacy  (${epsilon}, ${delta}), mu ${significant(noise.mu)}, for replacing ${unitRows === 1 ? 'one row' : `up to ${unitRows} rows of one unit`}; calibration ${calibration}`,
    `gradient norm of a row at most ${significant(lipschitz)}${clip === null ? ', from loss and bounds' : ', by clipping'}${longest === undefined ? '' : `; rows of norm above ${significant(longest)} are down-weighted`}`,
    ...(moments === null
      ? []
      : [
          `moments  second moments of all rows are released first, with noise of ${significant(momentAccount(moments, plan).sigma)}, at the cost of one step; the steps are taken in the coordinates they whiten, and a final release of the curvature of the risk costs as much again`,
        ]),
    mode === 'full'
      ? `steps    ${steps.length} (${rule.name}), each over ${rows === 1 ? 'the one row' : `all ${rows} rows`}${average}`
      : `steps    ${steps.length} (${rule.name}) on fresh chunks of ${sizes.length > 6 ? `${sizes[0]} to ${sizes.at(-1)}` : sizes.join(', ')} rows, ${leftOver} left over${average}`,
    `noise    standard deviation ${significant(release!.sigma)} on each coordinate of ${blocks === 1 ? "the last step's mean gradient" : `each of the last step's ${blocks} block means`}`,
    ...(predicted === null
      ? []
      : [
          `predicted error ${shown(predicted)}`,
          `  by how many times wider than what they hold bounds are: ${widerText(predictedIfWider)}`,
        ]),
  ];
}

function titled(loss: Loss, scaling: PrivatePlan['scaling']): string {
  if (loss.kernel?.kind === 'weighted-logistic')
    return 'logistic, rows with almost certain predictions down-weighted by at most a half';
  const penalty = loss.penalty > 0 ? ` and ridge ${significant(loss.penalty)}` : '';
  if (isSquaredWithin(loss, scaling)) return `squared, residuals bounded by the range of the targets${penalty}`;
  if (isPoissonWithin(loss, scaling)) return `poisson, rates bounded by the largest count${penalty}`;
  return loss.name.replaceAll(NUMBER, text => significant(Number(text)));
}

/** The name of a loss holds all digits of its parameters, of which rescaling may have made many. */
const NUMBER = /\d+(\.\d+)?(e[+-]\d+)?/g;

/** Whether a loss that is not for classes is given targets bounded by 0 and 1. */
const isOfClasses = ({ least }: { readonly least: number }, { targetBounds }: PrivatePlan['scaling']): boolean =>
  least === -Infinity && targetBounds.least === 0 && targetBounds.most === 1;

const shown = ({ total, noise, privacy, distance, drawn }: PrivatePrediction): string =>
  `${significant(total)} in scaled coefficients (noise ${significant(privacy)}, sampling ${significant(Math.sqrt(Math.max(0, noise ** 2 - privacy ** 2)))}, steps not taken ${significant(distance)}${drawn > 0 ? `, ridge bias ${significant(drawn)}` : ''}), assuming that bounds are three times as wide as what they hold, that features are spread evenly and uncorrelated, and that residuals or probabilities are of typical size`;

/** The predicted error by width. */
export const widerText = (predictions: PrivatePlan['predictedIfWider']): string =>
  predictions.map(({ width, predicted }) => `${width}: ${significant(predicted.total)}`).join(', ');
