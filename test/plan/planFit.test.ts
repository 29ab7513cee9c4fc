import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { mean } from '../../src/method/aggregate/mean.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import { domain } from '../../src/method/loss/domain.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { frankWolfe } from '../../src/method/rule/frankWolfe.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import { type FitOptions, planFit } from '../../src/plan/planFit.ts';
import { geometricChunks } from '../../src/plan/schedule.ts';
import { holdsForAll } from '../laws/holdsForAll.ts';
import { refusesBad } from '../support/badArguments.ts';
import { expectClose } from '../support/close.ts';
import { blocksFor } from '../support/prescriptions.ts';

const rule = projectedGradient({ stepSize: 0.1 });
const fit: FitOptions = { rows: 1000, features: 3, loss: squared(), rule, steps: 4 };
const budget = { epsilon: 0.9, delta: 1e-6, lipschitz: 2 };
/** mu*(0.9, 1e-6), of 60-digit arithmetic. */
const MU = 0.214645407357609;

const planWith = (options: Partial<FitOptions>) => planFit({ ...fit, ...options });

describe('planFit', () => {
  it('plans fresh chunks, a median of means and no noise unless told', () => {
    const plan = planFit(fit);
    const b = blocksFor(0.05 / 4);
    expect(plan).to.include({ rows: 1000, features: 3, mode: 'fresh', privacy: null, rule, loss: fit.loss });
    expect(plan.start).to.deep.equal(new Float64Array(3));
    expect(plan.estimation.kind === 'blocks' && plan.estimation.aggregator.name).to.equal('geometric-median');
    expect(plan.steps).to.deep.equal(
      [0, 1, 2, 3].map(chunk => ({
        chunk,
        rows: 250,
        blocks: b,
        rowsPerBlock: Math.floor(250 / b),
        release: null,
      })),
    );
  });

  it('starts with one coordinate more for an intercept', () => {
    expect(planFit(fit).intercept).to.equal(false);
    const plan = planWith({ intercept: true });
    expect(plan.intercept).to.equal(true);
    expect(plan.start).to.deep.equal(new Float64Array(4));
    expect(() => planWith({ intercept: true, start: new Float64Array(3) })).to.throw(
      ArgumentError,
      'the length of start must be 4, got 3',
    );
  });

  it('plans every step over all rows in full mode', () => {
    const { steps, leftOver } = planWith({ mode: 'full', blocks: 7 });
    expect(steps).to.deep.equal(
      Array(4).fill({ chunk: 'all', rows: 1000, blocks: 7, rowsPerBlock: 142, release: null }),
    );
    expect(leftOver).to.equal(6);
  });

  it('takes one block for a mean and for the Huber estimator, whose share it keeps', () => {
    const mean = planWith({ aggregate: 'mean' });
    expect(mean.estimation.kind === 'blocks' && mean.estimation.aggregator.name).to.equal('mean');
    expect(mean.steps[0]).to.include({ blocks: 1, rowsPerBlock: 250 });
    const huber = planWith({ aggregate: { huber: 0.1 }, failureProbability: 0.2 });
    expect(huber.estimation).to.deep.equal({ kind: 'huber', contamination: 0.1, failureProbability: 0.05 });
    expect(huber.steps[0]).to.include({ blocks: 1, rowsPerBlock: 250 });
  });

  it('gives each of T steps the failure probability zeta/T: b(zeta/T) blocks', () => {
    for (const [failureProbability, steps, b] of [
      [0.1, 1, 8],
      [0.1, 10, 16],
      [0.3, 20, 15],
    ] as const) {
      expect(blocksFor(failureProbability / steps)).to.equal(b);
      const plan = planWith({ failureProbability, steps });
      for (const step of plan.steps) expect(step.blocks).to.equal(b);
    }
  });

  it('follows a schedule, chunk by chunk', () => {
    const schedule = geometricChunks({ rows: 900, steps: 4, ratio: 0.5 });
    const plan = planWith({ aggregate: 'mean', schedule });
    expect(plan.steps.map(({ rows }) => rows)).to.deep.equal(schedule.chunks);
    expect(plan.leftOver).to.equal(100);
  });

  it('accounts for every row: those in blocks and those left over are all rows', () => {
    holdsForAll(
      fc.property(
        fc.record({
          steps: fc.integer({ min: 1, max: 12 }),
          blocks: fc.integer({ min: 1, max: 9 }),
          more: fc.integer({ min: 0, max: 5000 }),
          mode: fc.constantFrom('full' as const, 'fresh' as const),
        }),
        ({ steps, blocks, more, mode }) => {
          const rows = 2 * steps * blocks + more;
          const plan = planWith({ rows, steps, blocks, mode });
          const used = plan.steps.map(step => step.blocks * step.rowsPerBlock);
          const once = mode === 'full' ? used[0]! : used.reduce((sum, count) => sum + count, 0);
          expect(once + plan.leftOver).to.equal(rows);
          expect(plan.leftOver).to.be.at.least(0);
          plan.steps.forEach((step, t) => {
            expect(step.rows - used[t]!).to.be.within(0, blocks - 1);
          });
        },
      ),
    );
  });

  it('is frozen all through, and keeps a start of its own', () => {
    const start = Float64Array.of(1, 2, 3);
    const plan = planWith({ start, privacy: budget });
    start.fill(9);
    expect(plan.start).to.deep.equal(Float64Array.of(1, 2, 3));
    const [first] = plan.steps;
    for (const part of [plan, plan.steps, first, first!.release, plan.privacy, plan.estimation]) {
      expect(part).to.be.frozen;
    }
    expect(planWith({ aggregate: { huber: 0 } }).estimation).to.be.frozen;
  });
});

describe('a private planFit', () => {
  it('releases block means of sensitivity 2 L2 / rowsPerBlock, whatever the calibration', () => {
    for (const options of [
      { aggregate: 'mean' },
      { blocks: 5 },
      { mode: 'full', blocks: 5 },
      { mode: 'full', aggregate: 'mean', privacy: { ...budget, calibration: 'paper' } },
    ] satisfies Partial<FitOptions>[]) {
      for (const { chunk, rowsPerBlock, release } of planWith({ privacy: budget, ...options }).steps) {
        expect(release).to.include({ chunk, sensitivity: 4 / rowsPerBlock });
      }
    }
  });

  it('calibrates "exact" in full mode: (2 L2 / m) sqrt(T) / mu*', () => {
    for (const [options, m] of [
      [{ aggregate: 'mean' }, 1000],
      [{ blocks: 8 }, 125],
    ] as const) {
      const plan = planWith({ mode: 'full', privacy: budget, ...options });
      expect(plan.privacy).to.deep.equal({ ...budget, calibration: 'exact' });
      for (const { release } of plan.steps) expectClose(release!.sigma, ((2 * 2) / m) * (2 / MU));
    }
  });

  it('calibrates "parallel" in fresh mode: (2 L2 / m) / mu*, whatever T and the sizes are', () => {
    const schedule = geometricChunks({ rows: 1000, steps: 4, ratio: 0.6 });
    const plan = planWith({ schedule, blocks: 5, privacy: budget });
    expect(plan.privacy).to.deep.equal({ ...budget, calibration: 'parallel' });
    plan.steps.forEach(({ release }, t) => {
      expectClose(release!.sigma, (2 * 2) / Math.floor(schedule.chunks[t]! / 5) / MU);
    });
  });

  it('calibrates "paper" by the formula of the rule: alg:PrivNon-accERM for plain Frank-Wolfe, else alg:PrivFWERM', () => {
    const composed = (n: number) =>
      Math.sqrt((64 * 4 * 4 * Math.log((5 * 4) / 2e-6) * Math.log(2e6)) / (n ** 2 * 0.9 ** 2));
    const plain = (n: number) => Math.sqrt((32 * 4 * 4 * Math.log(n / 1e-6) ** 2) / (n ** 2 * 0.9 ** 2));
    const constraint = l2Ball(1);
    for (const [options, rows, formula] of [
      [{ mode: 'full' }, 1000, composed],
      [{ mode: 'fresh' }, 250, composed],
      [{ mode: 'full', rule: frankWolfe({ constraint }) }, 1000, plain],
    ] as const) {
      const privacy = { ...budget, calibration: 'paper' } as const;
      const plan = planWith({ aggregate: 'mean', privacy, ...options });
      expect(plan.privacy).to.deep.equal(privacy);
      for (const { release } of plan.steps) expectClose(release!.sigma, formula(rows));
    }
  });

  it('refuses "parallel" over rows that every step sees again', () => {
    expect(() => planWith({ mode: 'full', privacy: { ...budget, calibration: 'parallel' } })).to.throw(
      ArgumentError,
      'mode must be "fresh" for `calibration: \'parallel\'`, which relies on disjoint chunks, got "full"; use `calibration: \'exact\'`',
    );
  });

  it('refuses "exact" over disjoint chunks, where it would waste noise', () => {
    expect(() => planWith({ mode: 'fresh', privacy: { ...budget, calibration: 'exact' } })).to.throw(
      ArgumentError,
      'mode must be "full" for `calibration: \'exact\'`, got "fresh"; use `calibration: \'parallel\'`',
    );
  });

  it('refuses the Huber estimator, which one record can move without bound', () => {
    for (const mode of ['full', 'fresh'] as const) {
      expect(() => planWith({ mode, aggregate: { huber: 0.1 }, privacy: budget })).to.throw(
        ArgumentError,
        'the Huber estimator as `aggregate` has unbounded sensitivity to one record and cannot be private',
      );
    }
  });

  it('takes an aggregator of the caller, which sees noised block means only; not with the noise of the paper', () => {
    const own = { ...mean(), name: 'own' };
    for (const mode of ['full', 'fresh'] as const) {
      const options = { mode, blocks: 5 };
      const plan = planWith({ ...options, aggregate: own, privacy: budget });
      expect(plan.estimation).to.deep.equal({ kind: 'blocks', aggregator: own });
      const { steps } = planWith({ ...options, aggregate: 'median-of-means', privacy: budget });
      expect(plan.steps).to.deep.equal(steps);
      expect(() => planWith({ ...options, aggregate: own, privacy: { ...budget, calibration: 'paper' } })).to.throw(
        ArgumentError,
        'aggregate must be "mean" for `calibration: \'paper\'`, got "own"',
      );
    }
  });

  it('refuses "paper" for anything but a mean, and above epsilon = 0.9', () => {
    expect(() => planWith({ privacy: { ...budget, calibration: 'paper' } })).to.throw(
      ArgumentError,
      'aggregate must be "mean" for `calibration: \'paper\'`, got "median-of-means"',
    );
    expect(() => planWith({ aggregate: 'mean', privacy: { ...budget, epsilon: 1.2, calibration: 'paper' } })).to.throw(
      ArgumentError,
      "epsilon must be in (0, 0.9] for `calibration: 'paper'`, got 1.2; use `calibration: ",
    );
    expect(planWith({ privacy: { ...budget, epsilon: 1.2 } }).privacy).to.include({ epsilon: 1.2 });
  });

  it('refuses a loss without a bound on its gradients, and says what to declare', () => {
    const lipschitz = squared().lipschitz(domain({ features: 3, norm: 1 }));
    expect(() => planWith({ privacy: { ...budget, lipschitz } })).to.throw(
      ArgumentError,
      'lipschitz must be a finite number above 0, got Infinity; declare bounds on the rows, a radius, or clip gradients',
    );
  });

  it('refuses budgets that are none', () => {
    refusesBad(privacy => planWith({ privacy }), budget, {
      epsilon: 'positive',
      delta: 'probability',
      lipschitz: 'positive',
    });
  });
});

describe('planFit refuses', () => {
  it('chunks with fewer than two rows per block, and names the remedies', () => {
    const b = blocksFor(0.05 / 4);
    expect(() => planWith({ rows: 8 * b - 1 })).to.throw(
      ArgumentError,
      `the rows of step 0 must be at least 2b = ${2 * b}, got ${2 * b - 1}; use more rows, fewer steps, fewer blocks or a larger failureProbability`,
    );
    expect(planWith({ rows: 8 * b }).steps[0]!.rowsPerBlock).to.equal(2);
    expect(() => planWith({ rows: 2 * b - 1, mode: 'full' })).to.throw(ArgumentError, 'the rows of step all');
    const schedule = geometricChunks({ rows: 1000, steps: 4, ratio: 0.1 });
    expect(() => planWith({ schedule, blocks: 5 })).to.throw(ArgumentError, 'the rows of step 0');
  });

  it('a schedule of another number of steps, of more rows than there are, or of no rows', () => {
    const schedule = (...chunks: number[]) => ({ chunks, leftOver: 0 });
    const fitted =
      (...chunks: number[]) =>
      () =>
        planWith({ aggregate: 'mean', schedule: schedule(...chunks) });
    expect(fitted(250, 250, 250, 250)).not.to.throw();
    expect(fitted(300, 300, 300)).to.throw(ArgumentError, 'schedule must have 4 chunks, one per step, got 3');
    expect(fitted(250, 250, 250, 251)).to.throw(
      ArgumentError,
      'schedule must use at most 1000 rows, got 1001; a row may enter one chunk only',
    );
    for (const bad of [0, -1, 1.5, Number.NaN]) {
      expect(fitted(1, 1, 1, bad)).to.throw(
        ArgumentError,
        `schedule.chunks must be a whole number of at least 1, got ${bad}`,
      );
    }
    expect(() => planWith({ mode: 'full', schedule: schedule(250, 250, 250, 250) })).to.throw(
      ArgumentError,
      'schedule must be absent in full mode',
    );
  });

  it('a mode, an aggregate or a calibration that it does not know, instead of taking it for another', () => {
    expect(() => planWith({ mode: 'Full' as never })).to.throw(
      ArgumentError,
      'mode must be "full" or "fresh", got "Full"',
    );
    expect(() => planWith({ aggregate: 'median' as never })).to.throw(
      ArgumentError,
      'aggregate must be "mean" or "median-of-means", got "median"',
    );
    expect(() => planWith({ privacy: { ...budget, calibration: 'Exact' as never } })).to.throw(
      ArgumentError,
      'calibration must be "exact" or "parallel" or "paper", got "Exact"',
    );
  });

  it('a share of outliers that is none', () => {
    for (const huber of [Number.NaN, -0.1, 0.5, Infinity]) {
      expect(() => planWith({ aggregate: { huber } })).to.throw(
        ArgumentError,
        `aggregate.huber must be in [0, 0.5), got ${huber}`,
      );
    }
  });

  it('counts, probabilities and starts that are none', () => {
    refusesBad(
      planFit,
      { ...fit, failureProbability: 0.1, blocks: 3 },
      {
        rows: 'count',
        features: 'count',
        steps: 'count',
        blocks: 'count',
        failureProbability: 'probability',
      },
    );
    for (const [start, message] of [
      [new Float64Array(2), 'the length of start must be 3, got 2'],
      [new Float64Array(0), 'start must have at least one coordinate'],
      [Float64Array.of(1, Number.NaN, 1), 'start[1] must be a finite number, got NaN'],
      [[1, 2, 3] as never, 'start must be a Float64Array'],
    ] as const) {
      expect(() => planWith({ start })).to.throw(ArgumentError, message);
    }
  });
});
