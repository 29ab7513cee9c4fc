import { integerBelow } from '../../math/random/random.ts';
import { type Row, replaced } from './adversary.ts';
import type { Audit, Version } from './audit.ts';
import { begin, compare } from './versions.ts';

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
