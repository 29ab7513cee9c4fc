import { composition } from './composition.ts';
import type { PrivacyEvent } from './event.ts';
import { epsilonFor, zeroConcentrated } from './gaussianDp.ts';

/** The account of a run: every release, and what they cost together. */
export interface PrivacyLedger {
  /** The releases, in order. */
  readonly entries: readonly PrivacyEvent[];
  /** Whether every release was private. */
  readonly isPrivate: boolean;
  /** The mu of Gaussian differential privacy that all releases cost together. */
  readonly mu: number;
  /** zCDP: mu^2/2. */
  readonly rho: number;
  /** The least epsilon at this delta. */
  epsilon(delta: number): number;
  /**
   * A new ledger with one more entry; charges are never taken back. Releases of a stream, each from rows of its own,
   * share one entry, which has the largest mu of them: an endless run has a ledger of constant size.
   */
  charge(event: PrivacyEvent): PrivacyLedger;
}

/**
 * The account of a run: every release, and their joint cost (formula and guarantee are in composition.ts).
 *
 * Edge cases. An empty ledger has mu = 0; one non-private event makes mu and every epsilon infinite.
 */
export const ledger = (events: readonly PrivacyEvent[] = []): PrivacyLedger =>
  new Opened(events.reduce<Page | null>((before, event) => ({ event, before }), null));

/** Ledgers share their pages: a run of T steps that keeps the ledger of each step has T pages, not T copies. */
interface Page {
  readonly event: PrivacyEvent;
  readonly before: Page | null;
}

/** A run creates one for every step, but mostly the last one is read: its costs are computed on demand. */
class Opened implements PrivacyLedger {
  readonly #last: Page | null;
  #entries: readonly PrivacyEvent[] | undefined;
  #mu: number | undefined;

  constructor(last: Page | null) {
    this.#last = last;
    Object.freeze(this);
  }

  get entries(): readonly PrivacyEvent[] {
    this.#entries ??= Object.freeze(eventsUpTo(this.#last));
    return this.#entries;
  }

  get isPrivate(): boolean {
    return this.mu < Infinity;
  }

  get mu(): number {
    this.#mu ??= Math.sqrt(composed(this.entries));
    return this.#mu;
  }

  get rho(): number {
    return zeroConcentrated(this.mu);
  }

  epsilon(delta: number): number {
    return epsilonFor(this.mu, delta);
  }

  charge(event: PrivacyEvent): PrivacyLedger {
    const last = this.#last;
    if (last === null || event.chunk !== 'each' || last.event.chunk !== 'each')
      return new Opened({ event, before: last });
    return costOf(event) > costOf(last.event) ? new Opened({ event, before: last.before }) : this;
  }
}

const costOf = (event: PrivacyEvent): number => (event.kind === 'gaussian' ? event.mu : Infinity);

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
