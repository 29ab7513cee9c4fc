import { integerRelease, type MomentPlan, type PrivatePlan } from '../index.ts';

/** What a release of second moments is like. */
export function momentsOf(
  { noise, norm, whitenedLength }: MomentPlan,
  { rows }: PrivatePlan['plan'],
): { readonly sigma: number; readonly norm: number; readonly rowLength: number } {
  const { sigma } = integerRelease(noise, { chunk: 'all', rowsPerBlock: rows });
  return { sigma, norm, rowLength: whitenedLength };
}
