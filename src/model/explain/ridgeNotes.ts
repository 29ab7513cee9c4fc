import { toDigits } from '../../math/toDigits.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import { privateUncertainty } from '../../plan/private/privateUncertainty.ts';
import { ABOUT_PENALISED } from './words.ts';

/** Steps are taken in scaled units, and a penalty is part of them. */
export function ridgeNotes(plan: PrivatePlan): readonly string[] {
  const { penalty } = plan.plan.loss;
  if (penalty === 0) return [];
  const intervals = privateUncertainty(plan) === null ? '' : `: ${ABOUT_PENALISED}`;
  return [
    `\`penalty: ${toDigits(penalty, 6)}\` draws coefficients towards 0, in units of the declared bounds and not in those of the data, which it has where a run is not private${intervals}`,
  ];
}
