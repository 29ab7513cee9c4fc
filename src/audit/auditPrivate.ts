/**
 * Replays neighbouring data sets through a private pipeline, and says whether what it does agrees with what it
 * declares.
 *
 *   search   data sets that differ in one unit's rows, the releases of the first handed to all: what their sums differ by, before noise, is measured in
 *            whole numbers against 2 K sqrt(B2), release by release and together; everything else must be equal, bit for bit
 *   steer    some releases are replaced by far ones, so that gradients are asked for at the edge of where the rule can go
 *   draw     for the pair that moved furthest, the mechanism draws its releases again and again; a test that projects them on the known difference tells
 *            the two apart as often as mu allows: a lower confidence bound on mu (muLowerBound.ts), to be at most the ledger's
 *
 *   K -> noise.group, B2 -> noise.squaredNorm
 *
 * Guarantee. A failed audit shows a breach, but for noise that was unlucky with probability at most `falseAlarm`. An
 * audit that passed proves nothing: it shows that so many attempts failed.
 * Edge cases. A pipeline that does not fix its public randomness, such as the order of rows, cannot be audited and
 * fails. All rows are made up.
 */
import { refuse, requireInteger, requireProbability } from '../math/check.ts';
import type { PrivatePlan } from '../plan/private/planPrivate.ts';
import { secure } from '../random/secure.ts';
import { seeded } from '../random/seeded.ts';
import { adversary } from './adversary.ts';
import type { Audit } from './audit.ts';
import { type AuditReport, reportOf } from './auditReport.ts';
import { drawNoise } from './drawNoise.ts';
import type { Pipeline } from './observe.ts';
import { search, sweep } from './searchNeighbours.ts';

export interface AuditOptions {
  /** How many pairs of neighbours to compare. */
  readonly pairs?: number;
  /**
   * Draws of the noise from each of two neighbours; unless given, as many as take a few seconds, and 20,000 at most.
   */
  readonly draws?: number;
  /** The probability of failing a pipeline that is right. */
  readonly falseAlarm?: number;
  /** Of the made-up rows, not of any noise: a new one for every audit, unless given. */
  readonly seed?: string;
}

const MOST_ROWS = 10_000;
/** Two data sets to begin with, and all versions of each. */
const FIRST_PAIRS = 600;

/** `declared` is what the pipeline was planned by, rows included: `smallPlan` makes them few. */
export async function auditPrivate(
  pipeline: Pipeline,
  declared: PrivatePlan,
  { pairs = 10_000, draws, falseAlarm = 1e-9, seed = String(secure().word()) }: AuditOptions = {},
): Promise<AuditReport> {
  requireInteger('pairs', pairs, 1);
  if (draws !== undefined) requireInteger('draws', draws, 1);
  requireProbability('falseAlarm', falseAlarm);
  if (declared.plan.rows > MOST_ROWS) {
    refuse(
      'the rows of the plan',
      `be at most ${MOST_ROWS}`,
      declared.plan.rows,
      'audit smallPlan(plan, 64)',
    );
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
  // One row at a time says little of units that have several, so that these come first where pairs are few.
  if (declared.noise.group > 1) await search(audit, Math.min(pairs, FIRST_PAIRS));
  await sweep(audit);
  await search(audit, pairs);
  const test = await drawNoise(audit, draws, falseAlarm);
  return reportOf(audit, test, falseAlarm);
}
