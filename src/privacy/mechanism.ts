import type { BlockSums } from '../sample/blockSums.ts';
import type { PrivacyEvent, RowSet } from './event.ts';

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
