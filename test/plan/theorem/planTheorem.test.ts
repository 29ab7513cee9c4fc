import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { addScaled, blend, norm, scaled, type Vector } from '../../../src/math/vector.ts';
import { box } from '../../../src/method/constraint/box.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { planTheorem } from '../../../src/plan/theorem/planTheorem.ts';
import type { Prescription } from '../../../src/plan/theorem/prescription.ts';
import * as theorems from '../../../src/plan/theorem/theorems.ts';
import { expectClose } from '../../support/close.ts';
import { glmSetting } from '../../support/glmSetting.ts';

const loss = squared();
const curved = {
  rows: 60_000,
  features: 100,
  failureProbability: 0.1,
  smoothness: 1,
  strongConvexity: 2 / 3,
};
const smooth = {
  rows: 100_000,
  lipschitz: 0.2,
  smoothness: 1 / 30,
  failureProbability: 0.1,
  epsilon: 0.9,
  delta: 1 / 3,
};
const spectrum = {
  rows: 50_000,
  failureProbability: 0.1,
  mode: 'full',
  eigenvalues: new Float64Array(10).fill(1, 0, 3),
  truth: new Float64Array(10).fill(1 / Math.sqrt(10)),
} as const;
const ball = { rows: 10_000, radius: 0.5, lipschitz: 3, epsilon: 0.9, delta: 1 / 3 };

/** theta after the plan's first two steps from the plan's start, given what each step's gradient is. */
function afterTwo({ rule, start }: Plan, gradients: readonly [Vector, Vector]): Vector {
  const once = rule.step(rule.init(start), { values: gradients[0], privacy: 'raw' });
  return rule.iterate(rule.step(once, { values: gradients[1], privacy: 'raw' }));
}

const expectVector = (actual: Vector, expected: Vector): void => {
  expect(actual).to.have.length(expected.length);
  expect(norm(addScaled(actual, -1, expected))).to.be.at.most(1e-14 * (1 + norm(expected)));
};

describe('planTheorem', () => {
  const g = Float64Array.of(3, -4);
  const h = Float64Array.of(1, 2);

  it('plans projected gradient descent with its step, everywhere or on its ball', () => {
    const given = theorems.glmHtGd({ ...curved, features: 2 });
    const plan = planTheorem(given, { rows: 60_000, features: 2, loss });
    expect(plan.rule.name).to.equal('projected-gradient');
    expectVector(afterTwo(plan, [g, h]), scaled(addScaled(g, 1, h), -6 / 5));
    const eigenvalues = Float64Array.of(1, 0.5);
    const problem = { rows: 10_000, failureProbability: 0.1, eigenvalues, truth: Float64Array.of(1, 1) };
    const ridge = theorems.htRidgeWellConditioned(problem);
    const { rule } = planTheorem(ridge, { rows: 10_000, features: 2, loss });
    expectClose(norm(rule.iterate(rule.init(Float64Array.of(300, 400)))), ridge.radius!);
  });

  it('plans the two rules of Nesterov, constant and increasing, from (theta_0, theta_1)', () => {
    const start = Float64Array.of(1, 1);
    const before = Float64Array.of(0, 1);
    const constant = theorems.htAgd({ ...curved, features: 2 });
    const plan = planTheorem(constant, { rows: 60_000, features: 2, loss, start, before });
    const lambda = (1 - Math.sqrt(2 / 3)) / (1 + Math.sqrt(2 / 3));
    const y1 = addScaled(start, lambda, Float64Array.of(1, 0));
    const theta2 = addScaled(y1, -1, g);
    const y2 = addScaled(theta2, lambda, addScaled(theta2, -1, start));
    expect(plan.rule.name).to.equal('nesterov');
    expectVector(plan.rule.query(plan.rule.init(plan.start)), y1);
    expectVector(afterTwo(plan, [g, h]), addScaled(y2, -1, h));

    const increasing = planTheorem(theorems.privHtAgdSmooth(smooth), {
      rows: 1e5,
      features: 2,
      loss,
      start,
      before,
    });
    const first = addScaled(start, -30, g);
    const second = addScaled(addScaled(first, 1 / 4, addScaled(first, -1, start)), -30, h);
    expectVector(afterTwo(increasing, [g, h]), second);
  });

  it('plans plain Frank-Wolfe with steps 2/(t + 2), and accelerated Frank-Wolfe with its own', () => {
    const corner = (gradient: Vector, radius: number) => scaled(gradient, -radius / norm(gradient));
    const geometry = theorems.squaredGeometry({ features: 2, radius: 0.5 });
    const plain = planTheorem(theorems.noplConvDpFw({ ...ball, ...geometry }), {
      rows: 10_000,
      features: 2,
      loss,
    });
    expect(plain.rule.name).to.equal('frank-wolfe');
    expectVector(afterTwo(plain, [g, h]), blend(corner(g, 0.5), corner(h, 0.5), 2 / 3));

    const problem = { rows: 10_000, features: 2, radius: 0.5, gradientRatio: 1, epsilon: 0.9, delta: 1 / 3 };
    const fast = planTheorem(theorems.upRidge(problem), { rows: 10_000, features: 2, loss });
    expect(fast.rule.name).to.equal('accelerated-frank-wolfe');
    expectVector(afterTwo(fast, [g, h]), blend(scaled(corner(g, 0.5), 1 / 4), corner(h, 0.5), 1 / 4));
  });

  it('moves towards corners of the set that the theorem is run on, or of one of the user', () => {
    const given = (set: 'l1' | 'box') =>
      theorems.htNonAccFw({ rows: 100_000, failureProbability: 0.1, radius: 0.5, truthNorm: 0.5, set });
    const afterOne = (plan: ReturnType<typeof planTheorem>) =>
      afterTwo(plan, [Float64Array.of(3, -1), Float64Array.of(3, -1)]);
    const options = { rows: 100_000, features: 2, loss };
    expectVector(afterOne(planTheorem(given('l1'), options)), Float64Array.of(-0.5, 0));
    expectVector(afterOne(planTheorem(given('box'), options)), Float64Array.of(-0.5, 0.5));
    const own = box(Float64Array.of(-1, -1), Float64Array.of(1, 2));
    expectVector(afterOne(planTheorem(given('l1'), { ...options, constraint: own })), Float64Array.of(-1, 2));
    const fixed = theorems.upRidge({
      rows: 10_000,
      features: 2,
      radius: 0.5,
      gradientRatio: 1,
      epsilon: 0.9,
      delta: 0.1,
    });
    expect(() => planTheorem(fixed, { rows: 10_000, features: 2, loss, constraint: own })).to.throw(
      'constraint must be left out for theorem UPRidge',
    );
  });

  it('plans every estimator: means, medians of b means, and the Huber estimator at zeta/T', () => {
    const mean = planTheorem(theorems.privHtGdSmooth(smooth), { rows: 1e5, features: 10, loss });
    expect(mean.estimation.kind === 'blocks' && mean.estimation.aggregator.name).to.equal('mean');
    for (const step of mean.steps) expect(step).to.include({ blocks: 1, rowsPerBlock: 10_000 });

    const median = planTheorem(theorems.glmHtGd(curved), { rows: 60_000, features: 100, loss });
    expect(median.estimation.kind === 'blocks' && median.estimation.aggregator.name).to.equal('geometric-median');
    expect(median.steps).to.have.length(11);
    for (const step of median.steps) expect(step).to.include({ blocks: 17, rows: 5454, rowsPerBlock: 320 });

    for (const theorem of [theorems.huEpsPgd, theorems.huEpsNester]) {
      const given = theorem({ ...curved, features: 10, contamination: 0.01, concentration: 0.1 });
      const { estimation } = planTheorem(given, { rows: 60_000, features: 10, loss });
      expect(estimation).to.include({ kind: 'huber', contamination: 0.01 });
      if (estimation.kind === 'huber') expectClose(estimation.failureProbability, 0.1 / given.steps);
    }
  });

  it('plans every step over all rows for a theorem in full mode', () => {
    const given = theorems.nonAccLambdaZero(spectrum);
    const plan = planTheorem(given, { rows: 50_000, features: 10, loss });
    expect(plan.mode).to.equal('full');
    expect(plan.steps).to.have.length(37);
    for (const step of plan.steps) expect(step).to.include({ chunk: 'all', rows: 50_000 });
  });

  it('adds the penalty that the theorem prescribes to the loss, and none where it prescribes none', () => {
    const given = theorems.accFwLambdaZero(spectrum);
    const plan = planTheorem(given, { rows: 50_000, features: 10, loss });
    expect(plan.loss.penalty).to.equal(given.penalty);
    expectClose(plan.loss.penalty, Math.sqrt(0.7) / 2);
    expect(planTheorem(theorems.glmHtGd(curved), { rows: 60_000, features: 100, loss }).loss).to.equal(loss);
  });

  it('spends T - 1 gradients of Nesterov on the first T - 1 of T chunks', () => {
    const plan = planTheorem(theorems.htAgd(curved), { rows: 60_000, features: 100, loss });
    expect(plan.steps.map(({ chunk, rows }) => [chunk, rows])).to.deep.equal(
      [0, 1, 2, 3, 4, 5].map(chunk => [chunk, 8571]),
    );
    expect(plan.leftOver).to.equal(60_000 - 6 * 15 * 571);
    const gradient = planTheorem(theorems.privHtGdSmooth(smooth), { rows: 1e5, features: 10, loss });
    const nesterov = planTheorem(theorems.privHtAgdSmooth(smooth), { rows: 1e5, features: 10, loss });
    expect([gradient.steps.length, gradient.leftOver]).to.deep.equal([10, 0]);
    expect([nesterov.steps.length, nesterov.leftOver]).to.deep.equal([9, 10_000]);
  });

  it('starts where it is told, or at 0', () => {
    const start = new Float64Array(100).fill(1.1);
    const given = theorems.glmHtGd(curved);
    expect(planTheorem(given, { rows: 60_000, features: 100, loss }).start).to.deep.equal(new Float64Array(100));
    expect(planTheorem(given, { rows: 60_000, features: 100, loss, start }).start).to.deep.equal(start);
  });
});

describe('a private planTheorem', () => {
  const options = { rows: 1e5, features: 10, loss: pseudoHuber(0.2) };
  /** mu*(0.9, 1/3), of 60-digit arithmetic. */
  const MU = 1.47825557821841;

  it("uses the paper's noise verbatim unless told, also where Nesterov takes a step less", () => {
    for (const theorem of [theorems.privHtGdSmooth, theorems.privHtAgdSmooth]) {
      const given = theorem(smooth);
      const plan = planTheorem(given, options);
      expect(plan.privacy).to.deep.equal({
        calibration: 'paper',
        epsilon: 0.9,
        delta: 1 / 3,
        lipschitz: 0.2,
      });
      expect(plan.privacy).to.be.frozen;
      for (const { release } of plan.steps) {
        expect(release!.sigma).to.equal(given.privacy!.sigma);
        // alg3 with n = 10,000, T = 10, L2 = 0.2 of 60-digit arithmetic
        expectClose(release!.sigma, 0.00156362606986047);
        expectClose(release!.sensitivity, 0.4 / 10_000);
      }
    }
  });

  it('replaces it by "parallel" over its chunks', () => {
    const plan = planTheorem(theorems.privHtGdSmooth(smooth), { ...options, calibration: 'parallel' });
    expect(plan.privacy!.calibration).to.equal('parallel');
    for (const { release } of plan.steps) expectClose(release!.sigma, 0.4 / 10_000 / MU);
  });

  it('replaces it by "exact" over full batches', () => {
    const geometry = theorems.squaredGeometry({ features: 10, radius: 0.5 });
    for (const given of [
      theorems.noplConvDpFw({ ...ball, ...geometry }),
      theorems.upRidge({
        rows: 10_000,
        features: 10,
        radius: 0.5,
        gradientRatio: 1,
        epsilon: 0.9,
        delta: 1 / 3,
      }),
    ]) {
      const plan = planTheorem(given, { rows: 10_000, features: 10, loss, calibration: 'exact' });
      const { lipschitz } = given.privacy!;
      expect(plan.privacy!.calibration).to.equal('exact');
      for (const { release } of plan.steps) {
        expectClose(release!.sigma, ((2 * lipschitz) / 10_000) * (Math.sqrt(given.steps) / MU));
      }
    }
  });

  it('refuses a sharper calibration that does not fit the mode', () => {
    expect(() => planTheorem(theorems.privHtGdSmooth(smooth), { ...options, calibration: 'exact' })).to.throw(
      ArgumentError,
      'mode must be "full" for `calibration: \'exact\'`',
    );
  });
});

describe('planTheorem refuses', () => {
  const messageOf = (given: Prescription, rows: number): string => {
    try {
      planTheorem(given, { rows, features: 3, loss });
    } catch (error) {
      expect(error).to.be.instanceOf(ArgumentError);
      return (error as Error).message;
    }
    return expect.fail('it planned');
  };

  it('what the theorem does not allow, with the unmet conditions and their numbers', () => {
    expect(messageOf(theorems.glmHtGd({ ...curved, rows: 2000 }), 2000)).to.match(
      /^theorem GLMhtGD does not hold for these numbers: n~ > 4 C1\^2 p log\(1\/zeta~\)\/tau_l\^2 with \{"n~":250,"bound":3943\.8/,
    );
    expect(messageOf(theorems.privHtGdSmooth({ ...smooth, epsilon: 1.5 }), 100_000)).to.equal(
      'theorem Priv_HT_GD_Smooth does not hold for these numbers: eps <= 0.9 with {"eps":1.5}',
    );
  });

  it('every unmet condition at once, and none that only voids a claim', () => {
    const given = theorems.ermUpCInc({ ...glmSetting, rows: 5500, failureProbability: 1 / 3 });
    expect(given.steps).to.equal(Infinity);
    const message = messageOf(given, 5500);
    expect(message).to.match(/: D > 0 with \{"D":-\d.*; zeta < 1\/3 with \{"zeta":0\.333/);
    expect(message).not.to.include('r > 0');
    const notFaster = theorems.htAgd({ ...curved, rows: 200_000 });
    expect(notFaster.conditions.some(({ met }) => !met)).to.equal(true);
    expect(planTheorem(notFaster, { rows: 200_000, features: 100, loss }).steps).to.have.length(7);
  });

  it('rows other than those the theorem was evaluated for: its noise would protect less than it says', () => {
    const chunks = theorems.privHtGdSmooth(smooth);
    expect(messageOf(chunks, 50_000)).to.equal(
      'rows must give the 10000 rows per step that theorem Priv_HT_GD_Smooth was evaluated for, got 50000',
    );
    const full = theorems.upRidge({
      rows: 1000,
      features: 3,
      radius: 1,
      gradientRatio: 1,
      epsilon: 0.9,
      delta: 0.1,
    });
    expect(messageOf(full, 999)).to.equal(
      'rows must give the 1000 rows per step that theorem UPRidge was evaluated for, got 999',
    );
  });

  it('private SGD, which is no pipeline of chunks', () => {
    const problem = { rows: 100, features: 3, radius: 1, lipschitz: 1, epsilon: 0.9, delta: 0.1 };
    expect(messageOf(theorems.utilPrivSgd(problem), 100)).to.equal(
      'prescription must have a chunk pipeline, got "Util_Priv_SGD"; use privateSgd',
    );
  });

  it('starts and earlier points of another length', () => {
    const given = theorems.htAgd(curved);
    const short = { rows: 60_000, features: 100, loss, start: new Float64Array(3) };
    expect(() => planTheorem(given, short)).to.throw(ArgumentError, 'the length of start must be 100, got 3');
    const earlier = { rows: 60_000, features: 100, loss, before: new Float64Array(3) };
    expect(() => planTheorem(given, earlier)).to.throw(ArgumentError, 'the length of before must be 100, got 3');
  });

  it('no condition that the caller names as unmet, but every other', () => {
    const given = theorems.ermUpCInc({ ...glmSetting, rows: 5500, radius: 9, failureProbability: 1 / 3 });
    const options = { rows: 5500, features: 3, loss };
    const outside = planTheorem(given, { ...options, despite: ['||theta*|| > D', 'zeta < 1/3'] });
    expect(outside.steps).to.have.length(given.steps);
    expect(outside.steps[0]!.release!.sigma).to.equal(given.privacy!.sigma);
    expect(() => planTheorem(given, { ...options, despite: ['zeta < 1/3'] })).to.throw(
      ArgumentError,
      /numbers: \|\|theta\*\|\| > D with \{[^;]*$/,
    );
  });

  it("the paper's noise where it has none, whatever the caller waives", () => {
    const given = theorems.privHtGdSmooth({ ...smooth, epsilon: 1.5 });
    const options = { rows: 100_000, features: 3, loss, despite: ['eps <= 0.9'] };
    expect(() => planTheorem(given, options)).to.throw(ArgumentError, 'calibration must not be "paper"');
    expect(planTheorem(given, { ...options, calibration: 'parallel' }).privacy!.epsilon).to.equal(1.5);
  });
});
