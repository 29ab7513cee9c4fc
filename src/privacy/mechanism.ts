import { refuse } from '../errors.ts';
import type { BlockSums } from '../sample/gradientSums.ts';
import { counted } from '../words.ts';
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
  /** How many rows of one unit its noise protects together; one unless given. */
  readonly group?: number;
  /** The cost of the release: charged to the ledger before `perturb` draws any noise. */
  event(release: Release): PrivacyEvent;
  perturb(sums: BlockSums<'raw'>, release: Release): BlockSums<'released'>;
  /** Whether the next release is known from an earlier process, so that no rows need be read for it. */
  isKnown?(): boolean;
}

/**
 * The same mechanism, which records each release on disk, charged to a run of a ledger file, before drawing its noise.
 * A run that protects more rows of a unit than the noise does is refused: it would charge too little.
 */
export function recorded(mechanism: Mechanism, run: Pick<LedgerRun, 'charge' | 'protects'>): Mechanism {
  requireProtected(mechanism, run.protects);
  return Object.freeze({
    ...mechanism,
    perturb: (sums, release) => {
      run.charge(mechanism.event(release));
      return mechanism.perturb(sums, release);
    },
  } satisfies Mechanism);
}

/** Refuses a mechanism whose noise protects fewer rows of a unit than its run states. */
export function requireProtected({ group = 1 }: Pick<Mechanism, 'group'>, protects: LedgerRun['protects']): void {
  const protectedRows = protects === 'row' ? 1 : protects.maxPerUnit;
  if (protectedRows <= group) return;
  refuse(
    'the noise',
    `protect the ${counted(protectedRows, 'row')} of one unit that the run states`,
    group,
    `plan with unitRows: ${protectedRows}`,
    'ERR_NOT_PRIVATE',
  );
}
