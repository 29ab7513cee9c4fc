import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../../src/errors.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { logistic } from '../../../../src/method/loss/logistic.ts';
import { poisson } from '../../../../src/method/loss/poisson.ts';
import * as lemmas from '../../../../src/plan/theorem/lemmas/index.ts';
import { expectClose } from '../../../support/close.ts';

describe('lemmas', () => {
  it('GLM_prelim_lem: the curvature of a logistic risk, and none of a Poisson risk', () => {
    const given = { featureNorm: 2, radius: 1.5, smallestEigenvalue: 0.2, largestEigenvalue: 0.7 };
    const { smoothness, strongConvexity } = lemmas.glmCurvature({ loss: logistic(), ...given });
    expectClose(smoothness, 0.175);
    expectClose(strongConvexity, 0.2 / (2 + Math.exp(3) + Math.exp(-3)));
    expect(() => lemmas.glmCurvature({ loss: poisson(), ...given })).to.throw(ArgumentError, 'even and non-increasing');
  });

  it('achievab_UP_ERM: conditions and probability, by hand', () => {
    const given = {
      ...{ rows: 1e6, features: 256, radius: 0.01, gradientRatio: 1, smallestEigenvalue: 0.5, largestEigenvalue: 1 },
      ...{ truthNorm: 0.2, largestTruth: 0.25, noise: 0.1 },
    };
    const { probability, largestNoise, conditions } = lemmas.gradientRatioModel(given);
    const moments = 512 * Math.exp((-1e6 * 0.25) / (8 * 256 * (1 + 0.5 / 3)));
    const noises = 512 * Math.exp((-1e6 * 1e-4) / (2 * 1024 * 0.01));
    expectClose(probability, Math.max(0, 1 - moments - noises));
    expectClose(largestNoise, 5);
    // (2 (2/0.5 + 1) + 1) 0.01 = 0.11; (sqrt 2/sqrt 2.5)^8 = 0.4096
    expect(conditions.map(({ met }) => met)).to.deep.equal([true, true, true]);
    expectClose(conditions[1]!.numbers.bound!, 0.11);
    expectClose(conditions[2]!.numbers.bound!, 0.4096);
    const short = lemmas.gradientRatioModel({ ...given, truthNorm: 0.1 });
    expect(short.conditions[1]!.met).to.equal(false);
  });

  it('figure my_label: gradient descent has the better bound for condition numbers between 1 and 11.44', () => {
    expect(lemmas.nesterovLag(1)).to.equal(0);
    expect(lemmas.nesterovLag(11.444)).to.be.above(0);
    expect(lemmas.nesterovLag(11.445)).to.be.below(0);
  });

  it('ACC_PRIV_FW_STEP: the total epsilon is no more than the nominal one up to 0.9, and more far above', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-3, max: 0.9, noNaN: true }),
        fc.double({ min: 1e-9, max: 0.5, noNaN: true }),
        fc.integer({ min: 1, max: 1e6 }),
        (epsilon, delta, steps) => {
          expect(lemmas.composedEpsilon({ epsilon, delta, steps })).to.be.at.most(epsilon);
        },
      ),
    );
    expect(lemmas.composedEpsilon({ epsilon: 37, delta: 1e-6, steps: 12 })).to.be.above(37);
    expect(() => lemmas.composedEpsilon({ epsilon: 11, delta: 1e-6, steps: 1 })).to.throw(ArgumentError, 'epsilon');
  });

  it('NonAccRel_FW: plain Frank-Wolfe with inexact minimisers on a square stays below its bound', () => {
    // F = ||x - c||^2/2 on [-1, 1]^2: Gamma = sup ||y - x||^2 = 8.
    const random = seeded(1, 'inexact minimisers');
    for (let trial = 0; trial < 200; trial++) {
      const centre = [3 * uniform(random) - 1.5, 3 * uniform(random) - 1.5] as const;
      const excess = (x: readonly number[]): number => {
        const best = centre.map(c => Math.min(1, Math.max(-1, c)));
        const at = (z: readonly number[]) => z.reduce((sum, value, j) => sum + (value - centre[j]!) ** 2 / 2, 0);
        return at(x) - at(best);
      };
      const inexactness = 2 * uniform(random);
      let x: readonly number[] = [1, -1];
      for (let t = 1; t <= 30; t++) {
        const step = 2 / (t + 2);
        const slope = x.map((value, j) => value - centre[j]!);
        const least = -slope.reduce((sum, value) => sum + Math.abs(value), 0);
        let v = slope.map(value => -Math.sign(value));
        // The worst corner of the four that the lemma allows.
        for (const corner of [
          [1, 1],
          [1, -1],
          [-1, 1],
          [-1, -1],
        ]) {
          const product = corner[0]! * slope[0]! + corner[1]! * slope[1]!;
          if (product <= least + (inexactness * step * 8) / 2) v = corner;
        }
        x = x.map((value, j) => (1 - step) * value + step * v[j]!);
        expect(excess(x)).to.be.at.most(lemmas.frankWolfeExcess({ curvature: 8, inexactness, steps: t }) + 1e-12);
      }
    }
  });

  it('Inexact_GD_lemma and Inexact_AGD_lemma: descent with errors of every size stays below their bounds', () => {
    const random = seeded(2, 'inexact gradients');
    for (let trial = 0; trial < 200; trial++) {
      const curve = [1, 0.3 * uniform(random)];
      const start = [4 * uniform(random) - 2, 4 * uniform(random) - 2];
      const startDistance = Math.hypot(...start);
      const scale = uniform(random);
      const errorAt = Array.from({ length: 25 }, () => [
        scale * (uniform(random) - 0.5),
        scale * (uniform(random) - 0.5),
      ]);
      const errors = errorAt.map(error => Math.hypot(...error));
      const risk = (x: readonly number[]) => x.reduce((sum, value, j) => sum + (curve[j]! * value ** 2) / 2, 0);
      let plain: readonly number[] = start;
      let [before, now]: readonly (readonly number[])[] = [start, start];
      for (let t = 1; t <= 25; t++) {
        const error = errorAt[t - 1]!;
        const step = (y: readonly number[]) => y.map((value, j) => value - (curve[j]! * value + error[j]!));
        plain = step(plain);
        const y = now!.map((value, j) => value + ((t - 1) / (t + 2)) * (value - before![j]!));
        [before, now] = [now!, step(y)];
        const given = { smoothness: 1, startDistance, errors: errors.slice(0, t) };
        expect(risk(plain)).to.be.at.most(lemmas.inexactGradientExcess(given) + 1e-12);
        expect(risk(now!)).to.be.at.most(lemmas.inexactNesterovExcess(given) + 1e-12);
      }
    }
  });

  it('lemma GD and theorem AGD: an adversarial estimator with these alpha and beta never exceeds their bounds', () => {
    const random = seeded(3, 'estimators');
    for (let trial = 0; trial < 300; trial++) {
      const [smoothness, strongConvexity] = [1.2, 1];
      const [alpha, beta] = [0.15 * uniform(random), 0.1 * uniform(random)];
      const start = 5 * uniform(random);
      const given = { smoothness, strongConvexity, alpha, beta, startDistance: start };
      const plain = lemmas.stableGradientDescent(given);
      // C3 so large that the proof's first bound on the iterates surely holds.
      const iterateConstant = (10 * start) / Math.max(alpha, 1e-3);
      const fast = lemmas.stableNesterov({ ...given, startRisk: 0.6 * start ** 2, iterateConstant });
      const curve = uniform(random) < 0.5 ? 1 : 1.2;
      const wrong = (x: number) => (alpha * Math.abs(x) + beta) * (2 * uniform(random) - 1);
      let x = start;
      let [before, now] = [start, start];
      for (let t = 1; t <= 12; t++) {
        x -= plain.stepSize * (curve * x + wrong(x));
        expect(Math.abs(x)).to.be.at.most(plain.distanceAfter(t) + 1e-12);
        const y = now + fast.momentum! * (now - before);
        [before, now] = [now, y - fast.stepSize * (curve * y + wrong(y))];
        expect(Math.abs(now)).to.be.at.most(fast.distanceAfter(t) + 1e-12);
      }
      const enough = plain.enoughSteps;
      expect(plain.distanceAfter(enough)).to.be.at.most(2 * plain.floor * (1 + 1e-9));
      if (enough > 1) expect(plain.distanceAfter(enough - 1)).to.be.above(2 * plain.floor * (1 - 1e-9));
    }
  });
});
