/** Notes on settings that the caller chose and that change an estimate. */
import type { FittedRun } from '../fittedRun.ts';
import { ABOUT_PENALISED, digits } from './noteWords.ts';

/** Under these losses the rows with the largest gradients are not outliers. */
export function aggregateNotes({ plan, loss }: FittedRun): readonly string[] {
  return plan.estimation.kind === 'huber' && loss.loss.targets.least > -Infinity
    ? [
        `the huber aggregate rejects the most informative rows of a ${loss.name} fit, ${loss.name === 'logistic' ? 'those of the less expected class' : 'those with large counts'}: coefficients are biased even on clean data; use \`aggregate: 'median-of-means'\`, or none`,
      ]
    : [];
}

export function startNotes({ ignoresStart }: FittedRun): readonly string[] {
  return ignoresStart
    ? [
        "the given start is too far from the pilot's estimate for steps to be sure to converge, so they began at the pilot's estimate instead; check that the start is a model of these data",
      ]
    : [];
}

export function ridgeNotes({ plan, uncertainty }: FittedRun): readonly string[] {
  const { penalty } = plan.loss;
  return penalty > 0 && uncertainty !== null
    ? [`\`penalty: ${digits(penalty)}\` shrinks coefficients towards 0; ${ABOUT_PENALISED}`]
    : [];
}
