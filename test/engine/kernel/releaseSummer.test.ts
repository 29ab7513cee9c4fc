import { expect } from 'chai';
import { histogramHeight, releaseSummer } from '../../../src/engine/kernel/releaseSummer.ts';
import { type Random, uniform, uniformBetween } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { distance } from '../../../src/math/vector.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import type { ReleaseQuestion } from '../../../src/method/rule/pooled.ts';
import type { SampleBatch } from '../../../src/sample/sampleBatch.ts';

const FEATURES = 3;
const SQUARED_NORM = 15_400_000_003;

type Row = readonly [x: readonly number[], y: number, weight: number];

const batchOf = (rows: readonly Row[]): SampleBatch => ({
  rows: rows.length,
  columns: Array.from({ length: FEATURES }, (_, j) => Float64Array.from(rows, ([x]) => x[j]!)),
  target: Float64Array.from(rows, ([, y]) => y),
  weights: Float64Array.from(rows, ([, , weight]) => weight),
});

function sumsOf(question: ReleaseQuestion, rows: readonly Row[], squaredNorm = SQUARED_NORM): Float64Array {
  const summer = releaseSummer({ question, features: FEATURES, rows: rows.length, squaredNorm });
  summer.add(batchOf(rows));
  return summer.finish().sums.slice();
}

const WILD = [0, -0, 1, -1, 1e-300, 1e308, -1e308, NaN, Infinity, -Infinity, 5e-324, 1e154, 0.3, 2 ** 53];
const wild = (random: Random): number =>
  uniform(random) < 0.5 ? WILD[Math.floor(uniform(random) * WILD.length)]! : uniformBetween(random, -1, 1);
const wildRow = (random: Random): Row => [
  [wild(random), wild(random), wild(random)],
  wild(random),
  uniform(random) < 0.1 ? 0 : 1,
];

/** Anything that a rule could ask, and much that none would. */
function anyQuestion(random: Random, asks: ReleaseQuestion['asks']): ReleaseQuestion {
  const tame = uniform(random) < 0.5;
  const number = (): number => (tame ? uniformBetween(random, -3, 3) : wild(random));
  const at = Float64Array.from({ length: FEATURES + 1 }, number);
  if (asks === 'moments') return { asks, at, norm: tame ? FEATURES + 2 : 1e-5, targetUnit: tame ? 1 : 1e-300 };
  const matrix = Float64Array.from({ length: FEATURES ** 2 }, number);
  const shift = Float64Array.from({ length: FEATURES }, number);
  if (asks === 'histogram') return { asks, at, matrix, shift, intercept: true };
  const q = 2 ** uniformBetween(random, -12, 2);
  const loss = [pseudoHuber(q), logistic(), poisson({ largestScore: 3 })][Math.floor(3 * uniform(random))]!;
  const most = tame ? 1 : 1e-3;
  return { asks, at, matrix, shift, intercept: true, loss, cap: tame ? 2.5 : 1e-3, most };
}

describe('releaseSummer', () => {
  for (const asks of ['moments', 'histogram', 'look', 'gradient'] as const) {
    it(`never lets one replaced row move ${asks} by more than 2 sqrt(B2), whatever is asked and whatever rows hold`, () => {
      const random = seeded(7, asks);
      const most = asks === 'histogram' ? Math.SQRT2 * histogramHeight(SQUARED_NORM) : 2 * Math.sqrt(SQUARED_NORM);
      let largest = 0;
      for (let k = 0; k < 20_000; k++) {
        const question = anyQuestion(random, asks);
        const others = [wildRow(random)];
        const sums = [wildRow(random), wildRow(random)].map(row => sumsOf(question, [...others, row]));
        const moved = distance(sums[0]!, sums[1]!);
        expect(sums.flatMap(sum => [...sum]).every(Number.isSafeInteger)).to.equal(true);
        largest = Math.max(largest, moved / most);
      }
      expect(largest).to.be.at.most(1);
      // The bound is reached, so noise is not wasted either. Matrices of rows are never opposite: sqrt(2) of it at most.
      expect(largest).to.be.greaterThan(asks === 'moments' || asks === 'look' ? 0.7 : 0.98);
    });
  }

  it('adds nothing for rows of weight 0, and nothing to any bin for a residual that is not a number', () => {
    const random = seeded(8, 'weights');
    for (const asks of ['moments', 'histogram', 'look', 'gradient'] as const) {
      const question = anyQuestion(random, asks);
      expect(sumsOf(question, [[[0.5, 0.5, 0.5], 0.2, 0]]).every(sum => sum === 0)).to.equal(true);
    }
    const about: ReleaseQuestion = {
      asks: 'histogram',
      at: new Float64Array(4),
      matrix: new Float64Array(9),
      shift: new Float64Array(3),
      intercept: true,
    };
    expect(sumsOf(about, [[[0, 0, 0], NaN, 1]]).every(sum => sum === 0)).to.equal(true);
    const height = histogramHeight(SQUARED_NORM);
    const binOf = (y: number): number => sumsOf(about, [[[0, 0, 0], y, 1]]).indexOf(height);
    expect([0, 2 ** -11.01, 2 ** -11, 2 ** -10.4, 1.99, 2, Infinity].map(binOf)).to.deep.equal([
      0, 0, 1, 2, 24, 24, 24,
    ]);
  });

  it('has the largest height of a histogram that keeps a replaced row within the bound', () => {
    for (const squaredNorm of [1, 2, 3, 12, 13, SQUARED_NORM, 2 ** 52]) {
      const height = histogramHeight(squaredNorm);
      expect(2 * height ** 2).to.be.at.most(4 * squaredNorm);
      expect(2 * (height + 1) ** 2).to.be.greaterThan(4 * squaredNorm);
    }
  });

  it('sums what the formulas say', () => {
    const rows: Row[] = [
      [[0.5, -0.25, 1], 0.3, 1],
      [[-1, 0.75, 0.1], -0.9, 1],
    ];
    const unit = Math.sqrt(SQUARED_NORM);
    const at = Float64Array.of(0.1, -0.2, 0.3, 0.05);
    const identity = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
    const common = { at, matrix: identity, shift: new Float64Array(3), intercept: true, loss: pseudoHuber(0.2) };
    const gradient = sumsOf({ asks: 'gradient', ...common, cap: 1.2, most: 0.2 }, rows);
    const expected = new Float64Array(4);
    for (const [x, y] of rows) {
      const z = [...x, 1];
      const score = z.reduce((sum, value, j) => sum + value * at[j]!, 0);
      const weight = Math.min(1, 1.2 / Math.hypot(...z));
      z.forEach((value, j) => {
        expected[j]! += (unit * weight * pseudoHuber(0.2).slope(score, y) * value) / (1.2 * 0.2);
      });
    }
    expect(distance(gradient, expected)).to.be.below(8);
    const moments = sumsOf({ asks: 'moments', at, norm: 5, targetUnit: 1 }, rows);
    // Of (x1, x2, x3, 1, y): the place of the count is the 13th, that of x1 y the 5th.
    expect(moments[12]! / unit).to.be.closeTo(2 / 5, 1e-4);
    expect(moments[4]! / unit).to.be.closeTo((Math.SQRT2 * (0.5 * 0.3 + 0.9)) / 5, 1e-4);
  });
});
