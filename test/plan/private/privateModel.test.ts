import { expect } from 'chai';
import { fitPrivate } from '../../../src/fit/private/fitPrivate.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { EVEN, NARROW, privateModel } from '../../../src/plan/private/privateModel.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../src/sample/samples.ts';
import { unitScaling } from '../../support/unitScaling.ts';

/**
 * How far fits are from the truth, in scaled slopes, where features fill such a part of their bounds: sqrt of the mean
 * square over runs.
 */
async function errorOf(
  { kind, features, rows, epsilon, penalty = 0 }: Setting,
  part: number,
  runs: number,
): Promise<{ readonly found: number; readonly predicted: number }> {
  const isLogistic = kind === 'logistic';
  const scaling = isLogistic
    ? unitScaling(features, { target: { least: 0, most: 1 }, scalesTarget: false })
    : unitScaling(features);
  const plain = isLogistic ? logistic() : pseudoHuber(0.2);
  const loss = penalty > 0 ? ridge(plain, penalty) : plain;
  const plan = planPrivate({ rows, loss, scaling, epsilon, delta: 1e-6 });
  // Short enough for targets to stay within their bounds.
  const slope = (isLogistic ? 3 : 0.5) / Math.sqrt(features);
  let square = 0;
  for (let run = 0; run < runs; run++) {
    const random = seeded(run, 'rows');
    const columns = Array.from({ length: features }, () =>
      Float64Array.from({ length: rows }, () => part * (2 * uniform(random) - 1)),
    );
    const target = Float64Array.from({ length: rows }, (_, i) => {
      const score = columns.reduce((sum, column) => sum + slope * column[i]!, 0);
      return isLogistic ? Number(uniform(random) < 1 / (1 + Math.exp(-score))) : score + 0.15 * part * normal(random);
    });
    const { theta } = await fitPrivate(samplesOf(sampleBatch(columns, target)), plan, {
      random: seeded(run, 'noise'),
      order: 'as-is',
    });
    for (let j = 0; j < features; j++) square += (theta[j]! - slope) ** 2 / runs;
  }
  return {
    found: Math.sqrt(square),
    predicted: plan.predictedIfWider.find(({ width }) => width === 1 / part)!.predicted.total,
  };
}

interface Setting {
  readonly kind: 'linear' | 'logistic';
  readonly features: number;
  readonly rows: number;
  readonly epsilon: number;
  readonly penalty?: number;
}

const SETTINGS: readonly Setting[] = [
  { kind: 'linear', features: 2, rows: 5000, epsilon: 0.2 },
  { kind: 'linear', features: 5, rows: 10_000, epsilon: 1 },
  { kind: 'linear', features: 10, rows: 5000, epsilon: 3 },
  { kind: 'logistic', features: 2, rows: 5000, epsilon: 0.5 },
  { kind: 'logistic', features: 5, rows: 10_000, epsilon: 1 },
];

describe('privateModel', () => {
  it('has the moments of an even spread, of levels and of the intercept, and rows that count less for their length', () => {
    const model = privateModel(pseudoHuber(0.2), unitScaling(3), { radius: Infinity });
    expect(model.rowLength).to.be.closeTo(Math.sqrt(1 + 3 / 75), 1e-12);
    // Half of the largest curvature, 1, times moment and weight.
    const weight = model.rowLength / Math.sqrt(2);
    model.curvatures(EVEN).forEach((curvature, j) => {
      expect(curvature).to.be.closeTo((weight * (j < 3 ? 1 / 3 : 1)) / 2, 1e-12);
    });
    expect(model.curvatures(NARROW)[0]).to.be.closeTo(1 / 150, 1e-12);
    expect(model.largestCurvature).to.be.closeTo(2 * model.rowLength, 1e-12);
    expect(model.lipschitz).to.be.closeTo(0.2 * model.rowLength, 1e-12);
    const intervals = Array(4).fill({ least: 0, most: 1, levelOf: 'town' });
    const levels = privateModel(pseudoHuber(0.2), unitScaling(4, { bounds: { intervals } }), {
      radius: Infinity,
    });
    expect(levels.curvatures(EVEN)).to.deep.equal(levels.curvatures(NARROW));
  });

  it('never has more noise for what rows say than without weights: w/R is at least 1/max ||x||', () => {
    for (const features of [1, 3, 20]) {
      const scaling = unitScaling(features);
      const weighed = privateModel(logistic(), scaling, { radius: Infinity });
      const plain = privateModel(logistic(), scaling, { radius: Infinity, rowLength: Infinity });
      for (const length of [1, 1.2, Math.sqrt(features + 1)]) {
        const weight = Math.min(1, weighed.rowLength / length);
        expect(weight / weighed.lipschitz).to.be.at.least((1 / plain.lipschitz) * (1 - 1e-12));
        expect(weight / weighed.largestCurvature).to.be.at.least((1 / plain.largestCurvature) * (1 - 1e-12));
      }
    }
  });

  it('predicts what fits are off by, where features fill their bounds, to a factor between a quarter and five quarters @slow', async () => {
    // Seeds are fixed.
    for (const setting of SETTINGS) {
      const { found, predicted } = await errorOf(setting, 1, 4);
      expect(found / predicted, JSON.stringify(setting)).to.be.within(0.25, 1.25);
    }
  });

  it('with what a penalty draws them towards 0, which is nearly all of it, likewise @slow', async () => {
    for (const [kind, penalty] of [
      ['linear', 0.03],
      ['linear', 0.1],
      ['linear', 1],
      ['logistic', 0.03],
      ['logistic', 0.1],
    ] as const) {
      const setting = { kind, features: 3, rows: 5000, epsilon: 1, penalty };
      const { found, predicted } = await errorOf(setting, 1, 2);
      expect(found / predicted, JSON.stringify(setting)).to.be.within(0.4, 1.2);
    }
  });

  it('and where they fill a fifth of theirs, and targets too, to a factor between a quarter and three halves', async () => {
    for (const setting of SETTINGS) {
      const { found, predicted } = await errorOf(setting, NARROW, 2);
      expect(found / predicted, JSON.stringify(setting)).to.be.within(0.25, 1.5);
    }
  });
});
