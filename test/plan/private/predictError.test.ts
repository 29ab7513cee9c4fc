import { expect } from 'chai';
import fc from 'fast-check';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { nesterov } from '../../../src/method/rule/nesterov.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import { tailAveraged } from '../../../src/method/rule/tailAveraged.ts';
import type { UpdateRule } from '../../../src/method/rule/updateRule.ts';
import {
  type DescentModel,
  descentError,
  divergingStep,
  predictError,
} from '../../../src/plan/private/predictError.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';
import { expectClose } from '../../support/close.ts';
import { draws, mean } from '../../support/statistics.ts';

const model: DescentModel = {
  stepSize: 0.4,
  momentum: 0,
  curvatures: [1],
  distance: 2,
  variances: [0.3, 0.3, 0.3],
};

describe('predictError', () => {
  it('is the closed form of gradient descent along one coordinate', () => {
    // e_T = k^T e_0 - eta sum k^(T-1-t) z_t, k = 1 - eta c
    const found = predictError({ ...model, variances: [0.5, 0.2, 0.1] });
    const k = 0.6;
    expectClose(found.distance, 2 * k ** 3);
    expectClose(found.noise, 0.4 * Math.sqrt(0.5 * k ** 4 + 0.2 * k ** 2 + 0.1));
    expectClose(found.total, Math.hypot(found.noise, found.distance));
  });

  it('is short of the answer without a penalty by what that takes of the way that was gone, and no less sure', () => {
    const penalty = 0.25;
    const plain = predictError({ ...model, variances: [0.5, 0.2, 0.1] });
    const found = predictError({ ...model, variances: [0.5, 0.2, 0.1], penalty });
    expect(found).to.deep.include({ noise: plain.noise, distance: plain.distance });
    expect(plain.drawn).to.equal(0);
    expectClose(found.drawn, 0.25 * (2 - plain.distance));
    // From 0, towards (1 - 1/4) 2: after three steps 1 - 0.6^3 of that.
    expectClose(found.distance + found.drawn, 2 - 1.5 * (1 - 0.6 ** 3));
    expectClose(found.total, Math.hypot(found.noise, found.distance + found.drawn));
    expectClose(descentError(found), plain.total);
  });

  it('settles, after many steps, at the variance of an autoregression: of order one, and with momentum of order two', () => {
    const [eta, c, v] = [0.4, 1, 0.3];
    const many = Array<number>(400).fill(v);
    const k = 1 - eta * c;
    expectClose(predictError({ ...model, variances: many }).noise, Math.sqrt((eta ** 2 * v) / (1 - k ** 2)));
    // AR(2) with coefficients a and b: (1 - b) s^2 / ((1 + b)((1 - b)^2 - a^2)).
    const momentum = 0.5;
    const [a, b] = [k * (1 + momentum), -k * momentum];
    const variance = ((1 - b) * eta ** 2 * v) / ((1 + b) * ((1 - b) ** 2 - a ** 2));
    expectClose(predictError({ ...model, momentum, variances: many }).noise, Math.sqrt(variance), 1e-10);
  });

  it('is the closed form of the average of the last two of three steps', () => {
    const { noise, distance } = predictError({ ...model, variances: [0.5, 0.2, 0.1], tail: 2 });
    const k = 0.6;
    expectClose(distance, (2 * (k ** 2 + k ** 3)) / 2);
    // (e_2 + e_3)/2 has the noises k (1 + k), 1 + k and 1, each times eta/2.
    const square = 0.5 * (k * (1 + k)) ** 2 + 0.2 * (1 + k) ** 2 + 0.1;
    expectClose(noise, (0.4 / 2) * Math.sqrt(square));
  });

  it('is infinite, and never no number, for steps that lead further than doubles reach', () => {
    for (const momentum of [0, 0.5, 0.9]) {
      for (const tail of [1, 200]) {
        const found = predictError({
          ...model,
          momentum,
          tail,
          stepSize: 100,
          variances: Array<number>(400).fill(0.3),
          sharedVariance: 0.1,
          flattening: 0.5,
        });
        expect(found).to.deep.equal({
          total: Infinity,
          noise: Infinity,
          distance: Infinity,
          drawn: 0,
          each: [Infinity],
        });
      }
    }
  });

  it('grows with the number of steps from the diverging step on, and settles below it', () => {
    for (const momentum of [0, 0.3, 0.9]) {
      const totalOf = (share: number, steps: number): number =>
        predictError({
          ...model,
          momentum,
          curvatures: [2],
          stepSize: share * divergingStep(2, momentum),
          variances: Array<number>(steps).fill(0.3),
        }).total;
      expect(totalOf(1.01, 4000)).to.be.above(1e6 * totalOf(1.01, 1000));
      expectClose(totalOf(0.99, 4000), totalOf(0.99, 3000));
    }
  });

  it('adds the squares of coordinates up', () => {
    holdsForAll(
      fc.property(
        fc.array(uniform(0.05, 1), { minLength: 1, maxLength: 5 }),
        fc.array(uniform(0, 1), { minLength: 1, maxLength: 8 }),
        uniform(0, 0.9),
        (curvatures, variances, momentum) => {
          const each = curvatures.map(c => predictError({ ...model, curvatures: [c], variances, momentum }));
          const all = predictError({ ...model, curvatures, variances, momentum });
          for (const part of ['total', 'noise', 'distance'] as const) {
            expect(all[part]).to.be.closeTo(Math.hypot(...each.map(found => found[part])), 1e-12);
          }
        },
      ),
    );
  });

  it('agrees with 20,000 noisy descents by the rules themselves, plain, with momentum and with an averaged tail', () => {
    const curvatures = [0.2, 0.7, 1.3];
    const variances = [0.4, 0.3, 0.2, 0.1, 0.05];
    const stepSize = 0.6;
    const check = <S>(rule: UpdateRule<S>, momentum: number, sharedVariance = 0, tail = 1): void => {
      const random = seeded('predictError', rule.name);
      const squares = draws(20_000, () => {
        let state = rule.init(Float64Array.of(1.5, 1.5, 1.5));
        const shared = curvatures.map(() => Math.sqrt(sharedVariance) * normal(random));
        for (const variance of variances) {
          const values = rule
            .query(state)
            .map((e, j) => curvatures[j]! * e + shared[j]! + Math.sqrt(variance) * normal(random));
          state = rule.step(state, { values, privacy: 'raw' });
        }
        return rule.iterate(state).reduce((sum, e) => sum + e * e, 0);
      });
      const { total } = predictError({
        stepSize,
        momentum,
        curvatures,
        distance: 1.5,
        variances,
        sharedVariance,
        tail,
      });
      // Seeded; the standard error of the mean is about 0.5 %.
      expect(mean(squares)).to.be.closeTo(total ** 2, 0.025 * total ** 2);
    };
    check(projectedGradient({ stepSize }), 0);
    check(nesterov({ stepSize, momentum: 0.4 }), 0.4);
    check(projectedGradient({ stepSize }), 0, 0.5);
    check(nesterov({ stepSize, momentum: 0.4 }), 0.4, 0.5);
    check(tailAveraged(nesterov({ stepSize, momentum: 0.4 }), 3), 0.4, 0.5, 3);
    check(tailAveraged(projectedGradient({ stepSize }), 4), 0, 0, 2);
  });
});
