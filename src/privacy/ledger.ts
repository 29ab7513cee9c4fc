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

export function ledger(entries: readonly PrivacyEvent[] = []): PrivacyLedger {
  const mu = Math.sqrt(composed(entries));
  return Object.freeze({
    entries: Object.freeze([...entries]),
    isPrivate: mu < Infinity,
    mu,
    rho: zeroConcentrated(mu),
    epsilon: (delta: number) => epsilonFor(mu, delta),
    charge: (event: PrivacyEvent) => ledger([...entries, event]),
  });
}

function composed(entries: readonly PrivacyEvent[]): number {
  const squares = new Map<RowSet, number>();
  for (const entry of entries) {
    const square = entry.kind === 'gaussian' ? entry.mu ** 2 : Infinity;
    squares.set(entry.chunk, (squares.get(entry.chunk) ?? 0) + square);
  }
  const all = squares.get('all') ?? 0;
  squares.delete('all');
  return all + Math.max(0, ...squares.values());
}
