import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import type { Prescription } from '../../../src/plan/theorem/prescription.ts';
import * as theorems from '../../../src/plan/theorem/theorems.ts';
import { type Kind, refusesBad } from '../../support/badArguments.ts';
import { glmSetting } from '../../support/glmSetting.ts';

const budget = { epsilon: 0.5, delta: 1e-6 };
const budgetKinds = { epsilon: 'positive', delta: 'probability' } as const;
const heavyTailed = { rows: 10_000, failureProbability: 0.1 };
const heavyTailedKinds = { rows: 'count', failureProbability: 'probability' } as const;
const curved = { ...heavyTailed, features: 5, smoothness: 3, strongConvexity: 2, concentration: 0.1 };
const curvedKinds = {
  ...heavyTailedKinds,
  features: 'count',
  smoothness: 'positive',
  strongConvexity: 'positive',
  concentration: 'positive',
} as const;
const glm = { ...glmSetting, rows: 1_000_000, concentration: 1, claimConstant: 2, failureProbability: 0.1, radius: 1 };
const glmKinds = {
  rows: 'count',
  claimConstant: 'positive',
  targetBound: 'positive',
  featureNorm: 'positive',
  truthNorm: 'positive',
  smallestEigenvalue: 'positive',
  concentration: 'positive',
  ...budgetKinds,
} as const;
const { radius: _, concentration: __, ...glmWithoutRadius } = glm;
const { concentration: ___, ...glmKindsWithoutC1 } = glmKinds;
const spectrum = { eigenvalues: Float64Array.of(2, 1, 0), truth: Float64Array.of(1, 1, 1) };
const regular = { eigenvalues: Float64Array.of(2, 1, 1), truth: Float64Array.of(1, 1, 1) };
const smooth = { rows: 10_000, lipschitz: 1, smoothness: 1, failureProbability: 0.1, ...budget };
const smoothKinds = {
  rows: 'count',
  lipschitz: 'positive',
  smoothness: 'positive',
  failureProbability: 'probability',
  ...budgetKinds,
} as const;

/** For every theorem, options that it takes and what each number of them may be. */
const table: Record<keyof typeof theorems, readonly [good: object, kinds: Record<string, Kind>]> = {
  accFwLambdaZero: [
    { ...heavyTailed, ...spectrum, radius: 1, penalty: 0.3 },
    { ...heavyTailedKinds, radius: 'positive', penalty: 'positive' },
  ],
  accFwRob: [
    { ...heavyTailed, truthNorm: 2, smallestEigenvalue: 1, largestEigenvalue: 2, gap: 1 },
    {
      ...heavyTailedKinds,
      truthNorm: 'positive',
      smallestEigenvalue: 'positive',
      largestEigenvalue: 'positive',
      gap: 'positive',
    },
  ],
  ermGlmUp: [glm, { ...glmKinds, radius: 'positive' }],
  ermGlmUpGeneral: [glm, { ...glmKinds, radius: 'positive', failureProbability: 'probability' }],
  ermUpCInc: [glm, { ...glmKinds, radius: 'finite', failureProbability: 'probability' }],
  glmGeometry: [
    { features: 3, radius: 1, varianceBound: 1, featureNorm: 1 },
    { features: 'count', radius: 'positive', varianceBound: 'positive', featureNorm: 'positive' },
  ],
  glmHtGd: [curved, curvedKinds],
  htAgd: [curved, curvedKinds],
  htNonAccFw: [
    { ...heavyTailed, radius: 1, truthNorm: 1 },
    { ...heavyTailedKinds, radius: 'positive', truthNorm: 'positive' },
  ],
  htRidgeSingular: [
    { ...heavyTailed, ...spectrum, radius: 3, concentration: 1 },
    { ...heavyTailedKinds, radius: 'positive', concentration: 'positive' },
  ],
  htRidgeWellConditioned: [
    { ...heavyTailed, ...regular, radius: 3, concentration: 1 },
    { ...heavyTailedKinds, radius: 'positive', concentration: 'positive' },
  ],
  huEpsNester: [{ ...curved, contamination: 0.01 }, curvedKinds],
  huEpsPgd: [{ ...curved, contamination: 0.01 }, curvedKinds],
  iterRateIncC: [
    { ...glm, features: 3, largestEigenvalue: 1 },
    {
      ...glmKinds,
      radius: 'finite',
      failureProbability: 'probability',
      features: 'count',
      largestEigenvalue: 'positive',
    },
  ],
  iterRateIncCNon: [
    { ...glmWithoutRadius, features: 3, largestEigenvalue: 1, stepFactor: 2, estimatorConstant: 2 },
    {
      ...glmKindsWithoutC1,
      failureProbability: 'probability',
      features: 'count',
      largestEigenvalue: 'positive',
      stepFactor: 'positive',
      estimatorConstant: 'positive',
    },
  ],
  ridgeGd: [
    { ...heavyTailed, ...regular, penalty: 0.1, radius: 3, concentration: 1, noise: 1 },
    { ...heavyTailedKinds, penalty: 'positive', radius: 'positive', concentration: 'positive', noise: 'positive' },
  ],
  nonAccLambdaZero: [
    { ...heavyTailed, ...spectrum, radius: 2 },
    { ...heavyTailedKinds, radius: 'positive' },
  ],
  noplConvDpFw: [
    { rows: 1000, radius: 1, lipschitz: 1, gaussianWidth: 1, curvature: 1, ...budget },
    {
      rows: 'count',
      radius: 'positive',
      lipschitz: 'positive',
      gaussianWidth: 'positive',
      curvature: 'positive',
      ...budgetKinds,
    },
  ],
  privHtAgdSmooth: [smooth, smoothKinds],
  privHtGdSmooth: [smooth, smoothKinds],
  remarkGeometry: [
    { features: 3, radius: 1 },
    { features: 'count', radius: 'positive' },
  ],
  squaredGeometry: [
    { features: 3, radius: 1 },
    { features: 'count', radius: 'positive' },
  ],
  upRidge: [
    { rows: 1000, features: 3, radius: 1, gradientRatio: 1, smoothness: 2, ...budget },
    {
      rows: 'count',
      features: 'count',
      radius: 'positive',
      gradientRatio: 'positive',
      smoothness: 'positive',
      ...budgetKinds,
    },
  ],
  utilPrivSgd: [
    { rows: 100, features: 3, radius: 1, lipschitz: 1, ...budget },
    { rows: 'count', features: 'count', radius: 'positive', lipschitz: 'positive', ...budgetKinds },
  ],
};

const byName = Object.fromEntries(Object.entries(theorems)) as Record<string, (options: object) => object>;

describe('every theorem', () => {
  for (const [name, [good, kinds]] of Object.entries(table)) {
    const theorem = byName[name]!;

    it(`${name} names the argument and the value that it cannot use`, () => {
      refusesBad(theorem, good, kinds);
    });

    if (name.endsWith('Geometry')) continue;

    it(`${name} prescribes a frozen record, down to its conditions`, () => {
      const given = theorem(good) as Prescription;
      for (const part of [given, given.estimator, given.claim, given.conditions, ...given.conditions]) {
        expect(part).to.be.frozen;
      }
      for (const { numbers } of given.conditions) expect(numbers).to.be.frozen;
      if (given.privacy !== null) expect(given.privacy).to.be.frozen;
    });
  }

  it('with a curvature refuses a tau_l above tau_u', () => {
    for (const name of ['glmHtGd', 'htAgd', 'huEpsPgd', 'huEpsNester'] as const) {
      expect(() => byName[name]!({ ...table[name][0], strongConvexity: 4 })).to.throw(
        ArgumentError,
        'strongConvexity must be at most the smoothness 3, got 4',
      );
    }
  });
});
