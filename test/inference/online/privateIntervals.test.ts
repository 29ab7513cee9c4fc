import { expect } from 'chai';
import { anyTimeFactor, reportPrivate } from '../../../src/inference/online/privateIntervals.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import type { PooledState } from '../../../src/method/rule/pooled.ts';
import { planPrivateOnline } from '../../../src/plan/online/planPrivateOnline.ts';
import { scalingOf } from '../../../src/sample/transform/scaling.ts';
import { correlated, linearRows, simulatePrivate, t3Noise } from '../../support/privateStream.ts';
import { unitScaling } from '../../support/unitScaling.ts';

const unit = planPrivateOnline({ epsilon: 20, delta: 1e-6, scaling: unitScaling(2) });
const truth = Float64Array.of(0.4, -0.3, 0.1);

function stateAfter(releases: number, seed: number): PooledState {
  const random = seeded(seed, 'rows');
  const rows = linearRows(random, correlated(random, 2, 0.3), truth, 0.05, t3Noise);
  return simulatePrivate(unit, rows, seeded(seed, 'noise'), ({ step }) => step < releases);
}

describe('reportPrivate', () => {
  it('says what it will be before it has intervals, and nothing about rows', () => {
    const { errors, now, anyTime, isPooled, rows } = reportPrivate(unit.rule.init(unit.start), unit);
    expect([errors, now, anyTime, isPooled, rows]).to.deep.equal([
      null,
      [null, null, null],
      [null, null, null],
      false,
      0,
    ]);
  });

  it('has no intervals for coefficients that noise hides, and all others', () => {
    const plan = planPrivateOnline({ epsilon: 3, delta: 1e-6, scaling: unitScaling(5) });
    const slopes = Float64Array.of(0.4, -0.3, 0.2, -0.1, 0.3, 0.1);
    const reportOf = (spread: number) => {
      const random = seeded(1, 'narrow');
      const rows = linearRows(random, correlated(random, 5, 0.9, { spread }), slopes, 0.05, t3Noise);
      const state = simulatePrivate(plan, rows, seeded(1, 'noise'), ({ freedom }) => freedom < 40);
      return reportPrivate(state, plan);
    };
    // Differences of these features vary in a hundredth of a hundredth of what their bounds allow.
    const { hidden, now, anyTime, errors } = reportOf(1 / 100);
    expect(hidden.length).to.be.within(1, 5);
    slopes.forEach((_, j) => {
      const isHidden = hidden.includes(j);
      expect([now[j] === null, anyTime[j] === null, Number.isNaN(errors![j]!)]).to.deep.equal([
        isHidden,
        isHidden,
        isHidden,
      ]);
    });
    expect(reportOf(1 / 3).hidden).to.deep.equal([]);
  });

  it('has coefficients and errors in the units of the data', () => {
    const state = stateAfter(50, 1);
    const scaling = scalingOf({
      features: 2,
      bounds: {
        intervals: [
          { least: 0, most: 80 },
          { least: -5, most: 5 },
        ],
      },
      target: { least: 0, most: 200 },
      intercept: true,
      scalesTarget: true,
    });
    const scaled = reportPrivate(state, unit);
    const found = reportPrivate(state, { ...unit, scaling });
    expect(found.theta[0]).to.be.closeTo((scaled.theta[0]! * 100) / 40, 1e-12);
    expect(found.errors![0]).to.be.closeTo((scaled.errors![0]! * 100) / 40, 1e-12);
    expect(found.errors![1]).to.be.closeTo((scaled.errors![1]! * 100) / 5, 1e-12);
  });

  it('covers as often as it says: of 200 streams, 5 % of coefficients are outside', () => {
    let outside = 0;
    for (let seed = 0; seed < 200; seed++) {
      const { now } = reportPrivate(stateAfter(40, 100 + seed), unit);
      now.forEach((interval, j) => {
        if (truth[j]! < interval![0] || truth[j]! > interval![1]) outside++;
      });
    }
    // 30 expected of 600, and more than 65 less often than one time in a million, were they to come in threes.
    expect(outside).to.be.within(5, 75);
  });

  it('has any-time intervals of 3.1 standard errors after 100 chunks and 3.6 after 10,000', () => {
    expect(anyTimeFactor(100, 99, 0.05)).to.be.closeTo(3.1, 0.15);
    expect(anyTimeFactor(10_000, 9_999, 0.05)).to.be.closeTo(3.6, 0.15);
    expect(anyTimeFactor(1, 0, 0.05)).to.equal(null);
  });
});
