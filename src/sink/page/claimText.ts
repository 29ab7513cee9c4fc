import type { Prescription } from '../../plan/theorem/prescription.ts';

/** What a theorem claims, as a phrase. */
export const claimText = ({ quantity, rate }: Prescription['claim']): string =>
  `${quantity === 'risk' ? 'an excess risk' : 'an error ||theta - theta*||'} of order ${rate}`;
