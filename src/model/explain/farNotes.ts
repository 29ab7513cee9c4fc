/** Notes on rows far from the fit or from other rows. */

import type { Estimate } from '../../flow/estimate.ts';
import { HUBER_TUNING } from '../../loss/tunings.ts';
import { FAR_OFF } from '../../pilot/residualSigns.ts';
import type { ExplainOptions } from './explanation.ts';
import { digits, nameOf, tunedLoss } from './words.ts';

export function farNotes({ pilot, loss, isLossOpen }: Estimate): readonly string[] {
  if (pilot === null || pilot.farBesideCodes < LEAST_FAR) return [];
  const besides = pilot.farBesideCodes < pilot.farShare ? ', besides those with a code,' : '';
  const share = `${digits(100 * pilot.farBesideCodes)} % of the pilot rows${besides} are further than ${FAR_OFF} residual scales from the fit`;
  if (isLossOpen && loss.name === 'pseudo-huber')
    return [
      `${share}, and each of these counts as much as one at ${digits(loss.parameter!)}: noise differs between rows, or the fit misses a bend or a product of features, which a column with a square or product would tell`,
    ];
  if (isLossOpen && loss.name !== 'squared') {
    const group =
      pilot.farShare < A_GROUP
        ? ''
        : ': so many may follow a law of their own; look at them, and if they do, add a column that tells them from the others';
    return [`${share}, and hardly count in it${group}`];
  }
  return loss.name === 'squared'
    ? [
        `${share}: under the squared loss they pull the estimate, and where they are in every block, as these are, no median of means undoes it; ${isLossOpen ? `${tunedLoss('pseudo-huber', HUBER_TUNING * pilot.residualScale)} would bound what they do, and be no fit of means any more` : "`loss: 'auto'` leaves them out, but follows the bulk of the rows then and not their mean, which is better only if they do not belong"}`,
      ]
    : [`${share}`];
}

const LEAST_FAR = 0.002;

const A_GROUP = 0.1;

/** Under the squared loss, rows that pull are far from the fit as a rule, and are told of already. */
export function farOutNotes(
  { pilot, loss, isLossOpen, fit }: Estimate,
  { names }: ExplainOptions,
): readonly string[] {
  if (pilot === null || pilot.farOut === null || pilot.farOut.without === null) return [];
  if (loss.name === 'squared' && pilot.farShare >= LEAST_FAR) return [];
  // Rows with a code lie far out by it, and are told of as what they are.
  if (pilot.missingCodes.length > 0) return [];
  const { share, beyond, without, most } = pilot.farOut;
  const advice =
    loss.loss.targets.least === -Infinity && !isLossOpen
      ? "`loss: 'auto'` leaves such rows out"
      : 'look at them, and mend or leave out those that do not belong';
  return [
    `${digits(100 * share)} % of the pilot rows lie far out in their features, further than ${digits(beyond)} scales, and the ${loss.name} loss counts them fully: without them ${JSON.stringify(nameOf(most, names))} would have about ${digits(without[most]!)} instead of ${digits(fit.theta[most]!)}; ${advice}`,
  ];
}

/** A level that few rows have is told of apart, and so is a code. */
export function concentrationNotes({ pilot, loss, uncertainty }: Estimate): readonly string[] {
  if (pilot === null || pilot.rare.length > 0 || pilot.missingCodes.length > 0) return [];
  if (pilot.concentration < Math.max(FEW_DECIDE, OF_FEW / Math.sqrt(pilot.counting))) return [];
  const harm = [
    ...(uncertainty === null
      ? []
      : [`intervals are too narrow${uncertainty.from === 'blocks' ? '' : ' if noise grows with them'}`]),
    ...(loss.name === 'squared'
      ? []
      : ["where noise is light, the error may be several times that of `loss: 'squared'`"]),
  ];
  return [
    `a few rows lie so far out in their features that they decide the estimate${harm.length > 0 ? `: ${harm.join(', and ')}` : ''}; take logarithms or ranks of such features, or bound them`,
  ];
}

/** Eleven rows that share all leverage have this much; log-normal features come near it only where rows are few. */
const FEW_DECIDE = 0.3;

/** n rows alike have 1/sqrt n, and of one normal feature sqrt 3 times that. */
const OF_FEW = 2;

export function heaviestNotes({ pilot }: Estimate): readonly string[] {
  if (pilot === null || pilot.heaviest < Math.max(HEAVY, 20 / pilot.counting)) return [];
  const { heaviest, counting } = pilot;
  const harm =
    heaviest >= 0.5
      ? 'the estimate is mostly its own, and no interval tells how far off that is'
      : `it counts as ${digits(heaviest * counting)} of them on average do, and no interval tells how far off the estimate is if this row does not belong`;
  return [
    `one row has ${digits(100 * heaviest)} % of the weight of all ${counting} pilot rows: ${harm}; look at the column of weights`,
  ];
}

const HEAVY = 0.1;
