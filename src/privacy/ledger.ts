/**
 * The account of a run: every release, and what they cost together (composition.ts has the formula and the guarantee).
 *
 * Edge cases. An empty ledger has mu = 0; one non-private event makes mu and every epsilon infinite.
 */
import { composition } from './composition.ts';
import type { PrivacyEvent } from './event.ts';
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
  const cost = composition();
  for (const entry of entries) cost.enter(entry);
  return cost.squaredMu;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
