import { refuse, requireInteger, requireProbability } from '../../errors.ts';
import { integerBelow } from '../../math/random/random.ts';
import { secure } from '../../math/random/secure.ts';
import { seeded } from '../../math/random/seeded.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import { epsilonFor } from '../../privacy/gaussianDp.ts';
import { toDigits } from '../../words.ts';
import { adversary, type Row, replaced } from './adversary.ts';
import type { Audit, Version } from './audit.ts';
import { type Breach, breach } from './audit.ts';
import { drawNoise, type NoiseTest } from './drawNoise.ts';
import { lengthOf, limitsOf, ROUNDING } from './movement.ts';
import type { Pipeline } from './observe.ts';
import { begin, compare } from './versions.ts';

/**
 * Replays neighbouring data sets through a private pipeline, and checks that what it does agrees with what it declares.
 *
 *   search   data sets that differ in one unit's rows, all given the releases of the first: the difference of their
 *            sums before noise is measured in integers against 2 K sqrt(B2), per release and in total; everything else must
 *            be equal, bit for bit
 *   steer    some releases are replaced by distant ones, so that gradients are requested at the edge of where the rule
 *            can go
 *   draw     for the pair that moved furthest, the mechanism draws its releases many times; a test that projects them
 *            on the known difference distinguishes the two as often as mu allows: a lower confidence bound on mu
 *            (muLowerBound.ts), which must not exceed the ledger's
 *
 *   K -> noise.group, B2 -> noise.squaredNorm
 *
 * Guarantee. A failed audit demonstrates a breach, except with probability at most `falseAlarm`, when noise was
 * unlucky. A passed audit proves nothing: it shows only that this many attempts found no breach. Edge cases. A pipeline
 * that does not fix its public randomness, such as the order of rows, cannot be audited and fails. All rows are
 * synthetic.
 */

export interface AuditOptions {
  /** The number of neighbouring pairs to compare. */
  readonly pairs?: number;
  /** Noise draws from each of two neighbours; unless given, as many as take a few seconds, and at most 20,000. */
  readonly draws?: number;
  /** The probability of failing a correct pipeline. */
  readonly falseAlarm?: number;
  /** Seed of the synthetic rows, not of any noise: a new one for every audit, unless given. */
  readonly seed?: string;
}

const MOST_ROWS = 10_000;
/** Two initial data sets, and all versions of each. */
const FIRST_PAIRS = 600;

/** `declared` is the plan that the pipeline was built from, including its rows: `smallPlan` reduces them. */
export async function auditPrivate(
  pipeline: Pipeline,
  declared: PrivatePlan,
  { pairs = 10_000, draws, falseAlarm = 1e-9, seed = String(secure().word()) }: AuditOptions = {},
): Promise<AuditReport> {
  requireInteger('pairs', pairs, 1);
  if (draws !== undefined) requireInteger('draws', draws, 1);
  requireProbability('falseAlarm', falseAlarm);
  if (declared.plan.rows > MOST_ROWS) {
    refuse('the rows of the plan', `be at most ${MOST_ROWS}`, declared.plan.rows, 'audit smallPlan(plan, 64)');
  }
  const random = seeded(seed, 'neighbours');
  const audit: Audit = {
    seed,
    pipeline,
    declared,
    random,
    adversary: adversary(declared.scaling, random),
    found: new Map(),
    counts: { runs: 0, pairs: 0, cells: 0 },
    releases: [],
    first: null,
    furthest: null,
  };
  // Single rows tell little about units of several rows, so those come first where pairs are few.
  if (declared.noise.group > 1) await search(audit, Math.min(pairs, FIRST_PAIRS));
  await sweep(audit);
  await search(audit, pairs);
  const test = await drawNoise(audit, draws, falseAlarm);
  return reportOf(audit, test, falseAlarm);
}

/** What an audit measured, beside what the plan declares. */
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

/** Places whose rows are replaced to find which blocks they move. */
const SWEPT = 250;
/** Versions of one place, which are neighbours of each other. */
const VERSIONS = 25;

/** Every place, or many of them: a row that enters two steps, or displaces other rows, may be anywhere. */
async function sweep(audit: Audit): Promise<void> {
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
async function search(audit: Audit, pairs: number): Promise<void> {
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
