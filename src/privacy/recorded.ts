import type { LedgerRun } from './ledgerFile/openLedgerFile.ts';
import type { Mechanism } from './mechanism.ts';

/**
 * The same mechanism, which records each release on disk, charged to a run of a ledger file, before drawing its noise.
 */
export const recorded = (mechanism: Mechanism, run: Pick<LedgerRun, 'charge'>): Mechanism =>
  Object.freeze({
    ...mechanism,
    perturb: (sums, release) => {
      run.charge(mechanism.event(release));
      return mechanism.perturb(sums, release);
    },
  } satisfies Mechanism);
