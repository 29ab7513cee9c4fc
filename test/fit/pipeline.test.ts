import { expect } from 'chai';
import fc from 'fast-check';
import { lastValueFrom, map, take } from 'rxjs';
import { blockSummer } from '../../src/engine/kernel/blockSummer.ts';
import { fastSummer } from '../../src/engine/kernel/wasmSummer.ts';
import { localEngine } from '../../src/engine/local/localEngine.ts';
import { aggregateBy } from '../../src/flow/aggregateBy.ts';
import { blockSums, type Kernel } from '../../src/flow/blockSums.ts';
import { descend } from '../../src/flow/descend.ts';
import { huberGradient } from '../../src/flow/huberGradient.ts';
import { passes } from '../../src/flow/passes.ts';
import { perturb } from '../../src/flow/perturb.ts';
import { split } from '../../src/flow/split.ts';
import { stage } from '../../src/flow/stage.ts';
import { summarize } from '../../src/flow/summarize.ts';
import { descendArrays } from '../../src/lab/paper/descendArrays.ts';
import { plot2, plot5 } from '../../src/lab/synthetic/figures.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { distance, norm } from '../../src/math/vector.ts';
import { geometricMedian as medianOfBlocks } from '../../src/method/aggregate/geometricMedian.ts';
import { mean as meanOfBlocks } from '../../src/method/aggregate/mean.ts';
import { box } from '../../src/method/constraint/box.ts';
import { l1Ball } from '../../src/method/constraint/l1Ball.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import { logistic } from '../../src/method/loss/logistic.ts';
import { poisson } from '../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../src/method/loss/ridge.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { acceleratedFrankWolfe } from '../../src/method/rule/acceleratedFrankWolfe.ts';
import { frankWolfe } from '../../src/method/rule/frankWolfe.ts';
import { nesterov } from '../../src/method/rule/nesterov.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { type FitOptions, planFit } from '../../src/plan/planFit.ts';
import { geometricChunks } from '../../src/plan/schedule.ts';
import { simulatedGaussian } from '../../src/privacy/simulatedGaussian.ts';
import { type Samples, samplesOf } from '../../src/sample/samples.ts';
import { collect, constant, rebatched } from '../support/descentFixtures.ts';
import { labelledSamples } from '../support/labelledSamples.ts';

const features = 4;
const rows = 5000;
const linear = plot5(rows, 'pipeline', { features }).batch;
const binary = plot2(rows, 'pipeline', { features }).batch;

const rules = {
  'projected-gradient': projectedGradient({ stepSize: 0.3, constraint: l1Ball(3) }),
  nesterov: nesterov({ stepSize: 0.3, momentum: 'increasing' }),
  'frank-wolfe': frankWolfe({ constraint: box(constant(features, -1), constant(features, 2)) }),
  'accelerated-frank-wolfe': acceleratedFrankWolfe({
    constraint: l2Ball(1),
    gradientFloor: 1,
    smoothness: 1,
  }),
};
const losses = {
  squared: squared(),
  ridge: ridge(squared(), 0.3),
  logistic: logistic(),
  poisson: poisson(),
  pseudoHuber: pseudoHuber(0.5),
};
const aggregates = ['mean', 'median-of-means', { huber: 0.1 }] as const;

const chunksOf = (samples: Samples, plan: Plan) =>
  plan.mode === 'full'
    ? passes(samples, plan.steps.length)
    : split(samples, { chunks: plan.steps.map(step => step.rows) });

const streamed = (samples: Samples, plan: Plan, noiseSeed?: number, kernel: Kernel = blockSummer) => {
  const { estimation } = plan;
  const noise = noiseSeed === undefined ? [] : [perturb(simulatedGaussian(seeded(noiseSeed, 'noise')), plan)];
  const stages =
    estimation.kind === 'huber'
      ? [huberGradient(plan, estimation)]
      : [blockSums(plan, kernel), ...noise, aggregateBy(estimation.aggregator)];
  return chunksOf(samples, plan).pipe(descend(plan, ...stages));
};

const thetas = (iterates: readonly { theta: Float64Array }[]): number[][] => iterates.map(({ theta }) => [...theta]);

describe('the pipeline', () => {
  for (const [ruleName, rule] of Object.entries(rules)) {
    for (const [lossName, loss] of Object.entries(losses)) {
      it(`equals the reference descent bit for bit, and to 1e-8 with the compiled kernel: ${ruleName}, ${lossName}, every aggregate, fresh and full`, async () => {
        const data = lossName === 'logistic' || lossName === 'poisson' ? binary : linear;
        for (const aggregate of aggregates) {
          for (const mode of ['fresh', 'full'] as const) {
            const plan = planFit({ rows, features, loss, rule, steps: 4, aggregate, mode });
            const reference = descendArrays(data, plan).slice(1);
            expect(reference).to.have.length(4);
            expect(norm(reference.at(-1)!.theta)).to.be.above(1e-3);
            const iterates = await collect(streamed(rebatched(data, 777), plan));
            expect(thetas(iterates)).to.deep.equal(thetas(reference));
            // Huber's estimator sums no blocks.
            if (plan.estimation.kind !== 'huber') {
              const compiled = await collect(streamed(rebatched(data, 777), plan, undefined, fastSummer));
              expect(compiled).to.have.length(4);
              compiled.forEach(({ theta }, t) => {
                expect(distance(theta, reference[t]!.theta)).to.be.at.most(1e-8 * (1 + norm(theta)));
              });
            }
            const used = iterates.map(iterate => iterate.rows);
            const total = mode === 'full' ? used[0]! : used.reduce((sum, count) => sum + count, 0);
            expect(total + plan.leftOver).to.equal(rows);
            expect(new Set(used).size).to.equal(1);
          }
        }
      });
    }
  }

  it('equals the reference descent with the same noise', async () => {
    const privacy: NonNullable<FitOptions['privacy']> = { epsilon: 0.9, delta: 1e-6, lipschitz: 0.5 };
    for (const mode of ['fresh', 'full'] as const) {
      const rule = nesterov({ stepSize: 0.3, momentum: 0.2 });
      const plan = planFit({ rows, features, loss: pseudoHuber(0.5), rule, steps: 5, mode, privacy });
      const reference = descendArrays(linear, plan, simulatedGaussian(seeded(3, 'noise'))).slice(1);
      expect(thetas(await collect(streamed(samplesOf(linear), plan, 3)))).to.deep.equal(thetas(reference));
    }
  });

  it('gives the same bits for any size of batches', async () => {
    const rule = nesterov({ stepSize: 0.3, momentum: 0.2 });
    const schedule = geometricChunks({ rows, steps: 4, ratio: 0.5, least: 200 });
    const plan = planFit({ rows, features, loss: squared(), rule, steps: 4, schedule });
    const expected = thetas(descendArrays(linear, plan).slice(1));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 * rows }), async size => {
        expect(thetas(await collect(streamed(rebatched(linear, size), plan)))).to.deep.equal(expected);
      }),
      { seed: 2, numRuns: 30 },
    );
  });

  it('gives the same bits for any size of batches and any number of threads with the compiled kernel', async () => {
    const rule = nesterov({ stepSize: 0.3, momentum: 0.2 });
    const plan = planFit({ rows, features, loss: pseudoHuber(0.5), rule, steps: 3 });
    const expected = thetas(await collect(streamed(samplesOf(linear), plan, undefined, fastSummer)));
    for (const threads of [1, 2, 4]) {
      const engine = localEngine({ threads });
      for (const size of [1, 333, 4096, rows]) {
        const iterates = await collect(streamed(rebatched(linear, size), plan, undefined, engine.summer));
        expect(thetas(iterates)).to.deep.equal(expected);
      }
      await engine.close();
    }
  });

  it('closes its source when the run ends, fails, or is left', async () => {
    const plan = planFit({
      rows: 40,
      features: 1,
      loss: squared(),
      rule: projectedGradient({ stepSize: 1e-9 }),
      steps: 4,
      aggregate: 'mean',
    });
    const whole = labelledSamples([7, 7, 7, 7, 12]);
    await collect(streamed(whole, plan));
    expect(whole.open()).to.equal(0);
    const failing = labelledSamples([7, 7, 7, 7, 12], 14);
    const error = await collect(streamed(failing, plan)).catch(caught => caught);
    expect(error.message).to.equal('the disk is gone');
    expect(failing.open()).to.equal(0);
    const left = labelledSamples(Array.from({ length: 40 }, () => 1));
    await collect(streamed(left, plan).pipe(take(1)));
    await new Promise(resolve => setImmediate(resolve));
    expect(left.open()).to.equal(0);
    expect(left.pulled()).to.be.below(25);
  });

  it('does not read ahead of a slow stage', async () => {
    const plan = planFit({
      rows: 400,
      features: 1,
      loss: squared(),
      rule: projectedGradient({ stepSize: 1e-9 }),
      steps: 4,
      aggregate: 'mean',
    });
    const samples = labelledSamples(Array.from({ length: 400 }, () => 1));
    const seen: number[] = [];
    const watch = stage({
      name: 'watch',
      from: 'gradient',
      to: 'gradient',
      run: map(gradient => {
        seen.push(samples.pulled());
        return gradient;
      }),
    });
    await collect(
      split(samples, { chunks: [100, 100, 100, 100] }).pipe(
        descend(plan, blockSums(plan), aggregateBy(meanOfBlocks()), watch),
      ),
    );
    expect(seen).to.deep.equal([100, 200, 300, 400]);
  });

  it('takes a stage of the user', async () => {
    const rule = projectedGradient({ stepSize: 0.3 });
    const plan = planFit({ rows, features, loss: squared(), rule, steps: 3 });
    const clip = stage({
      name: 'clip',
      from: 'gradient',
      to: 'gradient',
      run: map(gradient => ({
        ...gradient,
        values: gradient.values.map(value => Math.max(-0.1, Math.min(0.1, value))),
      })),
    });
    const flow = chunksOf(samplesOf(linear), plan).pipe(
      descend(plan, blockSums(plan), aggregateBy(medianOfBlocks()), clip),
    );
    // Every gradient is longer than that, so that the stage has something to do in each step.
    const largest = (await collect(flow)).map(({ gradient }) => Math.max(...gradient!.values.map(Math.abs)));
    expect(largest).to.deep.equal([0.1, 0.1, 0.1]);
  });
});

describe('summarize', () => {
  it('gives the last estimate with counts that add up', async () => {
    for (const mode of ['fresh', 'full'] as const) {
      const rule = projectedGradient({ stepSize: 0.3 });
      const plan = planFit({ rows, features, loss: squared(), rule, steps: 3, mode });
      const fit = await lastValueFrom(streamed(samplesOf(linear), plan).pipe(summarize(plan)));
      expect([...fit.theta]).to.deep.equal([...descendArrays(linear, plan).at(-1)!.theta]);
      expect(fit.rows.used + fit.rows.leftOver).to.equal(rows);
      expect(fit.rows.leftOver).to.equal(plan.leftOver);
      expect(fit.steps.map(({ step }) => step)).to.deep.equal([1, 2, 3]);
      expect(fit.steps.every(({ gradientNorm }) => gradientNorm > 0)).to.equal(true);
    }
  });

  it('refuses a run that ended early', async () => {
    const plan = planFit({
      rows,
      features,
      loss: squared(),
      rule: projectedGradient({ stepSize: 0.3 }),
      steps: 3,
    });
    const cut = streamed(samplesOf(linear), plan).pipe(take(2), summarize(plan));
    expect((await lastValueFrom(cut).catch(error => error)).message).to.include('ended after 2 of 3 steps');
  });
});
