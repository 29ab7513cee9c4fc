/** Whole transcripts of private streams in two neighbouring worlds, by the product's sums, noise and rule. */
import { releaseSummer } from '../../src/engine/kernel/releaseSummer.ts';
import type { Random } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { mean } from '../../src/method/aggregate/mean.ts';
import { logistic } from '../../src/method/loss/logistic.ts';
import { type PooledState, pooled, type ReleaseKind } from '../../src/method/rule/pooled.ts';
import { discreteGaussianMechanism } from '../../src/privacy/discreteGaussianMechanism.ts';
import { epsilonFor } from '../../src/privacy/gaussianDp.ts';
import { integerNoise, integerRelease } from '../../src/privacy/integerNoise.ts';
import type { BlockSums } from '../../src/sample/gradientSums.ts';

const FEATURES = 4;
/** Odd, so that a shift by one row changes the sum of alternating rows. */
const ROWS = 7;
const KINDS: readonly ReleaseKind[] = ['moments', 'histogram', 'look', 'gradient', 'gradient', 'histogram', 'look'];
const RELEASES = 19;
const kindAt = (t: number): ReleaseKind => KINDS[t] ?? 'gradient';
const noise = integerNoise({ lipschitz: 1, features: 25, touches: 1, epsilon: epsilonFor(1, 1e-6), delta: 1e-6 });
const { sigma } = integerRelease(noise, { chunk: 'each', rowsPerBlock: ROWS });

interface Row {
  readonly x: readonly number[];
  readonly y: number;
}

/** Where two worlds differ: rows at these positions hold one thing or another; or one world has a row more. */
interface Difference {
  readonly positions: readonly number[];
  readonly inserted?: boolean;
  /** The row is used in the next release too. */
  readonly twice?: boolean;
  /** Rows are held to a norm so many times as large as the noise is for. */
  readonly norm?: number;
  readonly loss?: 'logistic';
}

const at = (t: number, count = 1): number[] => Array.from({ length: count }, (_, k) => t * ROWS + k);

const CASES: Readonly<Record<string, Difference>> = {
  'a row of the moments': { positions: at(0) },
  'a row of the histogram': { positions: at(1) },
  'a row of a look': { positions: at(2) },
  'a row of a step of the preamble': { positions: at(3) },
  'a row of a pooled gradient': { positions: at(9) },
  'a row of a logistic gradient': { positions: at(9), loss: 'logistic' },
  'noise for a norm of sqrt(p + 2)': { positions: at(0), norm: Math.sqrt(FEATURES + 2) },
  'a row inserted before rows of an adversary': { positions: at(7), inserted: true },
  'four rows of a unit in one chunk': { positions: at(9, 4) },
  'four rows of a unit in four chunks': { positions: [9, 10, 11, 12].flatMap(t => at(t)) },
  'a row that is used twice': { positions: at(9), twice: true },
};

/** Each case, with what its mu must stay below at `draws` draws, and whether it departs from the rules. */
export const TRANSCRIPTS = Object.keys(CASES).map((name, k) => ({
  name,
  departs: k >= 6,
  draws: k === 10 ? 1500 : 300,
}));

/** The mu that an adversary finds, with bounds that fail less often than one time in a million. */
export function privateShift(name: string, draws: number, seed = 1): { estimate: number; lower: number } {
  const random = seeded(seed, name);
  const ratios = [0, 1].map(world =>
    Array.from({ length: draws }, () => logRatio(CASES[name]!, world as 0 | 1, random)),
  );
  const [of0, of1] = ratios.map(values => {
    const middle = values.reduce((sum, value) => sum + value, 0) / draws;
    return { middle, variance: values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (draws - 1) };
  });
  const spread = Math.sqrt((of0!.variance + of1!.variance) / 2);
  const estimate = spread === 0 ? 0 : (of1!.middle - of0!.middle) / spread;
  return { estimate, lower: estimate - 5 * Math.sqrt(2 / draws + estimate ** 2 / (4 * draws)) };
}

/** Whether release t may have other rows in one world than in the other: where it has not, it tells nothing. */
const differs = ({ positions, inserted, twice }: Difference, t: number): boolean =>
  positions.some(position => {
    const own = Math.floor(position / ROWS);
    return inserted ? t >= own : t === own || (twice === true && t === own + 1);
  });

/** The last release that tells anything. */
const lastOf = (difference: Difference): number =>
  Array.from({ length: RELEASES }, (_, t) => t).findLast(t => differs(difference, t))!;

/** log of the probability of a transcript in world 1 over that in world 0, for a transcript of one of them. */
function logRatio(difference: Difference, world: 0 | 1, random: Random): number {
  const rule = pooled({
    features: FEATURES,
    intercept: true,
    loss: difference.loss ? { loss: logistic(), steepest: 1, bend: 1 / 4 } : null,
    link: difference.loss ? 'logit' : 'linear',
    targetUnit: 1,
    momentNorm: FEATURES + 2,
    release: t => ({ kind: kindAt(t), rows: ROWS, sigma }),
    preamble: KINDS.length,
    keep: 1,
  });
  const squaredNorm = Math.floor(noise.squaredNorm * (difference.norm ?? 1) ** 2);
  const mechanism = discreteGaussianMechanism(noise, random);
  let state = rule.init(new Float64Array(FEATURES + 1));
  let ratio = 0;
  const last = lastOf(difference);
  for (let t = 0; t <= last; t++) {
    const question = rule.question(state);
    const sumOf = (of: 0 | 1): BlockSums<'raw'> => {
      const summer = releaseSummer({ question, features: FEATURES, rows: ROWS, squaredNorm });
      const rows = rowsOf(difference, of, t, state);
      summer.add({
        rows: ROWS,
        columns: Array.from({ length: FEATURES }, (_, j) => Float64Array.from(rows, ({ x }) => x[j]!)),
        target: Float64Array.from(rows, ({ y }) => y),
      });
      return summer.finish();
    };
    const own = sumOf(world);
    const release = integerRelease(noise, { chunk: 'each', rowsPerBlock: ROWS });
    // A departure gets its noise by saying what is not so.
    const { squaredShift: _, ...told } = { ...own, squaredNorm: noise.squaredNorm, grid: noise.grid };
    const released = mechanism.perturb(difference.norm === undefined ? own : told, release);
    if (differs(difference, t)) {
      const other = sumOf(world === 0 ? 1 : 0);
      const [sums0, sums1] = world === 0 ? [own.sums, other.sums] : [other.sums, own.sums];
      released.sums.forEach((value, j) => {
        const whole = Math.round(value / noise.grid);
        ratio += ((whole - sums0[j]!) ** 2 - (whole - sums1[j]!) ** 2) / (2 * noise.scale ** 2);
      });
    }
    state = rule.step(state, mean().aggregate(released));
  }
  return ratio;
}

/** The rows of release t, chosen by an adversary who has seen everything released before it. */
function rowsOf({ positions, inserted, twice }: Difference, world: 0 | 1, t: number, state: PooledState): Row[] {
  return Array.from({ length: ROWS }, (_, k) => {
    const position = t * ROWS + k;
    if (inserted) {
      const later = position > positions[0]! && world === 1 ? position - 1 : position;
      return extreme(kindAt(t), later % 2 === 0, state);
    }
    const isIt = positions.includes(position) || (twice && positions.includes(position - ROWS));
    return extreme(kindAt(t), isIt ? world === 0 : (state.theta[k % state.theta.length] ?? 0) > 0, state);
  });
}

/** Two rows that a release of this kind tells apart as well as any. */
function extreme(kind: ReleaseKind, isFirst: boolean, { theta, matrix, shift }: PooledState): Row {
  const x = isFirst || kind === 'gradient' || kind === 'histogram' ? [9, 9, 9, 9] : [9, -9, 9, -9];
  if (kind === 'moments') return { x: x.map(value => value / 9), y: isFirst ? 1 : -1 };
  if (kind === 'gradient') return { x, y: isFirst ? 1e6 : -1e6 };
  let score = theta[FEATURES]!;
  for (let j = 0; j < FEATURES; j++) {
    let z = shift[j]!;
    for (let l = 0; l < FEATURES; l++) z += matrix[j * FEATURES + l]! * x[l]!;
    score += z * theta[j]!;
  }
  return { x, y: kind === 'look' || isFirst ? score : score + 1e6 };
}
