import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import { epsilonFor } from '../../privacy/gaussianDp.ts';
import { toDigits } from '../../words.ts';
import type { Audit } from './audit.ts';
import { type Breach, breach } from './breach.ts';
import type { NoiseTest } from './drawNoise.ts';
import { limitsOf } from './limitsOf.ts';
import { lengthOf } from './movement.ts';
import { ROUNDING } from './rounding.ts';

export interface AuditReport {
  readonly passed: boolean;
  /** At most one per kind. */
  readonly breaches: readonly { readonly kind: Breach; readonly reason: string }[];
  readonly seed: string;
  readonly rows: number;
  readonly runs: number;
  readonly pairs: number;
  /** In grid steps: how far a unit moved one release's sums, and how far it may. */
  readonly sensitivity: {
    readonly measured: number;
    readonly declared: number;
    readonly releases: readonly number[];
  };
  /** Blocks that a unit moved, over the whole run. */
  readonly cells: { readonly measured: number; readonly declared: number };
  /** In grid steps; `measured` is the largest scale consistent with the draws, for the release where it is smallest. */
  readonly noise: { readonly measured: number; readonly declared: number };
  /** `seen` is the mu of the furthest pair, from its sums and the declared noise. */
  readonly mu: { readonly lower: number; readonly seen: number; readonly ledger: number };
  readonly epsilon: { readonly lower: number; readonly ledger: number; readonly delta: number };
  readonly draws: number;
  readonly falseAlarm: number;
}

/** The number of blocks of all releases. */
const blocksOf = ({ plan, moments }: PrivatePlan): number =>
  plan.steps.reduce((sum, { blocks }) => sum + blocks, moments === null ? 0 : 2);

export function reportOf(audit: Audit, test: NoiseTest | null, falseAlarm: number): AuditReport {
  const { declared, found, counts, releases, furthest } = audit;
  const { group, touches, most } = limitsOf(declared);
  const { scale } = declared.noise;
  const { delta } = declared.plan.privacy!;
  const measured = releases.map(lengthOf);
  const seen = furthest === null ? 0 : lengthOf(furthest.total) / scale;
  if (test !== null && seen > test.ledger * (1 + ROUNDING)) {
    breach(
      audit,
      'mu',
      `the sums of two neighbours give a mu of ${toDigits(seen, 4)} with the declared noise, but the ledger charges ${toDigits(test.ledger, 4)}`,
    );
  }
  const lower = test?.lower ?? 0;
  const ledger = test?.ledger ?? NaN;
  return Object.freeze({
    passed: found.size === 0,
    breaches: Object.freeze([...found].map(([kind, reason]) => ({ kind, reason }))),
    seed: audit.seed,
    rows: declared.plan.rows,
    runs: counts.runs,
    pairs: counts.pairs,
    sensitivity: { measured: Math.max(0, ...measured), declared: lengthOf(most), releases: measured },
    cells: { measured: counts.cells, declared: Math.min(group * touches, blocksOf(declared)) },
    noise: { measured: test?.scale ?? NaN, declared: scale },
    mu: { lower, seen, ledger },
    epsilon: {
      lower: epsilonFor(lower, delta),
      ledger: ledger >= 0 ? epsilonFor(ledger, delta) : NaN,
      delta,
    },
    draws: test?.draws ?? 0,
    falseAlarm,
  });
}
