import type { BlockSums } from '../sample/blockSums.ts';
import type { PrivacyEvent, RowSet } from './event.ts';
import type { LedgerRun } from './ledgerFile/openLedgerFile.ts';

/** One release of block means: which rows, how far a record can move them, how much noise. */
export interface Release {
  readonly chunk: RowSet;
  /** l2 sensitivity of one block's mean. */
  readonly sensitivity: number;
  /** Standard deviation of the noise on each coordinate of each block's mean. */
  readonly sigma: number;
}

/** The only way from raw to released. */
export interface Mechanism {
  readonly name: string;
  /** The cost of the release: charged to the ledger before `perturb` draws any noise. */
  event(release: Release): PrivacyEvent;
  perturb(sums: BlockSums<'raw'>, release: Release): BlockSums<'released'>;
}

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
