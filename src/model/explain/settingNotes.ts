/** Notes on settings that somebody chose and that move an estimate. */
import type { Estimate } from '../../flow/estimate.ts';
import { ABOUT_PENALISED, digits } from './words.ts';

/** The rows with the largest gradients are then not the ones that do not belong. */
export function aggregateNotes({ plan, loss }: Estimate): readonly string[] {
  return plan.estimation.kind === 'huber' && loss.loss.targets.least > -Infinity
    ? [
        `under the ${loss.name} loss, gradients are far from each other by nature, and huber leaves out the rows that tell most, ${loss.name === 'logistic' ? 'those of the class that is not expected' : 'those of large counts'}: coefficients are off, on clean rows too; use \`aggregate: 'median-of-means'\`, or none`,
      ]
    : [];
}

export function startNotes({ ignoresStart }: Estimate): readonly string[] {
  return ignoresStart
    ? [
        "the start that was given is so far from what the pilot rows say that steps might not have come back from it: they began at the pilot's own estimate",
      ]
    : [];
}

export function ridgeNotes({ plan, uncertainty }: Estimate): readonly string[] {
  const { penalty } = plan.loss;
  return penalty > 0 && uncertainty !== null
    ? [`\`penalty: ${digits(penalty)}\` draws coefficients towards 0: ${ABOUT_PENALISED}`]
    : [];
}
