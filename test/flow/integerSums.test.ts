import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import { integerSummer } from '../../src/engine/kernel/integerSummer.ts';
import { fastIntegerSummer } from '../../src/engine/kernel/wasmSummer.ts';
import { localEngine } from '../../src/engine/local/localEngine.ts';
import { ArgumentError } from '../../src/errors.ts';
import { geometricMedian, mean } from '../../src/flow/aggregateBy.ts';
import { blockSums } from '../../src/flow/blockSums.ts';
import { descend } from '../../src/flow/descend.ts';
import { type IntegerKernel, integerSums } from '../../src/flow/integerSums.ts';
import { passes } from '../../src/flow/passes.ts';
import { perturb } from '../../src/flow/perturb.ts';
import { split } from '../../src/flow/split.ts';
import { plot2, plot5 } from '../../src/lab/synthetic/figures.ts';
import type { Random } from '../../src/math/random/random.ts';
import { secure } from '../../src/math/random/secure.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { distance } from '../../src/math/vector.ts';
import { logistic } from '../../src/method/loss/logistic.ts';
import type { Loss } from '../../src/method/loss/loss.ts';
import { poisson } from '../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { weightedLogistic } from '../../src/method/loss/weightedLogistic.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { type FitOptions, planFit } from '../../src/plan/planFit.ts';
import { discreteGaussianMechanism } from '../../src/privacy/discreteGaussianMechanism.ts';
import { type IntegerNoise, integerNoise, integerRelease } from '../../src/privacy/integerNoise.ts';
import { type Samples, samplesOf } from '../../src/sample/samples.ts';
import { inArena } from '../engine/kernel/inArena.ts';
import { expectClose } from '../support/close.ts';
import { collect, rebatched } from '../support/descentFixtures.ts';
import { referenceIntegerSummer } from '../support/kernelSlope.ts';

const features = 4;
const rows = 40_000;
const linear = plot5(rows, 'integer sums', { features }).batch;
const binary = plot2(rows, 'integer sums', { features }).batch;
const budget = { epsilon: 0.9, delta: 1e-6 };

/** A private plan whose releases are those of integer noise. */
function integerPlan(
  loss: Loss,
  options: Partial<FitOptions> = {},
  lipschitz = 1,
): { plan: Plan; noise: IntegerNoise } {
  const { mode = 'fresh', steps = 4 } = options;
  const touches = mode === 'full' ? steps : 1;
  const size = features + (options.intercept ? 1 : 0);
  const noise = integerNoise({ ...budget, lipschitz, features: size, touches });
  const rule = projectedGradient({ stepSize: 0.3 });
  const privacy = { ...budget, lipschitz };
  const made = planFit({ rows, features, loss, rule, steps, blocks: 8, mode, privacy, ...options });
  const withRelease = made.steps.map(step => ({ ...step, release: integerRelease(noise, step) }));
  return { plan: { ...made, steps: withRelease }, noise };
}

const chunksOf = (samples: Samples, plan: Plan) =>
  plan.mode === 'full'
    ? passes(samples, plan.steps.length)
    : split(samples, { chunks: plan.steps.map(step => step.rows) });

/** The run, and the sums of every step before noise. */
async function run(
  samples: Samples,
  { plan, noise }: { plan: Plan; noise: IntegerNoise },
  random: Random,
  kernel: IntegerKernel = fastIntegerSummer,
  clip = 1,
) {
  const raw: Float64Array[] = [];
  const watched: IntegerKernel = request => {
    const summer = kernel(request);
    return {
      add: summer.add,
      finish() {
        const sums = summer.finish();
        raw.push(sums.sums.slice());
        return sums;
      },
    };
  };
  const stages = [
    integerSums(plan, { ...noise, clip }, watched),
    perturb(discreteGaussianMechanism(noise, random), plan),
    geometricMedian(),
  ];
  return { iterates: await collect(chunksOf(samples, plan).pipe(descend(plan, ...stages))), raw };
}

describe('integerSums', () => {
  const engines = [1, 2, 4].map(threads => localEngine({ threads }));
  after(() => Promise.all(engines.map(engine => engine.close())));

  for (const mode of ['fresh', 'full'] as const) {
    it(`makes a run on secure noise private, with the mu of its noise: ${mode}`, async () => {
      const made = integerPlan(pseudoHuber(0.5), { mode });
      const { iterates } = await run(samplesOf(linear), made, secure());
      const { ledger } = iterates.at(-1)!;
      const { scale, squaredNorm, mu } = made.noise;
      expect(iterates).to.have.length(4);
      expect(ledger.isPrivate).to.equal(true);
      expect(ledger.entries.map(({ kind }) => kind)).to.deep.equal(Array(4).fill('gaussian'));
      expectClose(ledger.mu, ((2 * Math.sqrt(squaredNorm)) / scale) * (mode === 'full' ? 2 : 1));
      expectClose(ledger.mu, mu, 1e-9);
      expect(ledger.epsilon(budget.delta)).to.be.within(0.9 - 1e-8, 0.9);
      expect(iterates.at(-1)!.gradient?.privacy).to.equal('released');
    });
  }

  it('lets no run on a seed be private, but repeats it', async () => {
    const made = integerPlan(pseudoHuber(0.5));
    const [one, two] = [
      await run(samplesOf(linear), made, seeded(1, 'noise')),
      await run(samplesOf(linear), made, seeded(1, 'noise')),
    ];
    expect(one.iterates.at(-1)!.ledger.isPrivate).to.equal(false);
    expect(one.iterates.map(({ theta }) => theta)).to.deep.equal(two.iterates.map(({ theta }) => theta));
  });

  for (const loss of [squared(), logistic(), weightedLogistic(), pseudoHuber(0.5), poisson()]) {
    it(`gives noise the same integers on 1, 2 and 4 threads, in batches of any size and memory: ${loss.name}`, async () => {
      const data = loss.targets.least === 0 ? binary : linear;
      // In full mode, because helpers are not called for the small chunks of the other.
      const made = integerPlan(loss, { intercept: true, mode: 'full' });
      const expected = await run(samplesOf(data), made, seeded(1, 'noise'), referenceIntegerSummer);
      expect(expected.raw.every(sums => sums.every(Number.isSafeInteger))).to.equal(true);
      for (const samples of [samplesOf(inArena(data)), rebatched(data, 777), rebatched(data, 9999)]) {
        for (const { integerSummer: kernel } of engines) {
          const { raw, iterates } = await run(samples, made, seeded(1, 'noise'), kernel);
          expect(raw).to.deep.equal(expected.raw);
          expect(iterates.map(({ theta }) => theta)).to.deep.equal(expected.iterates.map(({ theta }) => theta));
        }
      }
    });
  }

  it('comes as close to the descent without noise as its noise allows', async () => {
    const made = integerPlan(pseudoHuber(0.1), { steps: 1, aggregate: 'mean' });
    const { plan, noise } = made;
    const { iterates } = await run(samplesOf(linear), made, seeded(1, 'noise'), fastIntegerSummer, 1e9);
    const plainPlan = { ...plan, privacy: null };
    const plain = await lastValueFrom(
      chunksOf(samplesOf(linear), plainPlan).pipe(descend(plainPlan, blockSums(plainPlan), mean())),
    );
    const { sigma } = integerRelease(noise, plan.steps[0]!);
    // No gradient is longer than 1 here, so the difference is 0.3 times the noise: 6 deviations.
    expect(distance(iterates[0]!.theta, plain.theta)).to.be.below(0.3 * 6 * sigma * Math.sqrt(features));
  });

  it('takes the norm of a clipped gradient for granted nowhere: without the clip no row moves more', async () => {
    const made = integerPlan(squared(), { steps: 1 }, 0.01);
    const outliers = { ...linear, target: linear.target.map((y, i) => (i % 2 === 0 ? 1e6 * y : y)) };
    const { raw } = await run(samplesOf(outliers), made, seeded(1, 'noise'), integerSummer, 1e12);
    const { rowsPerBlock } = made.plan.steps[0]!;
    const most = rowsPerBlock * Math.sqrt(made.noise.squaredNorm);
    expect(raw[0]!.every(sum => Math.abs(sum) <= most)).to.equal(true);
  });

  it('refuses, when it is composed, rows whose sums could leave the whole numbers', () => {
    const { plan, noise } = integerPlan(squared());
    const steps = plan.steps.map(step => ({ ...step, rowsPerBlock: 2 ** 40 }));
    expect(() => integerSums({ ...plan, steps }, noise)).to.throw(ArgumentError, 'rowsPerBlock must stay below');
    expect(() => integerSums(plan, { ...noise, clip: NaN })).to.throw(ArgumentError, 'clip must be');
  });

  it('fits no pipeline that takes its units for gradients, or plans other noise', async () => {
    const { plan, noise } = integerPlan(squared());
    const open = { ...plan, privacy: null };
    const chunks = () => chunksOf(samplesOf(linear), plan);
    const failure = async (run: Promise<unknown>): Promise<string> =>
      run.then(
        () => expect.fail('it ran'),
        (error: Error) => error.message,
      );
    const unnoised = chunks().pipe(descend(open, integerSums(plan, noise), mean()));
    expect(await failure(collect(unnoised))).to.include('the sums count steps of a grid');
    const mechanism = discreteGaussianMechanism(noise, secure());
    const plain = chunks().pipe(descend(plan, blockSums(plan), perturb(mechanism, plan), mean()));
    expect(await failure(collect(plain))).to.include('the grid of the sums must be');
    const calibratedElsewhere = planFit({
      rows,
      features,
      loss: squared(),
      rule: plan.rule,
      steps: 4,
      privacy: { ...budget, lipschitz: 2 },
    });
    const disagreeing = chunks().pipe(
      descend(calibratedElsewhere, integerSums(plan, noise), perturb(mechanism, calibratedElsewhere), mean()),
    );
    expect(await failure(collect(disagreeing))).to.include('of the release must be');
    expect(() => descend(plan, integerSums(plan, noise), mean())).to.throw(ArgumentError, 'must hold perturb');
  });
});
