import { counted } from '../../words.ts';
import type { Audit } from './audit.ts';
import { breach } from './breach.ts';
import type { Observation } from './observe.ts';
import { ROUNDING } from './rounding.ts';

/** Checks that every release is charged before it is drawn, with the mu of its declared sensitivity and noise. */
export function checkCharges(audit: Audit, { sums, trace, ledger }: Observation): void {
  const { noise } = audit.declared;
  const { entries, isPrivate } = ledger!;
  let unpaid = 0;
  for (const entry of trace) {
    if (entry.startsWith('charge ')) unpaid--;
    if (entry.startsWith('release ') && ++unpaid > 0)
      breach(audit, 'charge', 'a release was drawn before it was charged');
  }
  if (entries.length !== sums.length) {
    breach(
      audit,
      'charge',
      `the run made ${counted(sums.length, 'release')}, but its ledger charged ${entries.length}`,
    );
  }
  if (!isPrivate) {
    const open = entries.find(entry => entry.kind === 'nonPrivate');
    breach(
      audit,
      'charge',
      `the ledger says that the run is not private: ${open?.kind === 'nonPrivate' ? open.reason : 'its mu is infinite'}`,
    );
  }
  const least = (2 * noise.group * Math.sqrt(noise.squaredNorm)) / noise.scale;
  entries.forEach((entry, index) => {
    if (entry.kind === 'gaussian' && !(entry.mu >= least * (1 - ROUNDING))) {
      breach(
        audit,
        'charge',
        `release ${index + 1} is charged mu ${entry.mu}, but its declared sensitivity and noise give ${least}`,
      );
    }
  });
}
