import { refuse, requireInteger, requirePositive } from '../../errors.ts';
import { zeros } from '../../math/vector.ts';
import { mean } from '../../method/aggregate/mean.ts';
import { domain } from '../../method/loss/domain.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { pseudoHuber } from '../../method/loss/pseudoHuber.ts';
import {
  type BoundedLoss,
  HISTOGRAM_BINS,
  type Pooled,
  type PooledWatch,
  pooled,
  type ReleaseKind,
  triangleSize,
} from '../../method/rule/pooled.ts';
import { type IntegerNoise, integerNoise, integerRelease, unitFactor } from '../../privacy/integerNoise.ts';
import { type Scaling, scaledNorm, scaledTarget } from '../../sample/transform/scaling.ts';
import { endless, type Plan, type Steps } from '../plan.ts';
import { boundedLoss, isPoissonWithin, isSquaredWithin } from '../private/boundedLoss.ts';

/** What is declared about a private stream. */
export interface PrivateOnlineOptions {
  /** How rows are scaled by their declared bounds. */
  readonly scaling: Scaling;
  /** Pseudo-Huber unless given, with a scale that is released. */
  readonly loss?: Loss;
  /** Of the whole stream. */
  readonly epsilon: number;
  /** At most 1e-6: a stream has no number of rows to compare it with. */
  readonly delta: number;
  /** Whom the guarantee protects, where that is more than a row: at most `perChunk` rows of a unit in a chunk, `most` for life. */
  readonly unit?: { readonly perChunk?: number; readonly most: number };
  /** Rows of a chunk after the preamble; twice `halfway` unless given. */
  readonly chunk?: number;
  /** Rows after which a row counts 1/e of a new one; none is forgotten unless given. */
  readonly forget?: number;
  /** Watches released gradients for a change; nothing does unless given. */
  readonly watch?: PooledWatch;
}

/** A private stream, fixed before any row is read. */
export interface PrivateOnlinePlan extends Plan<Steps> {
  readonly rule: Pooled;
  /** The noise of every release. */
  readonly noise: IntegerNoise;
  /** How rows are scaled by their declared bounds. */
  readonly scaling: Scaling;
  /** The most rows of a unit in a chunk and for life; null where rows are protected. */
  readonly unit: { readonly perChunk: number; readonly most: number } | null;
  /** What to expect, from declared facts alone. */
  readonly figures: PrivateOnlineFigures;
  /** Whether old rows count less. */
  readonly forgets: boolean;
  /** What release t asks. */
  kindAt(t: number): ReleaseKind;
  /** The rows of all releases before release t: the position at which it begins. */
  rowsBefore(t: number): number;
}

/** What a private stream will cost and give, from declared facts alone. */
export interface PrivateOnlineFigures {
  /** Of the whole stream, for what it protects; and of one row. */
  readonly mu: number;
  readonly rowMu: number;
  /** m*: rows of a chunk at which noise and sampling contribute equally. */
  readonly halfway: number;
  /** Rows of a chunk after the preamble. */
  readonly chunk: number;
  /** M0: rows before the first pooled estimate. */
  readonly preamble: number;
  /** The preamble, release by release. */
  readonly releases: readonly { readonly kind: ReleaseKind; readonly rows: number }[];
  /** How many times as large the error is as that of a run without noise on as many rows, once it is settled. */
  readonly cost: number;
  /** Rows from which the prediction holds to 15 %. */
  readonly settledFrom: number;
  /** The error of predictions to expect after so many rows, in units of `unit`; null within the preamble. */
  readonly errors: readonly { readonly rows: number; readonly error: number | null }[];
  /** What errors are multiples of. */
  readonly unit: 'the spread of residuals' | 'the score';
  /** What was assumed of the loss at its minimum: mean second derivative and mean squared slope, relative to their bounds. */
  readonly assumed: { readonly bend: number; readonly squaredSlope: number };
}

/** No delta below 1/n can be asked for where n has no end. */
export const LARGEST_STREAM_DELTA = 1e-6;

/**
 * A private stream's plan: m*, the preamble and its rows, and what each release asks, from declared facts alone.
 *
 *   mu = mu*(eps - eta, delta0) at d = max(25, (p+2)(p+3)/2) numbers;   mu_1 = mu/sqrt(c K) for one row
 *   m1 = 200 N sqrt(k/2)/mu_1 moments,  m2 = 500/mu_1 histogram,  m3 = 56 k sqrt(k/2)/mu_1 look,  4 gradients of m,
 *   m2 again, a look at 2 m3;   then gradients of m for ever, with looks at chunks 5, 25, 125 of them
 *   m* = (2 L/(mu_1 E psi'))^2/v,   MSE = (k v/n)(1 + m* / m),   v = E psi^2/(E psi')^2
 *
 *   N -> the largest |(x, 1, y)|^2 of scaled rows, p+2 for p features in [-1, 1]; L = 1.25 sqrt(k) max psi
 *
 * Why these: m1 gives moments a noise floor of a hundredth, m3 a look one of a tenth of the intercept's curvature; 2 m*
 * rows cost a factor of 1.22 over no noise at all.
 *
 * Guarantee. (eps, delta)-DP of the whole endless transcript, for replacing the content of one row in place, or of all
 * rows of a unit: each row is in one release, whose rows, kind and question follow from this plan and earlier releases.
 * That a row exists, and when it came, is public. Edge cases. Refused: delta above 1e-6, a loss without bounded slopes,
 * a penalty (it would shrink coefficients in coordinates that nobody knows).
 */
export function planPrivateOnline(options: PrivateOnlineOptions): PrivateOnlinePlan {
  const { scaling, epsilon, delta, forget } = options;
  if (!(delta <= LARGEST_STREAM_DELTA))
    refuse(
      'delta',
      'be at most 1e-6 for a stream, whose number of rows has no end',
      delta,
      'use a smaller one',
      'ERR_NOT_PRIVATE',
    );
  if (forget !== undefined) requirePositive('forget', forget);
  const features = scaling.features.length;
  const { intercept } = scaling;
  const size = features + (intercept ? 1 : 0);
  const unit = options.unit && {
    perChunk: requireInteger('unit.perChunk', options.unit.perChunk ?? 1, 1),
    most: requireInteger('unit.most', options.unit.most, 1),
  };
  const noise = integerNoise({
    lipschitz: 1,
    features: Math.max(HISTOGRAM_BINS, triangleSize(features + 2)),
    touches: 1,
    epsilon,
    delta,
    ...(unit && { group: unit.most, perChunk: Math.min(unit.perChunk, unit.most) }),
  });
  const loss = lossOf(options.loss, scaling);
  const rowMu = noise.mu / unitFactor(noise);
  const assumed = assumedOf(options.loss, loss, scaling);
  const steepest = 1.25 * Math.sqrt(size) * loss.steepest;
  const v = assumed.squaredSlope / assumed.bend ** 2;
  const halfway = ((2 * steepest) / (rowMu * assumed.bend)) ** 2 / v;
  const chunk = options.chunk === undefined ? Math.ceil(2 * halfway) : requireInteger('chunk', options.chunk, 1);
  const momentNorm = scaledNorm(scaling) ** 2 + (intercept ? 1 : 2);
  const half = Math.sqrt(size / 2);
  const moments = Math.ceil((200 * momentNorm * half) / rowMu);
  const look = Math.ceil((56 * size * half) / rowMu);
  const scale = loss.isReleased ? [{ kind: 'histogram' as const, rows: Math.ceil(500 / rowMu) }] : [];
  const gradient = { kind: 'gradient' as const, rows: chunk };
  const releases = [
    { kind: 'moments' as const, rows: moments },
    ...scale,
    { kind: 'look' as const, rows: look },
    ...[gradient, gradient, gradient, gradient],
    ...scale,
    { kind: 'look' as const, rows: 2 * look },
  ];
  const preamble = releases.reduce((sum, { rows }) => sum + rows, 0);
  const period = forget === undefined ? Infinity : Math.ceil((5 * forget) / chunk);
  const kindAt = (t: number): ReleaseKind => {
    if (t < releases.length) return releases[t]!.kind;
    const pooledChunk = t - releases.length + 1;
    return LOOKS.includes(pooledChunk) || pooledChunk % period === 0 ? 'look' : 'gradient';
  };
  const rowsAt = (t: number): number => releases[t]?.rows ?? chunk;
  const sigmaAt = (t: number): number => integerRelease(noise, { chunk: 'each', rowsPerBlock: rowsAt(t) }).sigma;
  const rule = pooled({
    features,
    intercept,
    loss: loss.isReleased ? null : loss,
    link: linkOf(loss.loss, scaling),
    targetUnit: linkOf(loss.loss, scaling) === 'log' ? scaledTarget(scaling) : 1,
    momentNorm,
    release: t => ({ kind: kindAt(t), rows: rowsAt(t), sigma: sigmaAt(t) }),
    preamble: releases.length,
    keep: forget === undefined ? 1 : Math.exp(-chunk / forget),
    ...(options.watch && { watch: options.watch }),
  });
  const cost = Math.sqrt(1 + halfway / chunk);
  const isLinear = linkOf(loss.loss, scaling) === 'linear';
  const spread = isLinear && !loss.isReleased ? Math.sqrt(assumed.squaredSlope) : 1;
  const remembered = (rows: number): number => (forget === undefined ? rows : Math.min(rows, 2 * forget));
  const errorAt = (rows: number): number | null =>
    rows < preamble + chunk ? null : (Math.sqrt((size * v) / remembered(rows)) * cost) / spread;
  const multiples = [1, 2, 3, 5, 10, 20, 50, 100, 1000];
  return Object.freeze({
    rows: Infinity,
    features,
    intercept,
    loss: loss.loss,
    rule,
    start: zeros(size),
    mode: 'fresh' as const,
    estimation: { kind: 'blocks' as const, aggregator: mean() },
    steps: endless(t => ({
      chunk: t,
      rows: rowsAt(t),
      blocks: 1,
      rowsPerBlock: rowsAt(t),
      release: integerRelease(noise, { chunk: 'each', rowsPerBlock: rowsAt(t) }),
    })),
    leftOver: 0 as const,
    privacy: Object.freeze({ calibration: 'parallel' as const, epsilon, delta, lipschitz: 1 }),
    noise,
    scaling,
    unit: unit ?? null,
    forgets: forget !== undefined,
    kindAt,
    rowsBefore: (t: number) =>
      releases.slice(0, t).reduce((sum, { rows }) => sum + rows, 0) + Math.max(0, t - releases.length) * chunk,
    figures: Object.freeze({
      mu: noise.mu,
      rowMu,
      halfway,
      chunk,
      preamble,
      releases,
      cost,
      settledFrom: 10 * preamble,
      errors: multiples.map(times => ({ rows: times * preamble, error: errorAt(times * preamble) })),
      unit: isLinear ? ('the spread of residuals' as const) : ('the score' as const),
      assumed,
    }),
  });
}

/** Chunks after the preamble that are looks: each is worth what all before it were. */
const LOOKS: readonly number[] = [5, 25, 125];

type StreamLoss = BoundedLoss & { readonly isReleased: boolean };

function lossOf(given: Loss | undefined, scaling: Scaling): StreamLoss {
  if (given === undefined) return { loss: pseudoHuber(1), steepest: 1, bend: 1, isReleased: true };
  if (given.penalty > 0) refuse('loss', 'have no penalty in a private stream', given.name, 'leave out the ridge');
  const loss = boundedLoss(given, scaling);
  const rows = domain({ features: 1, norm: 1, target: scaledTarget(scaling) });
  const [steepest, bend] = [loss.lipschitz(rows), loss.smoothness(rows)];
  if (!(steepest < Infinity && bend < Infinity && bend > 0))
    refuse('loss', 'have bounded slopes and second derivatives', given.name, 'use pseudo-Huber', 'ERR_NOT_PRIVATE');
  return { loss, steepest, bend, isReleased: false };
}

const linkOf = (loss: Loss, scaling: Scaling): 'linear' | 'logit' | 'log' =>
  loss.targets.least === -Infinity ? 'linear' : isPoissonWithin(loss, scaling) ? 'log' : 'logit';

/**
 * E psi' and E psi^2 at the minimum, which no row is asked for: pseudo-Huber with q at the spread of its residuals;
 * classes worth telling apart; residuals of .3 of half the target's range; counts whose mean is an eighth of the largest.
 */
function assumedOf(
  given: Loss | undefined,
  { loss, steepest, bend }: StreamLoss,
  scaling: Scaling,
): PrivateOnlineFigures['assumed'] {
  if (given === undefined) return { bend: 0.56, squaredSlope: 1.1 * 0.56 ** 2 };
  if (isSquaredWithin(loss, scaling)) return { bend: 1, squaredSlope: 0.09 };
  if (isPoissonWithin(loss, scaling)) return { bend: bend / 8, squaredSlope: bend / 8 };
  if (loss.kernel?.kind === 'logistic') return { bend: 0.18, squaredSlope: 0.18 };
  return { bend: bend / 2, squaredSlope: (0.6 * steepest) ** 2 };
}
