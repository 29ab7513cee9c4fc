import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/errors.ts';
import { secure } from '../../../src/math/random/secure.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../../src/method/loss/ridge.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { type PrivateOptions, planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { discreteGaussianMechanism } from '../../../src/privacy/discreteGaussianMechanism.ts';
import { muFor } from '../../../src/privacy/gaussianDp.ts';
import { ledger } from '../../../src/privacy/ledger.ts';
import { composedNoise, frankWolfeNoise } from '../../../src/privacy/paperNoise.ts';
import type { Gradient } from '../../../src/sample/gradientSums.ts';
import { refusesBad } from '../../support/badArguments.ts';
import { expectClose } from '../../support/close.ts';
import { unitScaling } from '../../support/unitScaling.ts';

const scaling = unitScaling(3);
const base: PrivateOptions = {
  rows: 100_000,
  loss: pseudoHuber(0.2),
  scaling,
  epsilon: 0.9,
  delta: 1e-6,
  // Plans that begin with second moments are in planMoments.test.ts.
  moments: 'no',
};
/** Of rows whose three features fill a fifth of [-1, 1], and an intercept. */
const LENGTH = Math.sqrt(1 + 3 * (1 / 3) * (1 / 5) ** 2);
const planWith = (options: Partial<PrivateOptions> = {}) => planPrivate({ ...base, ...options });

/** mu*(eps - eta, delta0), by the slack of PRIVACY.md written out again: m = p k K coordinates touched, s = 2^20. */
function muAfterSlack({ epsilon, delta }: PrivateOptions, m: number): number {
  const s = 2 ** 20;
  const beta = 1e-9 * delta * Math.exp(-epsilon);
  const reach = s * (Math.sqrt(m) + Math.sqrt(2 * Math.log(1 / beta))) + Math.sqrt(m) / 2;
  const rounding = m / (24 * s ** 2);
  const eta = rounding + reach ** 2 / (24 * s ** 4);
  return muFor(epsilon - eta, delta * Math.exp(-rounding) - Math.exp(epsilon - eta) * beta);
}

/** What the ledger of a whole run will say. */
const ledgerOf = ({ plan, noise }: ReturnType<typeof planPrivate>) => {
  const mechanism = discreteGaussianMechanism(noise, secure());
  return ledger(plan.steps.map(({ release }) => mechanism.event(release!)));
};

describe('planPrivate', () => {
  it('spends mu*(eps - eta, delta0) in all, whatever the shape, rounded down by less than the grid takes', () => {
    for (const options of [
      { mode: 'full', steps: 1 },
      { mode: 'full', steps: 20 },
      { mode: 'fresh', steps: 20 },
      { mode: 'fresh', steps: 5, schedule: 'uniform' },
      { mode: 'full', steps: 4, aggregate: 'median-of-means' },
      { epsilon: 0.1 },
      { epsilon: 4, delta: 1e-9 },
    ] as const) {
      const asked = { ...base, ...options };
      const found = planPrivate(asked);
      const touches = found.plan.mode === 'full' ? found.plan.steps.length : 1;
      const mu = muAfterSlack(asked, 4 * touches);
      expectClose(found.noise.mu, mu);
      const spent = ledgerOf(found);
      expect(spent.isPrivate).to.equal(true);
      // A row's integer gradient is at most sqrt(B2) long, and B2 was rounded down.
      expect(spent.mu)
        .to.be.at.most(mu * (1 + 1e-14))
        .and.at.least(mu * (1 - 1 / found.noise.squaredNorm));
      expect(spent.epsilon(asked.delta))
        .to.be.at.most(asked.epsilon)
        .and.at.least(0.999 * asked.epsilon);
    }
  });

  it('needs sqrt(T) more noise for T full steps, and the same for any number of disjoint chunks', () => {
    const sigma = (options: Partial<PrivateOptions>) => planWith(options).plan.steps[0]!.release!.sigma;
    const one = sigma({ mode: 'full', steps: 1 });
    expectClose(sigma({ mode: 'full', steps: 9 }), 3 * one, 1e-6);
    // 2 L2 / (n mu*): L2 = q times the length beyond which rows count less.
    expectClose(one, (2 * 0.2 * LENGTH) / (base.rows * 0.214645407357609), 1e-6);
    // Or the norm of a row of three features and an intercept, where none counts less.
    const plain = sigma({ mode: 'full', steps: 1, rowLength: Infinity });
    expectClose(plain, (2 * 0.2 * 2) / (base.rows * 0.214645407357609), 1e-6);
    expectClose(sigma({ mode: 'fresh', steps: 10, schedule: 'uniform' }), 10 * one, 1e-6);
    expectClose(sigma({ mode: 'fresh', steps: 50, schedule: 'uniform' }), 50 * one, 1e-6);
  });

  it('charges K rows of a unit as K times the noise, in either mode', () => {
    for (const mode of ['full', 'fresh'] as const) {
      const options = { mode, steps: 4, ...(mode === 'fresh' && { schedule: 'uniform' as const }) };
      const single = planWith(options);
      const grouped = planWith({ ...options, unitRows: 5 });
      const sigma = ({ plan }: typeof single) => plan.steps[0]!.release!.sigma;
      expectClose(sigma(grouped), 5 * sigma(single), 1e-6);
      expect(grouped.unitRows).to.equal(5);
      const mu = muAfterSlack(base, 4 * (mode === 'full' ? 4 : 1) * 5);
      expectClose(ledgerOf(grouped).mu, mu, 1e-6);
    }
  });

  it('weighs full batches against disjoint chunks, and takes the smaller predicted error', () => {
    for (const [rows, epsilon, features] of [
      [2000, 0.9, 1],
      [20_000, 0.2, 10],
      [3_000_000, 3, 3],
    ] as const) {
      const given = { rows, epsilon, delta: 1e-8, scaling: unitScaling(features) };
      const [auto, exact, parallel] = (['auto', 'exact', 'parallel'] as const).map(calibration =>
        planWith({ ...given, calibration }),
      );
      const [least, most] = [exact!, parallel!].sort((a, b) => a.predicted!.total - b.predicted!.total);
      expect(auto!.plan.privacy!.calibration).to.equal(least!.plan.privacy!.calibration);
      expect(auto!.predicted).to.deep.equal(least!.predicted);
      const { plan, predicted } = most!;
      const [other, ...more] = auto!.alternatives;
      expect(more).to.deep.equal([]);
      expect(other!.name).to.equal(`${plan.privacy!.calibration}, ${plan.mode}, ${plan.steps.length} steps`);
      expect(predicted).to.deep.include(other!.predicted);
      // The part of the noise that is there for privacy is a part of it, the smaller the larger epsilon.
      expect(auto!.predicted!.privacy).to.be.within(0, auto!.predicted!.noise);
      const free = planWith({ ...given, epsilon: 10 * epsilon, steps: plan.steps.length }).predicted!;
      const dear = planWith({ ...given, steps: plan.steps.length }).predicted!;
      expect(free.privacy / free.noise).to.be.below(dear.privacy / dear.noise);
    }
  });

  it('takes full batches where few steps are asked for, which have less noise in them', () => {
    for (const steps of [1, 2, 4, 8]) expect(planWith({ steps, rows: 8000 }).plan.mode, `${steps}`).to.equal('full');
  });

  it('says what blocks cost: about sqrt(b) times the noise of a plain mean', () => {
    const found = planWith({ mode: 'full', steps: 5, aggregate: 'median-of-means', blocks: 16 });
    expect(found.plan.steps[0]).to.include({ blocks: 16, rowsPerBlock: 6250 });
    expect(found.plan.estimation.kind === 'blocks' && found.plan.estimation.aggregator.name).to.equal(
      'geometric-median',
    );
    const plain = planWith({ mode: 'full', steps: 5 });
    expectClose(found.plan.steps[0]!.release!.sigma, 16 * plain.plan.steps[0]!.release!.sigma, 1e-6);
    const named = found.alternatives.find(({ name }) => name.includes('a mean instead'))!;
    expect(named.predicted.total).to.equal(plain.predicted!.total);
    expect(named.predicted.noise).to.be.below(found.predicted!.noise);
  });

  it('takes the noise of the paper where it is asked for, and charges what that spends, which is less', () => {
    const { plan, noise } = planWith({ calibration: 'paper', mode: 'fresh', steps: 10 });
    expect(plan.privacy!.calibration).to.equal('paper');
    const sigma = composedNoise({ ...base, lipschitz: 0.4, rows: 10_000, steps: 10 });
    expect(plan.steps.map(step => step.rows)).to.deep.equal(Array(10).fill(10_000));
    expectClose(plan.steps[0]!.release!.sigma, sigma, 1e-6);
    expect(ledgerOf({ plan, noise } as ReturnType<typeof planPrivate>).epsilon(base.delta)).to.be.below(0.1);
    const frankWolfe = planWith({
      calibration: 'paper',
      mode: 'full',
      method: 'frank-wolfe',
      set: { constraint: l2Ball(1), radius: 1 },
      steps: 7,
    });
    const other = frankWolfeNoise({ ...base, lipschitz: 0.4, steps: 7 });
    expectClose(frankWolfe.plan.steps[0]!.release!.sigma, other, 1e-6);
  });

  it('takes L2 from loss, bounds and radius, or from a clip', () => {
    const lipschitz = (options: Partial<PrivateOptions>) => planWith(options).plan.privacy!.lipschitz;
    const all = { rowLength: Infinity };
    expectClose(lipschitz({}), 0.2 * LENGTH);
    expectClose(lipschitz(all), 0.2 * 2);
    expectClose(lipschitz({ ...all, scaling: unitScaling(3, { intercept: false }) }), 0.2 * Math.sqrt(3));
    expectClose(lipschitz({ ...all, scaling: unitScaling(3, { bounds: { norm: 7 } }) }), 0.2 * Math.SQRT2);
    expectClose(lipschitz({ clip: 0.05 }), 0.05);
    expect(planWith({ clip: 0.05 }).clip).to.equal(0.05);
    // |x.theta - y| <= 2 * 0.5 + 1, and ||x|| = 2.
    const set = { constraint: l2Ball(0.5), radius: 0.5 };
    expectClose(lipschitz({ ...all, loss: squared(), set }), 4);
    expectClose(lipschitz({ loss: squared(), set }), 2 * LENGTH);
  });

  it('lets rows count less that are longer than asked for, but none for the paper, nor beside a penalty', () => {
    expectClose(planWith().scaling.rowLength!, LENGTH);
    expectClose(planWith({ rowLength: 1.3 }).scaling.rowLength!, 1.3);
    // Nobody is longer than the norm of the bounds.
    expect(planWith({ rowLength: 2 }).scaling).to.equal(scaling);
    expect(planWith({ calibration: 'paper' }).scaling).to.equal(scaling);
    expect(planWith({ loss: ridge(pseudoHuber(0.2), 0.1) }).scaling).to.equal(scaling);
    for (const rowLength of [0, -1, NaN]) expect(() => planWith({ rowLength })).to.throw(ArgumentError, 'rowLength');
  });

  it('takes steps that no data make too long: rows that all lie at one corner of their bounds settle', () => {
    const features = 12;
    const found = planWith({ scaling: unitScaling(features) });
    const { rule } = found.plan;
    // The loss bends by 1 at most, so at worst a gradient is w x (x.theta - y), here with x = (1, ..., 1) and y = 1.
    const weight = found.scaling.rowLength! / Math.sqrt(features + 1);
    const missBy = (theta: Float64Array): number => theta.reduce((sum, value) => sum + value, -1);
    let state = rule.init(new Float64Array(features + 1));
    for (let step = 0; step < 300; step++) {
      const values = new Float64Array(features + 1).fill(weight * missBy(rule.query(state)));
      state = rule.step(state, { values, privacy: 'released' } as Gradient);
    }
    expect(Math.abs(missBy(rule.iterate(state)))).to.be.below(1e-6);
  });

  it('counts the levels of a text as one feature in L2, since a row has one of them', () => {
    const level = { least: 0, most: 1, levelOf: 'town' };
    const intervals = [{ least: -1, most: 1 }, ...Array(30).fill(level), { ...level, levelOf: 'colour' }];
    const { plan } = planWith({ scaling: unitScaling(32, { bounds: { intervals } }), rowLength: Infinity });
    expectClose(plan.privacy!.lipschitz, 0.2 * Math.sqrt(1 + 1 + 1 + 1));
    expect(plan.features).to.equal(32);
  });

  it('averages the last iterates, which promises less error than the last one alone for the same noise', () => {
    for (const given of [
      { rows: 10_000, epsilon: 1 },
      { rows: 100_000, epsilon: 0.1 },
    ]) {
      const chosen = planWith(given);
      expect(chosen.tail).to.be.within(0.2 * chosen.plan.steps.length, 0.8 * chosen.plan.steps.length);
      const steps = chosen.plan.steps.length;
      const last = planWith({ ...given, steps, tail: 1 });
      expect(last.tail).to.equal(1);
      expect(ledgerOf(last).mu).to.equal(ledgerOf(chosen).mu);
      expect(chosen.predicted!.total).to.be.below(0.95 * last.predicted!.total);
    }
  });

  it('averages nothing for the paper, for rules that the model does not describe and for steps that were asked for, nor more than there is', () => {
    expect(planWith({ calibration: 'paper', steps: 20 }).tail).to.equal(1);
    const set = { constraint: l2Ball(1), radius: 1 };
    expect(planWith({ method: 'frank-wolfe', set }).tail).to.equal(1);
    expect(planWith({ steps: 50 }).tail).to.equal(1);
    expect(planWith({ steps: 5, tail: 5 }).tail).to.equal(5);
    expect(planWith({ tail: 250 }).plan.steps.length).to.be.at.least(250);
    for (const bad of [{ tail: 0 }, { tail: 6, steps: 5 }, { tail: 301 }])
      expect(() => planWith(bad)).to.throw(ArgumentError, 'tail');
  });

  it('takes the plan with the smallest predicted error, of all numbers of steps, momenta and tails', () => {
    const given = { rows: 100_000, epsilon: 1, mode: 'full' } as const;
    const chosen = planWith(given);
    for (const steps of [2, 5, 20, 41, 99, 300])
      for (const share of [0.25, 0.5, 0.75]) {
        const other = planWith({ ...given, steps, tail: Math.max(1, Math.round(share * steps)) });
        expect(chosen.predicted!.total).to.be.at.most(other.predicted!.total * (1 + 1e-12));
      }
    for (const { predicted } of chosen.alternatives) expect(chosen.predicted!.total).to.be.at.most(predicted.total);
  });

  it('never predicts worse for more rows or a larger epsilon', function () {
    this.timeout(120_000);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: 500, max: 200_000, noNaN: true }),
        fc.double({ min: 0.2, max: 4, noNaN: true }),
        fc.constantFrom('pseudo-huber', 'squared', 'logistic', 'poisson'),
        fc.double({ min: 1, max: 2, noNaN: true }),
        (features, size, epsilon, kind, factor) => {
          const rows = Math.floor(size);
          const isGlm = kind === 'logistic' || kind === 'poisson';
          const most = kind === 'logistic' ? 1 : 10;
          const predictedBy = (change: { rows?: number; epsilon?: number }): number => {
            const target = isGlm ? { least: 0, most } : { least: -most, most };
            const own = unitScaling(features, { target, scalesTarget: !isGlm });
            const loss = {
              'pseudo-huber': pseudoHuber(0.2),
              squared: squared(),
              logistic: logistic(),
              poisson: poisson(),
            }[kind]!;
            try {
              const asked = { rows: change.rows ?? rows, epsilon: change.epsilon ?? epsilon, delta: 1e-9 };
              return planPrivate({ ...asked, scaling: own, loss }).predicted!.total;
            } catch (error) {
              expect(error).to.be.instanceOf(ArgumentError);
              return Infinity;
            }
          };
          const own = predictedBy({}) * (1 + 1e-12);
          expect(predictedBy({ rows: rows + 1 })).to.be.at.most(own);
          expect(predictedBy({ rows: Math.ceil(factor * rows) })).to.be.at.most(own);
          expect(predictedBy({ epsilon: factor * epsilon })).to.be.at.most(own);
        },
      ),
      { numRuns: 10, seed: 24 },
    );
  });

  it('refuses a plan whose answer would be 0', () => {
    expect(() => planWith({ scaling: unitScaling(20), rows: 500, epsilon: 1, moments: 'auto' })).to.throw(
      ArgumentError,
      /too few for epsilon 1: .* coefficients of length 0.5/,
    );
  });

  it('weighs logistic regression by its scores, which halves the bound on a gradient, unless rows are to count alike', () => {
    const lossOf = (options: Partial<PrivateOptions>): string =>
      planWith({ loss: logistic(), moments: 'no', steps: 1, mode: 'full', ...options }).plan.loss.name;
    expect(planWith({ loss: logistic() }).plan.loss.name).to.equal('weightedLogistic');
    const { plan } = planWith({ loss: logistic(), rowLength: 1.2, moments: 'no', steps: 1, mode: 'full' });
    expect(plan.privacy!.lipschitz).to.be.closeTo(1.2 / 2, 1e-12);
    for (const options of [{ calibration: 'paper' }, { rowLength: Infinity }, { clip: 0.3 }] as const)
      expect(lossOf(options)).to.equal('logistic');
    expect(lossOf({ loss: ridge(logistic(), 0.1) })).to.match(/^ridge\(logistic/);
  });

  it('bounds the squared loss and that of counts by what targets can be, where neither a set nor a clip does', () => {
    const lossOf = (options: Partial<PrivateOptions>): string =>
      planWith({ steps: 1, mode: 'full', ...options }).plan.loss.name;
    const set = { constraint: l2Ball(1), radius: 1 };
    expect(lossOf({ loss: squared() })).to.equal('huber(2)');
    expect(lossOf({ loss: squared(), set })).to.equal('squared');
    expect(lossOf({ loss: squared(), clip: 1 })).to.equal('squared');
    expect(lossOf({ loss: ridge(squared(), 0.1) })).to.equal('ridge(huber(2), 0.1)');
    const counts = unitScaling(3, { target: { least: 0, most: 40 }, scalesTarget: false });
    expect(lossOf({ loss: squared(), scaling: counts })).to.equal('huber(40)');
    const through0 = unitScaling(3, { target: { least: 0, most: 10 }, intercept: false });
    expect(lossOf({ loss: squared(), scaling: through0 })).to.equal('huber(1)');
    expect(lossOf({ loss: poisson(), scaling: counts })).to.equal(`poisson(${Math.log(40)})`);
    expect(lossOf({ loss: poisson(), scaling: counts, set })).to.equal('poisson(30)');
    expect(lossOf({ loss: poisson({ largestScore: 5 }), scaling: counts })).to.equal('poisson(5)');
    // Rates of up to e are little more than those of up to 1.
    const few = unitScaling(3, { target: { least: 0, most: 1 }, scalesTarget: false });
    expect(lossOf({ loss: poisson(), scaling: few })).to.equal('poisson(1)');
    const lipschitz = (options: Partial<PrivateOptions>): number =>
      planWith({ steps: 1, mode: 'full', ...options }).plan.privacy!.lipschitz;
    expectClose(lipschitz({ loss: squared() }), 2 * LENGTH);
    expectClose(lipschitz({ loss: poisson(), scaling: counts }), 40 * LENGTH);
    for (const options of [{ loss: squared() }, { loss: poisson(), scaling: counts }])
      expect(planWith({ ...options, moments: 'auto' }).moments).not.to.equal(null);
  });

  it('expects log-odds three times as long as scaled slopes, and measures its error against them', () => {
    const plan = planWith({ loss: logistic(), steps: 1, mode: 'full', rows: 1e9, delta: 1e-12 });
    expect(plan.predicted!.distance).to.be.within(2.5, 3);
    expect(planWith({ steps: 1, mode: 'full', rows: 1e9, delta: 1e-12 }).predicted!.distance).to.be.below(1);
    expect(() => planWith({ loss: logistic(), rows: 700, epsilon: 0.1, delta: 1e-6 })).to.throw(
      'coefficients of length 3',
    );
  });

  it('predicts more for the same plan where bounds are wider, and as much where features are levels of a class', () => {
    const { predictedIfWider } = planWith();
    const [own, twice, five, ten] = predictedIfWider.map(({ predicted }) => predicted.total);
    expect(five).to.be.above(twice!);
    expect(ten).to.be.above(five!).and.above(own!);
    const intervals = Array(3).fill({ least: 0, most: 1, levelOf: 'town' });
    const levels = planWith({
      loss: logistic(),
      scaling: unitScaling(3, { bounds: { intervals }, target: { least: 0, most: 1 }, scalesTarget: false }),
    });
    for (const { predicted } of levels.predictedIfWider)
      expect(predicted.total).to.be.closeTo(levels.predicted!.total, 1e-12);
  });

  it('has noise that a mechanism takes, without second moments where these would lose too much to whole numbers', () => {
    const many = { scaling: unitScaling(50), rows: 1e7, epsilon: 3, delta: 1e-9, unitRows: 400, steps: 40 };
    const { moments, noise } = planWith({ ...many, moments: 'auto' });
    expect(moments).to.equal(null);
    expect(() => discreteGaussianMechanism(noise, secure())).not.to.throw();
    expect(() => planWith({ ...many, moments: 'yes' })).to.throw(
      ArgumentError,
      /42 releases of 1327 numbers, for 400 rows per unit, lose 0\.00000\d+ of epsilon.*use fewer features, fewer steps or fewer rows per unit/,
    );
    expect(() => planWith({ ...many, epsilon: 8, rows: 1e8, steps: 1, unitRows: 300_000 })).to.throw(
      ArgumentError,
      '1 release of 51 numbers, for 300000 rows per unit, loses',
    );
  });

  it('has as many steps as were asked for, more than fit on a stack', () => {
    for (const mode of ['full', 'fresh'] as const) {
      const { plan } = planWith({
        rows: 600_000,
        steps: 200_000,
        mode,
        epsilon: 100,
        acceptLargeDelta: true,
      });
      expect(plan.steps).to.have.length(200_000);
    }
  });

  it('has chunks that grow where these are asked for, also where equal ones promise less error', () => {
    const chunksOf = (options: Partial<PrivateOptions>) =>
      planWith({ mode: 'fresh', ...options }).plan.steps.map(({ rows }) => rows);
    for (const steps of [undefined, 3, 10]) {
      const chunks = chunksOf({ schedule: 'geometric', ...(steps !== undefined && { steps }) });
      expect(chunks.at(-1)! / chunks[0]!, String(steps)).to.be.above(1.3);
    }
    expect(() => chunksOf({ schedule: 'geometric', calibration: 'paper', steps: 4 })).to.throw(
      'schedule must be "uniform" for `calibration: \'paper\'`, whose noise is for equal chunks',
    );
  });

  describe('refuses, before a row is read,', () => {
    const refuses = (options: Partial<PrivateOptions>, ...texts: readonly (string | RegExp)[]): void => {
      for (const text of texts) expect(() => planWith(options)).to.throw(ArgumentError, text);
    };

    it('an epsilon or a delta that no noise can give', () => {
      refusesBad(planPrivate, base, {
        epsilon: 'positive',
        delta: 'probability',
        rows: 'count',
        steps: 'count',
        unitRows: 'count',
        clip: 'positive',
        stepSize: 'positive',
        failureProbability: 'probability',
      });
      refuses({ epsilon: 1e-12 }, /used up by rounding/);
    });

    it('options that have no effect with the others', () => {
      for (const blocks of [0, NaN, 2.5]) refuses({ blocks }, 'blocks must be a whole number of at least 1');
      refuses({ blocks: 3 }, "blocks has no effect with `aggregate: 'mean'`");
      refuses({ momentum: 0.5, method: 'gradient' }, "momentum has no effect with `method: 'gradient'`");
      const set = { constraint: l2Ball(5), radius: 5 };
      refuses({ momentum: 0.5, set }, 'momentum has no effect with a set');
      refuses({ schedule: 'uniform', mode: 'full' }, 'schedule has no effect with steps over all rows');
      refuses({ schedule: 'uniform', calibration: 'exact' }, 'schedule has no effect with');
      expect(planWith({ momentum: 0.5, method: 'nesterov', steps: 3 }).plan.steps).to.have.length(3);
    });

    it('a radius that is none, or smaller than its set', () => {
      const constraint = l2Ball(5);
      refuses({ set: { constraint } as never }, 'set.radius must be a finite number above 0');
      refuses(
        { set: { constraint, radius: 0.001 } },
        'set.radius must be the largest norm in the set, which is at least 5, half of its diameter, got 0.001',
      );
    });

    it('a loss whose gradients have no bound', () => {
      const beyond = unitScaling(3, { target: { least: 0, most: 1e10 }, scalesTarget: false });
      refuses({ loss: poisson(), scaling: beyond }, 'give a set with its radius, or a `clip`');
      refuses({ loss: squared(), scaling: beyond }, 'give a set with its radius, or a `clip`');
      refuses({ loss: ridge(ridge(squared(), 1), 1) }, 'give a set with its radius, or a `clip`');
      refuses({ loss: poisson(), clip: 1 }, 'has no useful bound on these rows', 'give stepSize');
      expect(planWith({ loss: squared(), clip: 1 }).plan.privacy!.lipschitz).to.equal(1);
      expect(planWith({ loss: logistic() }).plan.privacy!.lipschitz).to.be.below(Infinity);
    });

    it('a penalty that leaves almost nothing of the coefficients, which noise has no part in', () => {
      refuses({ loss: ridge(pseudoHuber(0.2), 20) }, 'a ridge of 20 would shrink', 'use a smaller one');
      const strong = planWith({ loss: ridge(pseudoHuber(0.2), 1) });
      expect(strong.predicted!.drawn).to.be.within(0.4, 0.45);
      expect(planWith({ loss: ridge(pseudoHuber(0.2), 20), steps: 20 }).predicted!.drawn).to.be.above(0.45);
    });

    it('an epsilon above 0.9 with the calibration of the paper', () => {
      refuses(
        { epsilon: 0.91, calibration: 'paper' },
        "epsilon must be in (0, 0.9] for `calibration: 'paper'`, got 0.91",
      );
    });

    it('a delta of 1/n or more, unless it is accepted', () => {
      refuses({ delta: 1e-5 }, 'delta must be below 1/n = 0.00001', 'set `acceptLargeDelta`');
      refuses({ delta: 1e-3 }, 'publishes one row in 1000 would satisfy it');
      expect(planWith({ delta: 1e-5, acceptLargeDelta: true }).plan.privacy!.delta).to.equal(1e-5);
      expect(planWith({ delta: 0.999e-5 }).plan.privacy!.delta).to.equal(0.999e-5);
    });

    it('so few rows that the noise would hide the answer', () => {
      refuses({ rows: 20, steps: 20 }, '20 rows are too few for epsilon 0.9', 'use more rows');
      refuses({ epsilon: 1e-5, steps: 10 }, '100000 rows are too few for epsilon 0.00001');
      refuses({ rows: 20, steps: 1, epsilon: 0.01 }, 'after 1 step noise of length');
      refuses({ calibration: 'paper', rows: 200 }, 'too few');
      // The best number of steps would be 1 or 2, and end where it began.
      refuses(
        { rows: 300, epsilon: 0.1, scaling: unitScaling(10) },
        /^300 rows are too few .* 0\.\d+ away from coefficients of length 0\.5/,
      );
      expect(planWith({ rows: 10_000, epsilon: 0.1, scaling: unitScaling(10) }).predicted!.total).to.be.below(0.9);
      // Steps that were asked for may be few: it is not for the noise that they end far away.
      expect(planWith({ steps: 1, stepSize: 1e-6 }).predicted!.total).to.be.above(0.49);
    });

    it('a choice that is none', () => {
      for (const [name, value] of Object.entries({
        moments: 'none',
        method: 'newtn',
        mode: 'ful',
        schedule: 'even',
        calibration: 'exct',
        aggregate: 'median',
      })) {
        expect(() => planWith({ [name]: value } as never)).to.throw(ArgumentError, `${name} must be "`);
      }
    });

    it('a step that diverges, with the longest that does not', () => {
      const classes = unitScaling(1, { target: { least: 0, most: 1 }, scalesTarget: false });
      for (const options of [
        { method: 'gradient', stepSize: 10 },
        { method: 'gradient', stepSize: 1e9 },
        { stepSize: 100, momentum: 0.9 },
        { loss: logistic(), scaling: classes, method: 'gradient', stepSize: 30 },
        { loss: logistic(), scaling: classes, method: 'gradient', stepSize: 1e6, steps: 200 },
        { stepSize: 1e3, set: { constraint: l2Ball(1), radius: 1 } },
      ] as const) {
        const asked = { scaling: unitScaling(1), epsilon: 1, ...options };
        let message = '';
        try {
          planWith(asked);
        } catch (error) {
          expect(error).to.be.instanceOf(ArgumentError);
          ({ message } = error as Error);
        }
        expect(message).to.match(/stepSize must be at most .* converges on any rows/);
        const longest = Number(/at most ([^,]*),/.exec(message)![1]);
        const { predicted } = planWith({ ...asked, stepSize: longest });
        expect(predicted!.total).to.be.below(3);
      }
    });

    it('noise that would hide every gradient, of a rule whose error nobody predicts', () => {
      const set = { constraint: l2Ball(1), radius: 1 };
      const frankWolfe = { method: 'frank-wolfe', set, steps: 10 } as const;
      expect(planWith(frankWolfe).predicted).to.equal(null);
      refuses({ ...frankWolfe, epsilon: 1e-4 }, 'would hide gradients, whose length is at most 0.20');
    });

    it('blocks without rows, and a paper with blocks or units', () => {
      refuses({ rows: 100, aggregate: 'median-of-means', blocks: 60 }, '100 rows are too few for 60 blocks per step');
      refuses({ aggregate: 'median-of-means', calibration: 'paper' }, 'aggregate must be "mean"');
      refuses({ unitRows: 2, calibration: 'paper' }, "unitRows must be 1 for `calibration: 'paper'`");
    });

    it('a calibration in a mode that it does not hold for', () => {
      refuses({ mode: 'fresh', calibration: 'exact' }, 'mode must be "full" for `calibration: \'exact\'`');
      refuses({ mode: 'full', calibration: 'parallel' }, 'mode must be "fresh" for `calibration: \'parallel\'`');
    });

    it('sums that could leave the whole numbers that a double holds', () => {
      // sqrt(B2) = 2^20 mu / 2 at one step: mu*(4, 1e-12) is about 0.54, so 2^53 is reached between 2e10 and 4e10 rows.
      const huge = { epsilon: 4, delta: 1e-12, mode: 'full', steps: 1 } as const;
      refuses({ ...huge, rows: 4e10 }, 'may exceed 2^53', 'more `blocks`');
      expect(planWith({ ...huge, rows: 2e10 }).plan.rows).to.equal(2e10);
      const cut = { aggregate: 'median-of-means', blocks: 8 } as const;
      expect(planWith({ ...huge, ...cut, rows: 4e10 }).plan.steps[0]!.blocks).to.equal(8);
    });

    it('methods without what they need', () => {
      refuses({ method: 'frank-wolfe' }, 'needs a bounded set');
      const set = { constraint: l2Ball(1), radius: 1 };
      refuses({ method: 'accelerated-frank-wolfe', set }, 'give stepSize');
      refuses({ method: 'nesterov', set }, 'leave the set out');
    });
  });
});
