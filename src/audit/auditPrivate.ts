/**
 * Replays neighbouring data sets through a private pipeline, and says whether what it does agrees with what it declares.
 *
 *   search   data sets that differ in one unit's rows, the releases of the first handed to all: what their sums differ by, before noise, is measured in
 *            whole numbers against 2 K sqrt(B2), release by release and together; everything else must be equal, bit for bit
 *   steer    some releases are replaced by far ones, so that gradients are asked for at the edge of where the rule can go
 *   draw     for the pair that moved furthest, the mechanism draws its releases again and again; a test that projects them on the known difference tells
 *            the two apart as often as mu allows: a lower confidence bound on mu (muLowerBound.ts), to be at most the ledger's
 *
 *   K -> noise.group, B2 -> noise.squaredNorm
 *
 * Guarantee. A failed audit shows a breach, but for noise that was unlucky with probability at most `falseAlarm`. An audit that passed proves nothing: it shows
 * that so many attempts failed.
 * Edge cases. A pipeline that does not fix its public randomness, such as the order of rows, cannot be audited and fails. All rows are made up.
 */
import { fitPrivate, type PrivateRun } from '../flow/fitPrivate.ts';
import { refuse, requireInteger, requireProbability } from '../math/check.ts';
import type { PrivatePlan } from '../plan/planPrivate.ts';
import type { Released } from '../plan/privateUncertainty.ts';
import { epsilonFor } from '../privacy/gaussianDp.ts';
import { integerBelow, type Random, rademacher } from '../random/random.ts';
import { secure } from '../random/secure.ts';
import { seeded } from '../random/seeded.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { type Adversary, adversary, type Row, replaced } from './adversary.ts';
import { type Movement, movement } from './movement.ts';
import { muLowerBound } from './muLowerBound.ts';
import { type NoiseTally, noiseTally } from './noiseTally.ts';
import { type Answer, type Observation, observe, type Pipeline } from './observe.ts';

export interface AuditOptions {
  /** How many pairs of neighbours to compare. */
  readonly pairs?: number;
  /** Draws of the noise from each of two neighbours; unless given, as many as take a few seconds, and 20,000 at most. */
  readonly draws?: number;
  /** The probability of failing a pipeline that is right. */
  readonly falseAlarm?: number;
  /** Of the made-up rows, not of any noise: a new one for every audit, unless given. */
  readonly seed?: string;
}

export type Breach =
  | 'error'
  | 'not repeatable'
  | 'no mechanism'
  | 'control flow'
  | 'leak'
  | 'sensitivity'
  | 'disjointness'
  | 'charge'
  | 'noise'
  | 'repeated noise'
  | 'mu';

export interface AuditReport {
  readonly passed: boolean;
  /** One of a kind. */
  readonly breaches: readonly { readonly kind: Breach; readonly reason: string }[];
  readonly seed: string;
  readonly rows: number;
  readonly runs: number;
  readonly pairs: number;
  /** In steps of the grid: how far a unit moved one release's sums, and how far it may. */
  readonly sensitivity: {
    readonly measured: number;
    readonly declared: number;
    readonly steps: readonly number[];
  };
  /** Blocks that a unit moved, over the whole run. */
  readonly cells: { readonly measured: number; readonly declared: number };
  /** In steps of the grid; measured is the largest scale that the draws leave possible, of the step with the least. */
  readonly noise: { readonly measured: number; readonly declared: number };
  /** `seen` is what the furthest pair would have by its sums and the declared noise. */
  readonly mu: { readonly lower: number; readonly seen: number; readonly ledger: number };
  readonly epsilon: { readonly lower: number; readonly ledger: number; readonly delta: number };
  readonly draws: number;
  readonly falseAlarm: number;
}

/** The pipeline of `fitPrivate`. */
export const privatePipeline =
  (plan: PrivatePlan, run: Omit<PrivateRun, 'wrap' | 'onIterate'> = {}): Pipeline =>
  async (samples, watch) => {
    const { fit, released, pull } = await fitPrivate(samples, plan, { ...run, wrap: watch });
    return { ...fit, disclosed: Float64Array.of(pull ?? 0, ...(released ? numbersOf(released) : [])) };
  };

const numbersOf = ({ whitening: { centre, axes }, look, rest }: Released): readonly number[] => [
  ...centre,
  ...axes.flatMap(({ direction, moment, floor, spread }) => [...direction, moment, floor, spread]),
  ...look.values,
  ...look.along,
  look.sigma,
  ...rest.mean,
  rest.variance,
];

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
    steps: [],
    first: null,
    furthest: null,
  };
  await sweep(audit);
  await search(audit, pairs);
  const test = await drawNoise(audit, draws, falseAlarm);
  return reportOf(audit, test, falseAlarm);
}

const MOST_ROWS = 10_000;
/** Places whose rows are replaced to see which blocks they move. */
const SWEPT = 250;
/** Versions of one place, which are neighbours of each other. */
const VERSIONS = 25;
/** Draws of noise from releases that a pair does not move. */
const FEW_DRAWS = 200;
/** Draws from one data set, and numbers of noise in them, unless more are asked for. */
const USUAL_DRAWS = 20_000;
const USUAL_NOISE = 2e6;
/** Products of whole numbers against quotients of doubles. */
const ROUNDING = 1e-9;

interface Pair {
  readonly from: SampleBatch;
  readonly to: SampleBatch;
  readonly answers: readonly Float64Array[];
  readonly moved: Movement;
  readonly total: bigint;
}

interface Audit {
  readonly seed: string;
  readonly pipeline: Pipeline;
  readonly declared: PrivatePlan;
  readonly random: Random;
  readonly adversary: Adversary;
  readonly found: Map<Breach, string>;
  readonly counts: { runs: number; pairs: number; cells: number };
  /** The largest squared movement of every release. */
  readonly steps: bigint[];
  first: Observation | null;
  furthest: Pair | null;
}

/** The first reason of a kind is kept. */
function breach({ found }: Audit, kind: Breach, reason: string): void {
  if (!found.has(kind)) found.set(kind, reason);
}

/** Every place, or many: a row that enters two steps, or moves other rows about, may do so wherever it is. */
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
      // A unit's rows are alike half the time: that is how they move a sum furthest.
      const row = audit.adversary.row(i);
      const rows: Row[] = places.map((_, k) => (k === 0 || i % 2 === 0 ? row : audit.adversary.row(i + k)));
      const seen = await compare(audit, base, versions, replaced(base.rows, places, rows));
      if (seen !== null) versions.push(seen);
    }
  }
}

interface Version {
  readonly rows: SampleBatch;
  readonly seen: Observation;
}

/** A data set whose run is the one that its neighbours are held to; null where that run says enough. */
async function begin(audit: Audit, kind: number): Promise<Version | null> {
  const { plan } = audit.declared;
  const rows = audit.adversary.rows(plan.rows, kind, plan.steps[0]!.rowsPerBlock);
  const seen = await run(audit, rows, steering(audit, kind % 2 === 1));
  audit.first ??= seen;
  if (!sameFlow(audit, seen)) return null;
  if (seen.error !== null) {
    breach(audit, 'error', `the pipeline failed: ${seen.error.message}`);
    return null;
  }
  if (seen.sums.length === 0) {
    breach(
      audit,
      'no mechanism',
      'the pipeline asked its watched mechanism for no release; pass it through watch',
    );
    return null;
  }
  const again = await run(audit, rows, replaying(seen));
  if (again.trace.join() !== seen.trace.join() || movement(seen, again).cells > 0) {
    breach(
      audit,
      'not repeatable',
      'two runs on the same rows and the same releases differ before noise; fix the order of rows and all randomness but the noise',
    );
    return null;
  }
  checkCharges(audit, seen);
  return { rows, seen };
}

const run = (audit: Audit, rows: SampleBatch, answer: Answer): Promise<Observation> => {
  audit.counts.runs++;
  return observe(audit.pipeline, rows, answer);
};

/**
 * Releases as drawn, or some of them thrown far in a direction that all blocks share. Half of the thrown runs go one way in all of their steps: a row that
 * enters every step then meets coefficients far from it in every one, which is where it moves the sums furthest. Where second moments come first, half of the thrown runs are still instead: many rows that
 * hardly vary, so that whitened ones are long, and gradients of 0, so that the last look is taken where the loss curves most.
 */
function steering({ random, declared }: Audit, isThrown: boolean): Answer {
  if (isThrown && declared.moments !== null && integerBelow(random, 2) === 0) return keepingStill(random);
  const isSteady = integerBelow(random, 2) === 0;
  const directions = new Map<number, Float64Array>();
  const turn = (size: number, rowsPerBlock: number): Float64Array => {
    const axis = integerBelow(random, size + 1);
    const reach = rowsPerBlock * [1, 30, 1e6][integerBelow(random, 3)]!;
    return Float64Array.from({ length: size }, (_, j) =>
      axis === size || axis === j ? reach * rademacher(random) : 0,
    );
  };
  return (_, { blocks, rowsPerBlock }, draw) => {
    const drawn = draw();
    if (!isThrown || (!isSteady && integerBelow(random, 3) === 0)) return drawn;
    const size = drawn.length / blocks;
    const known = isSteady ? directions.get(size) : undefined;
    const direction = known ?? turn(size, rowsPerBlock);
    directions.set(size, direction);
    return drawn.map((value, k) => value + direction[k % size]!);
  };
}

function keepingStill(random: Random): Answer {
  const many = [1e2, 1e3, 1e5][integerBelow(random, 3)]!;
  return (step, { rowsPerBlock }, draw) => {
    const still = draw().fill(0);
    // How many rows count stands before the mean target.
    if (step === 0) still[still.length - 2] = many * rowsPerBlock;
    return still;
  };
}

/** The releases of another run, whatever these rows would have given. */
const replaying =
  ({ answers }: Pick<Observation, 'answers'>): Answer =>
  (step, _, draw) => {
    const drawn = draw();
    return answers[step] ?? drawn;
  };

/** Runs a neighbour and compares it with all versions before it; null where it cannot be one itself. */
async function compare(
  audit: Audit,
  base: Version,
  versions: readonly Version[],
  rows: SampleBatch,
): Promise<Version | null> {
  const seen = await run(audit, rows, replaying(base.seen));
  if (!sameFlow(audit, seen)) return null;
  if (seen.disclosed!.some((value, j) => !Object.is(value, base.seen.disclosed![j]))) {
    breach(
      audit,
      'leak',
      'with the same releases two neighbours end at different coefficients, or at something else that is told of them: something of the rows gets past the mechanism',
    );
  }
  for (const version of versions) consider(audit, base, version, { rows, seen });
  return { rows, seen };
}

/** Any two data sets of a size are neighbours of neighbours, so all runs do the same. */
function sameFlow(audit: Audit, { trace, error }: Observation): boolean {
  const first = audit.first!;
  const at = Array.from({ length: Math.max(trace.length, first.trace.length) }).findIndex(
    (_, i) => trace[i] !== first.trace[i],
  );
  if (at < 0) return true;
  const [here, there] = [first.trace, trace].map(entries => entries[at] ?? 'nothing more');
  const message = (first.error ?? error)?.message;
  breach(
    audit,
    'control flow',
    `what the pipeline does depends on the rows: where one run did "${here}", another did "${there}"${message === undefined ? '' : `; one of them failed: ${message}`}`,
  );
  return false;
}

function consider(audit: Audit, base: Version, from: Version, to: Version): void {
  const { plan, noise } = audit.declared;
  const moved = movement(from.seen, to.seen);
  const total = moved.squares.reduce((sum, square) => sum + square, 0n);
  audit.counts.pairs++;
  audit.counts.cells = Math.max(audit.counts.cells, moved.cells);
  moved.squares.forEach((square, step) => {
    if (square > (audit.steps[step] ?? -1n)) audit.steps[step] = square;
  });
  const { group, touches, most } = limitsOf(audit.declared);
  const far = moved.squares.findIndex(square => square > most);
  if (far >= 0) {
    breach(
      audit,
      'sensitivity',
      `one ${unitOf(noise)} moved the sums of release ${far + 1} by ${root(moved.squares[far]!)} steps of the grid, where ${root(most)} are declared`,
    );
  }
  if (moved.cells > group * touches || (far < 0 && total > BigInt(touches) * most)) {
    breach(
      audit,
      'disjointness',
      `one ${unitOf(noise)} moved ${moved.cells} blocks over ${plan.steps.length} steps, where ${group * touches} are accounted for: rows enter a block twice, or their places depend on the data`,
    );
  }
  if (audit.furthest === null || total > audit.furthest.total) {
    audit.furthest = { from: from.rows, to: to.rows, answers: base.seen.answers, moved, total };
  }
}

/** What the plan allows: records of a unit, releases that a record enters, and the squared movement of one release. */
function limitsOf({ plan, noise, moments }: PrivatePlan): { group: number; touches: number; most: bigint } {
  const { group, squaredNorm } = noise;
  const touches = (plan.mode === 'full' ? plan.steps.length : 1) + (moments === null ? 0 : 2);
  return { group, touches, most: 4n * BigInt(group) ** 2n * BigInt(squaredNorm) };
}

/** Every release is charged, before it is drawn, with a mu that its declared sensitivity and noise have. */
function checkCharges(audit: Audit, { sums, trace, ledger }: Observation): void {
  const { noise } = audit.declared;
  const { entries, isPrivate } = ledger!;
  let unpaid = 0;
  for (const entry of trace) {
    if (entry.startsWith('charge ')) unpaid--;
    if (entry.startsWith('release ') && ++unpaid > 0)
      breach(audit, 'charge', 'a release was drawn before it was charged');
  }
  if (entries.length !== sums.length) {
    breach(audit, 'charge', `the run made ${sums.length} releases and its ledger charged ${entries.length}`);
  }
  if (!isPrivate) {
    const open = entries.find(entry => entry.kind === 'nonPrivate');
    breach(
      audit,
      'charge',
      `the ledger says that the run is not private: ${open?.kind === 'nonPrivate' ? open.reason : 'its mu is infinite'}`,
    );
  }
  const least = (2 * noise.group * Math.sqrt(noise.squaredNorm)) / noise.scale;
  entries.forEach((entry, step) => {
    if (entry.kind === 'gaussian' && !(entry.mu >= least * (1 - ROUNDING))) {
      breach(
        audit,
        'charge',
        `step ${step + 1} is charged mu ${entry.mu}, where its declared sensitivity and noise make ${least}`,
      );
    }
  });
}

interface NoiseTest {
  readonly draws: number;
  readonly lower: number;
  readonly scale: number;
  readonly ledger: number;
}

/** Draws the releases of the furthest pair again and again, and tells its data sets apart by them. */
async function drawNoise(
  audit: Audit,
  asked: number | undefined,
  falseAlarm: number,
): Promise<NoiseTest | null> {
  const { furthest: pair } = audit;
  if (pair === null) return null;
  const { scale } = audit.declared.noise;
  const tally = noiseTally();
  const perDraw = pair.moved.differences.reduce(
    (sum, { length }, step) => sum + (pair.moved.squares[step]! > 0n ? length : 0),
    0,
  );
  const count = asked ?? Math.max(1, Math.min(USUAL_DRAWS, Math.floor(USUAL_NOISE / Math.max(1, perDraw))));
  const from = await project(audit, pair, pair.from, count, tally);
  const to = await project(audit, pair, pair.to, count, tally);
  // Halfway between the sums themselves, which were known before any noise was drawn.
  const halfway = (from.exact + to.exact) / 2;
  const mistakes =
    from.projections.filter(value => value > halfway).length +
    to.projections.filter(value => value <= halfway).length;
  const lower = muLowerBound({ draws: 2 * count, mistakes }, falseAlarm / 2);
  const scales = tally.largestScales(falseAlarm / 2);
  const weakest = scales.reduce((least, value) => Math.min(least, value), Infinity);
  if (!(weakest >= scale)) {
    breach(
      audit,
      'noise',
      `the noise of step ${scales.indexOf(weakest) + 1} has a deviation of at most ${digits(weakest)} steps of the grid, where ${scale} are declared`,
    );
  }
  if (tally.repeats()) {
    breach(
      audit,
      'repeated noise',
      'the noise repeats itself, so whoever sees two releases can take it off; draw it from secure()',
    );
  }
  if (lower > from.ledger) {
    breach(
      audit,
      'mu',
      `the draws show a mu of at least ${digits(lower)}, where the ledger charges ${digits(from.ledger)}`,
    );
  }
  return { draws: count, lower, scale: weakest, ledger: from.ledger };
}

/** Releases of one data set, in steps of their grids, projected on the difference of the pair; `exact` is that of the sums. */
async function project(
  audit: Audit,
  { moved, answers }: Pair,
  rows: SampleBatch,
  count: number,
  tally: NoiseTally,
): Promise<{ projections: Float64Array; exact: number; ledger: number }> {
  const projections = new Float64Array(count);
  let exact = 0;
  const seen = await run(audit, rows, (step, { sums, grid = NaN }, draw) => {
    const difference = moved.differences[step]!;
    const isMoved = moved.squares[step]! > 0n;
    const onto = (values: Float64Array): number =>
      values.reduce((sum, value, k) => sum + value * difference[k]!, 0);
    if (isMoved) exact += onto(sums);
    for (let i = 0; i < (isMoved ? count : Math.min(count, FEW_DRAWS)); i++) {
      const drawn = draw().map(value => value / grid);
      tally.add(
        step,
        drawn.map((value, k) => value - sums[k]!),
      );
      if (isMoved) projections[i]! += onto(drawn);
    }
    return answers[step]!;
  });
  return { projections, exact, ledger: seen.ledger?.mu ?? NaN };
}

function reportOf(audit: Audit, test: NoiseTest | null, falseAlarm: number): AuditReport {
  const { declared, found, counts, steps, furthest } = audit;
  const { group, touches, most } = limitsOf(declared);
  const { scale } = declared.noise;
  const { delta } = declared.plan.privacy!;
  const measured = steps.map(root);
  const seen = furthest === null ? 0 : root(furthest.total) / scale;
  if (test !== null && seen > test.ledger * (1 + ROUNDING)) {
    breach(
      audit,
      'mu',
      `the sums of two neighbours make a mu of ${digits(seen)} with the declared noise, where the ledger charges ${digits(test.ledger)}`,
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
    sensitivity: { measured: Math.max(0, ...measured), declared: root(most), steps: measured },
    cells: { measured: counts.cells, declared: group * touches },
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

const root = (square: bigint): number => Math.sqrt(Number(square));
const digits = (value: number): string => String(Number(value.toPrecision(4)));
const unitOf = ({ group }: { group: number }): string =>
  group === 1 ? 'record' : `unit of ${group} records`;
