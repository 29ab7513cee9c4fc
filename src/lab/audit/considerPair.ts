import { counted } from '../../words.ts';
import type { Audit, Version } from './audit.ts';
import { breach } from './breach.ts';
import { limitsOf } from './limitsOf.ts';
import { lengthOf, movement } from './movement.ts';

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
