import { integerBelow } from '../../math/random/random.ts';
import { counted } from '../../words.ts';
import { type Row, replaced } from './adversary.ts';
import type { Audit, Version } from './audit.ts';
import { breach } from './breach.ts';
import { limitsOf } from './limitsOf.ts';
import { lengthOf, movement } from './movement.ts';
import { begin, compare } from './versions.ts';

/** Where an audit looks for neighbours whose sums differ by more than declared. */

/** Places whose rows are replaced to find which blocks they move. */
const SWEPT = 250;
/** Versions of one place, which are neighbours of each other. */
const VERSIONS = 25;

/** Every place, or many of them: a row that enters two steps, or displaces other rows, may be anywhere. */
export async function sweep(audit: Audit): Promise<void> {
  const { random, adversary } = audit;
  const { rows } = audit.declared.plan;
  for (const kind of [0, 1]) {
    const base = await begin(audit, kind);
    if (base === null) return;
    for (let i = 0; i < Math.min(rows, SWEPT); i++) {
      const place = rows <= SWEPT ? i : integerBelow(random, rows);
      const row = kind === 0 ? adversary.oddRow() : adversary.row(i);
      await compare(audit, base, [base], replaced(base.rows, [place], [row]));
    }
  }
}

/** Many rows in one place: all are neighbours of each other. */
export async function search(audit: Audit, pairs: number): Promise<void> {
  const { plan, noise } = audit.declared;
  const group = Math.min(noise.group, plan.rows);
  for (let kind = 0; audit.counts.pairs < pairs; kind++) {
    const base = await begin(audit, kind);
    if (base === null) return;
    const first = integerBelow(audit.random, plan.rows);
    const places = Array.from({ length: group }, (_, i) => (first + i) % plan.rows);
    const versions: Version[] = [base];
    for (let i = 1; i < VERSIONS && audit.counts.pairs < pairs; i++) {
      // A unit's rows are equal half of the time, because equal rows move a sum furthest.
      const row = audit.adversary.row(i);
      const rows: Row[] = places.map((_, k) => (k === 0 || i % 2 === 0 ? row : audit.adversary.row(i + k)));
      const seen = await compare(audit, base, versions, replaced(base.rows, places, rows));
      if (seen !== null) versions.push(seen);
    }
  }
}

/**
 * Compares the distance between two neighbours' sums with what is declared, and remembers the furthest pair. `base` is
 * the version whose releases both were given.
 */
export function considerPair(audit: Audit, base: Version, from: Version, to: Version): void {
  const { noise } = audit.declared;
  const moved = movement(from.seen, to.seen);
  const total = moved.squares.reduce((sum, square) => sum + square, 0n);
  audit.counts.pairs++;
  audit.counts.cells = Math.max(audit.counts.cells, moved.cells);
  moved.squares.forEach((square, index) => {
    if (square > (audit.releases[index] ?? -1n)) audit.releases[index] = square;
  });
  const { group, touches, most } = limitsOf(audit.declared);
  const far = moved.squares.findIndex(square => square > most);
  if (far >= 0) {
    breach(
      audit,
      'sensitivity',
      `one ${unitOf(noise)} moved the sums of release ${far + 1} by ${lengthOf(moved.squares[far]!)} grid steps, but ${lengthOf(most)} are declared`,
    );
  }
  if (moved.cells > group * touches || (far < 0 && total > BigInt(touches) * most)) {
    breach(
      audit,
      'disjointness',
      `one ${unitOf(noise)} moved ${counted(moved.cells, 'block')} over ${counted(moved.squares.length, 'release')}, but ${group * touches} ${group * touches === 1 ? 'is' : 'are'} accounted for: rows enter a block twice, or their places depend on the data`,
    );
  }
  if (audit.furthest === null || total > audit.furthest.total) {
    audit.furthest = { from: from.rows, to: to.rows, answers: base.seen.answers, moved, total };
  }
}

const unitOf = ({ group }: { group: number }): string =>
  group === 1 ? 'record' : `unit of ${group} records`;
