import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import { toDigits } from '../../words.ts';
import { privateUncertainty } from '../intervals/privateUncertainty.ts';
import { ABOUT_PENALISED } from './noteWords.ts';

/** Private steps are taken in scaled units, and the penalty applies in these. */
export function ridgeNotes(plan: PrivatePlan): readonly string[] {
  const { penalty } = plan.plan.loss;
  if (penalty === 0) return [];
  const intervals = privateUncertainty(plan) === null ? '' : `; ${ABOUT_PENALISED}`;
  return [
    `\`penalty: ${toDigits(penalty, 6)}\` shrinks coefficients towards 0, in units of the declared bounds instead of those of the data${intervals}`,
  ];
}
