import { integerRelease } from '../../privacy/integerRelease.ts';
import type { MomentPlan, PrivatePlan } from './planPrivate.ts';

/** The parameters of a release of second moments. */
export function momentAccount(
  { noise, norm, whitenedLength }: MomentPlan,
  { rows }: PrivatePlan['plan'],
): { readonly sigma: number; readonly norm: number; readonly rowLength: number } {
  const { sigma } = integerRelease(noise, { chunk: 'all', rowsPerBlock: rows });
  return { sigma, norm, rowLength: whitenedLength };
}
