/**
 * The account of a run: every release, and what they cost together.
 *
 *   mu^2 = sum over releases from all rows of mu_i^2  +  max over chunks of (sum over the chunk's releases of mu_i^2)
 *
 * Guarantee. Adaptive Gaussian releases that a record enters compose to exactly mu-GDP with mu^2 the sum of theirs;
 * a record enters one chunk only, so chunks cost their maximum (replace-one adjacency).
 * Edge cases. An empty ledger has mu = 0; one non-private event makes mu and every epsilon infinite.
 */

import type { PrivacyEvent, RowSet } from './event.ts';
import { epsilonFor, zeroConcentrated } from './gaussianDp.ts';

export interface PrivacyLedger {
  readonly entries: readonly PrivacyEvent[];
  readonly isPrivate: boolean;
  readonly mu: number;
  /** zCDP: mu^2/2. */
  readonly rho: number;
  /** The least epsilon at this delta. */
  epsilon(delta: number): number;
  /** A new ledger with one more entry; charges are never taken back. */
  charge(event: PrivacyEvent): PrivacyLedger;
}

export const ledger = (events: readonly PrivacyEvent[] = []): PrivacyLedger =>
  opened(events.reduce<Page | null>((before, event) => ({ event, before }), null));

/** Ledgers share their pages: a run of T steps that keeps the ledger of each has T pages, not T copies. */
interface Page {
  readonly event: PrivacyEvent;
  readonly before: Page | null;
}

function opened(last: Page | null): PrivacyLedger {
  const entries = once(() => Object.freeze(eventsUpTo(last)));
  const mu = once(() => Math.sqrt(composed(entries())));
  return Object.freeze({
    get entries() {
      return entries();
    },
    get isPrivate() {
      return mu() < Infinity;
    },
    get mu() {
      return mu();
    },
    get rho() {
      return zeroConcentrated(mu());
    },
    epsilon: (delta: number) => epsilonFor(mu(), delta),
    charge: (event: PrivacyEvent) => opened({ event, before: last }),
  });
}

function eventsUpTo(last: Page | null): PrivacyEvent[] {
  const events: PrivacyEvent[] = [];
  for (let page = last; page !== null; page = page.before) events.push(page.event);
  return events.reverse();
}

function composed(entries: readonly PrivacyEvent[]): number {
  const squares = new Map<RowSet, number>();
  for (const entry of entries) {
    const square = entry.kind === 'gaussian' ? entry.mu ** 2 : Infinity;
    squares.set(entry.chunk, (squares.get(entry.chunk) ?? 0) + square);
  }
  const all = squares.get('all') ?? 0;
  squares.delete('all');
  return all + [...squares.values()].reduce((most, square) => Math.max(most, square), 0);
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
