import { isDeepStrictEqual } from 'node:util';
import { ArgumentError } from '../errors.ts';
import type { BlockSums } from '../sample/gradientSums.ts';
import { counted } from '../words.ts';
import type { PrivacyEvent } from './event.ts';
import type { LedgerRun } from './ledgerFile/openLedgerFile.ts';
import { type Mechanism, requireProtected } from './mechanism.ts';

/** Where the releases of a run are kept, in their order. */
export interface ReleaseStore {
  /** Releases that an earlier process has kept. */
  readonly known: number;
  at(index: number): unknown;
  /** Returns once the release is on disk. */
  keep(index: number, release: unknown): void;
}

/** The releases of a run that can be killed and go on. */
export interface KeptReleases {
  /** The same mechanism, which answers with a kept release where there is one, and keeps every other. */
  wrap(mechanism: Mechanism): Mechanism;
  /** Releases that an earlier process has kept: their rows need not be read again. */
  readonly known: number;
}

/** Whose releases are kept, and where they are charged. */
export interface KeptRun {
  readonly store: ReleaseStore;
  /** What each release of the run costs, in order. */
  readonly events: readonly PrivacyEvent[];
  /** The run's account; null for a simulation, whose noise is drawn from a seed. */
  readonly run: Pick<LedgerRun, 'charge' | 'charges' | 'protects' | 'isFinished' | 'finish'> | null;
}

/**
 * A run whose releases are kept on disk before anything sees them, so that a process that goes on draws no second noise
 * for what may have been seen, and charges nothing twice.
 *
 *   charge 1, draw 1, keep 1, charge 2, see 1, draw 2, keep 2, charge 3, see 2, ... keep T, finish, see T
 *
 * Guarantee. What was seen of a run is T releases at most, each with one noise and one charge, on whatever kills. Proof:
 * release t is seen only after release t + 1 is charged, the last one only after the run has ended in the ledger. So with
 * c charges in the ledger, the releases before c were kept, and of release c nothing was seen. A process that goes on
 * finds k of them kept: k = c - 1 draws release c afresh, for the charge that was made for it; k = c charges the next
 * one first. A checkpoint with fewer is an older copy, whose releases would be drawn again after they were seen; one with
 * more belongs to another ledger, which would count too little. Both are refused. The ledger is therefore the witness,
 * and no run is kept without one.
 *
 * Edge cases. Noise from a seed is drawn again also for kept releases, so that the seed goes on where it was.
 */
export function keptReleases({ store, events, run }: KeptRun): KeptReleases {
  const { known } = store;
  const total = events.length;
  let next = 0;
  if (run !== null) requireWitness(known, run, total);

  const chargeUpTo = (index: number): void => {
    if (run === null || run.isFinished) return;
    if (index === total) run.finish();
    else if (run.charges === index) run.charge(events[index]!);
  };
  return {
    known,
    wrap: mechanism => {
      if (run !== null) requireProtected(mechanism, run.protects);
      return Object.freeze({
        ...mechanism,
        isKnown: () => next < known,
        perturb: (sums, release) => {
          const index = next++;
          const event = mechanism.event(release);
          if (!isDeepStrictEqual(event, events[index]))
            throw new Error(`release ${index} is not the one that the run was planned with`);
          if (index < known) {
            if (event.kind === 'nonPrivate') mechanism.perturb(sums, release);
            if (index === known - 1) chargeUpTo(known);
            return store.at(index) as BlockSums<'released'>;
          }
          chargeUpTo(index);
          const released = mechanism.perturb(sums, release);
          store.keep(index, released);
          chargeUpTo(index + 1);
          return released;
        },
      } satisfies Mechanism);
    },
  };
}

function requireWitness(known: number, { charges, isFinished }: NonNullable<KeptRun['run']>, total: number): void {
  const isWhole = isFinished ? known === total : known === charges || known === charges - 1;
  if (isWhole) return;
  const [older, wayOut] =
    known < charges
      ? ['an older copy of it, whose releases would be made again', 'the newest checkpoint of the run']
      : ['of another copy of the ledger, which has lost charges', 'the newest copy of the ledger'];
  throw new ArgumentError(
    `the checkpoint holds ${counted(known, 'release')} and the ledger ${counted(charges, 'charge')} of the run, so it is ${older}; use ${wayOut}, or remove the checkpoint to begin another run, which is charged anew`,
    'ERR_NOT_PRIVATE',
    { releases: known, charges },
  );
}
