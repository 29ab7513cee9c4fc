/** Private plans whose first release are second moments. */
import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { secure } from '../../../src/math/random/secure.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { type PrivateOptions, planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { predictError } from '../../../src/plan/private/predictError.ts';
import {
  EVEN,
  momentNorm,
  NARROW,
  privateModel,
  typicalCurvature,
  whitenedModel,
} from '../../../src/plan/private/privateModel.ts';
import { discreteGaussianMechanism } from '../../../src/privacy/discreteGaussianMechanism.ts';
import { muFor } from '../../../src/privacy/gaussianDp.ts';
import { integerRelease } from '../../../src/privacy/integerNoise.ts';
import { ledger } from '../../../src/privacy/ledger.ts';
import { expectClose } from '../../support/close.ts';
import { unitScaling } from '../../support/unitScaling.ts';

const FEATURES = 3;
const base: PrivateOptions = {
  rows: 100_000,
  loss: pseudoHuber(0.2),
  scaling: unitScaling(FEATURES),
  epsilon: 0.9,
  delta: 1e-6,
};
const planWith = (options: Partial<PrivateOptions> = {}) => planPrivate({ ...base, ...options });

/** What the ledger of a whole run will say, the moments' release first and the look's last. */
function ledgerOf({ plan, noise, moments, curvatureRelease }: ReturnType<typeof planPrivate>) {
  const mechanism = discreteGaussianMechanism(noise, secure());
  const first = discreteGaussianMechanism(moments!.noise, secure());
  const last = discreteGaussianMechanism(curvatureRelease!.noise, secure());
  return ledger([
    first.event(integerRelease(moments!.noise, { chunk: 'all', rowsPerBlock: plan.rows })),
    ...plan.steps.map(({ release }) => mechanism.event(release!)),
    last.event(integerRelease(curvatureRelease!.noise, { chunk: 'all', rowsPerBlock: plan.rows })),
  ]);
}

describe('planPrivate with second moments', () => {
  it('spends epsilon and no more in all, the first and the last release as much as a step', () => {
    for (const options of [
      {},
      { steps: 1 },
      { steps: 20 },
      { epsilon: 0.1 },
      { epsilon: 4, delta: 1e-9 },
      { unitRows: 5 },
      {
        loss: logistic(),
        scaling: unitScaling(FEATURES, { target: { least: 0, most: 1 }, scalesTarget: false }),
      },
    ] as const) {
      const found = planWith({ ...options, moments: 'yes' });
      const { epsilon, delta } = { ...base, ...options };
      const spent = ledgerOf(found);
      expect(spent.entries).to.have.length(found.plan.steps.length + 2);
      const charged = spent.entries.map(entry => (entry.kind === 'gaussian' ? entry.mu : NaN));
      for (const mu of charged) expectClose(mu, charged[0]!, 1e-9);
      expect(spent.epsilon(delta))
        .to.be.at.most(epsilon)
        .and.at.least(0.999 * epsilon);
      expect(spent.mu).to.be.at.most(muFor(epsilon, delta));
    }
  });

  it('has the noise of T + 2 touches, for gradients held to half the length of whitened rows', () => {
    const { plan, noise, moments } = planWith({ steps: 7 });
    const mu = muFor(base.epsilon, base.delta);
    const length = Math.sqrt(FEATURES + 1) / 2;
    expect(plan.privacy!.lipschitz).to.be.closeTo(0.2 * length, 1e-12);
    expect(moments!.whitenedLength).to.be.closeTo(length, 1e-12);
    expectClose(plan.steps[0]!.release!.sigma, (2 * 0.2 * length * 3) / (base.rows * mu), 1e-6);
    // (x, 1) of three features that fill a fifth of [-1, 1], and a target of 1 in units of 2: a row moves the moments
    // by 2 N at most.
    const norm = Math.hypot(1 + 3 / 75, 1 / 2);
    expectClose(moments!.norm, norm);
    expect(moments!.targetUnit).to.equal(2);
    const { sigma } = integerRelease(moments!.noise, { chunk: 'all', rowsPerBlock: base.rows });
    expectClose(sigma, (2 * norm * 3) / (base.rows * mu), 1e-6);
    expect(moments!.noise).to.include({ scale: noise.scale, squaredNorm: noise.squaredNorm, group: 1 });
  });

  it('is chosen unless rows are told better as they are, and then has fewer steps', () => {
    const chosen = planWith();
    const plain = planWith({ moments: 'no' });
    expect(chosen.moments).to.not.equal(null);
    expect(plain.moments).to.equal(null);
    expect(chosen.plan.steps.length).to.be.below(plain.plan.steps.length / 2);
    expect(chosen.predicted!.total).to.be.below(plain.predicted!.total);
    const [own, other] = [chosen, plain].map(plan => plan.predictedIfWider.at(-1)!.predicted.total);
    expect(own).to.be.below(other! / 2);
    expect(chosen.alternatives.map(({ name }) => name)).to.include(`exact, full, ${plain.plan.steps.length} steps`);
    // The noise of 231 moments hides most of 20 features of 10,000 rows: whatever is chosen predicts less than the other.
    const hidden = { rows: 10_000, epsilon: 0.15, scaling: unitScaling(20) };
    const found = planWith(hidden);
    expect(found.alternatives).to.not.equal([]);
    for (const { predicted } of found.alternatives) expect(found.predicted!.total).to.be.at.most(predicted.total);
    expect(planWith({ ...hidden, moments: 'yes', steps: 4 }).moments).to.not.equal(null);
  });

  it('is left out beside what it does not go with, and refused where it is asked for', () => {
    const cases: readonly (readonly [Partial<PrivateOptions>, string])[] = [
      [{ set: { constraint: l2Ball(1), radius: 1 } }, 'a set'],
      [{ clip: 0.1 }, 'a clip'],
      [{ rowLength: 1 }, 'a rowLength'],
      [{ stepSize: 0.1 }, 'a stepSize'],
      [{ loss: ridge(pseudoHuber(0.2), 0.1) }, 'a penalty'],
      [{ aggregate: 'median-of-means', blocks: 5 }, 'blocks'],
      [{ mode: 'fresh' }, 'fresh chunks'],
      [{ calibration: 'parallel' }, 'fresh chunks'],
      [{ calibration: 'paper' }, "`calibration: 'paper'`"],
      [{ scaling: unitScaling(51) }, 'more than 50 features'],
    ];
    for (const [options, text] of cases) {
      expect(planWith(options).moments, text).to.equal(null);
      expect(() => planWith({ ...options, moments: 'yes' }))
        .to.throw(ArgumentError, 'moments')
        .with.property('message')
        .that.includes(text);
    }
  });

  it('has the curvature of whitened rows that the model expects, and a descent for predictions from what was released', () => {
    const { descent, moments } = planWith();
    const model = privateModel(base.loss, base.scaling, { radius: Infinity });
    expect(moments!.curvature).to.equal(typicalCurvature(model));
    const [near, far] = [1, 1 / 4].map(curvature => predictError({ ...descent!, curvatures: [curvature] }).total);
    expect(far).to.be.above(near!);
  });
});

describe('whitenedModel', () => {
  const model = privateModel(base.loss, base.scaling, { radius: Infinity });

  it('has rows that vary alike, and units that undo it, where there is no noise in the moments', () => {
    const white = whitenedModel(model, FEATURES, 0);
    for (const spread of [EVEN, NARROW]) {
      const curvatures = white.curvatures(spread);
      for (const curvature of curvatures) expectClose(curvature, typicalCurvature(model));
      white.units(spread).forEach((unit, j) => {
        expectClose(unit, j < FEATURES ? Math.sqrt(3) / spread : 1);
      });
    }
    expect(white.largestCurvature).to.be.at.least(2 * typicalCurvature(model));
  });

  it('sees a part where noise is as large as the moments: l/(l + f)', () => {
    const sigma = 0.01;
    const white = whitenedModel(model, FEATURES, sigma);
    // Rows of narrow features all count as one, so f = sqrt((p + 1)/2) sigma.
    expectClose(momentNorm(model, FEATURES), Math.hypot(1 + FEATURES / 75, 1 / 2));
    const floor = Math.sqrt(2) * sigma;
    expectClose(white.curvatures(NARROW)[0]! / typicalCurvature(model), 1 / 75 / (1 / 75 + floor));
    expectClose(white.units(NARROW)[0]!, 1 / Math.sqrt(1 / 75 + floor));
    expectClose(white.curvatures(NARROW)[FEATURES]!, typicalCurvature(model));
  });
});
