/** Pipelines of the real parts with one bug each: the audit must fail every one, for the right reason. */
import { expect } from 'chai';
import { concatMap, from, lastValueFrom, map, type Observable, takeWhile } from 'rxjs';
import { integerSummer } from '../../../src/engine/kernel/integerSummer.ts';
import { fitPrivate, type PrivateRun } from '../../../src/fit/private/fitPrivate.ts';
import { type ReleasedMoments, releaseMoments } from '../../../src/fit/private/releases.ts';
import { mean } from '../../../src/flow/aggregateBy.ts';
import { chunkOf } from '../../../src/flow/chunkPass.ts';
import { descend } from '../../../src/flow/descend.ts';
import { integerSums } from '../../../src/flow/integerSums.ts';
import { passes } from '../../../src/flow/passes.ts';
import { perturb } from '../../../src/flow/perturb.ts';
import { split } from '../../../src/flow/split.ts';
import { trusted } from '../../../src/flow/stage.ts';
import type { Breach } from '../../../src/lab/audit/audit.ts';
import { auditPrivate } from '../../../src/lab/audit/auditPrivate.ts';
import type { Pipeline } from '../../../src/lab/audit/observe.ts';
import { privatePipeline } from '../../../src/lab/audit/privatePipeline.ts';
import type { Random } from '../../../src/math/random/random.ts';
import { secure } from '../../../src/math/random/secure.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { geometricMedian as medianAggregator } from '../../../src/method/aggregate/geometricMedian.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import type { PrivatePlan } from '../../../src/plan/private/planPrivate.ts';
import { discreteGaussianMechanism } from '../../../src/privacy/discreteGaussianMechanism.ts';
import type { PrivacyEvent } from '../../../src/privacy/event.ts';
import { ledger } from '../../../src/privacy/ledger.ts';
import type { Mechanism } from '../../../src/privacy/mechanism.ts';
import type { Chunk } from '../../../src/sample/chunk.ts';
import { curvaturePlaces } from '../../../src/sample/curvaturePlaces.ts';
import { gather } from '../../../src/sample/gather.ts';
import type { BlockSums } from '../../../src/sample/gradientSums.ts';
import { rowsBetween, type SampleBatch } from '../../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../../src/sample/samples.ts';
import { mapSamples } from '../../../src/sample/transform/mapSamples.ts';
import { scaledSamples, whitenedSamples } from '../../../src/sample/transform/scaledSamples.ts';
import { whiteningOf } from '../../../src/sample/transform/whitening.ts';
import { auditedPlan } from '../../support/auditPlans.ts';

const parallel = auditedPlan({ calibration: 'parallel' });
const exact = auditedPlan({ calibration: 'exact', moments: 'no' });
const whitened = auditedPlan({ moments: 'yes' });
const clipped = auditedPlan({ calibration: 'parallel', loss: squared(), clip: 0.1 });

/** What the audit finds, by kind. */
async function breaches(
  pipeline: Pipeline,
  plan: PrivatePlan,
  { draws = 2000, pairs = 600 } = {},
): Promise<Partial<Record<Breach, string>>> {
  const report = await auditPrivate(pipeline, plan, { pairs, draws, seed: 'bugs' });
  expect(report.passed).to.equal(report.breaches.length === 0);
  return Object.fromEntries(report.breaches.map(({ kind, reason }) => [kind, reason]));
}

/** `fitPrivate` with something wrong. */
const fitting =
  (plan: PrivatePlan, run: () => PrivateRun, spoil: (mechanism: Mechanism) => Mechanism = same => same): Pipeline =>
  async (samples, watch) =>
    (await fitPrivate(samples, plan, { ...run(), wrap: mechanism => watch(spoil(mechanism)) })).fit;

/** A run of stages written by hand, with something wrong in the chunks. */
const chunked =
  (plan: PrivatePlan, chunksOf: (samples: Samples) => Observable<Chunk>): Pipeline =>
  (samples, watch) =>
    lastValueFrom(
      chunksOf(scaledSamples(samples, plan.scaling)).pipe(
        descend(
          plan.plan,
          integerSums(plan.plan, plan.noise),
          perturb(watch(discreteGaussianMechanism(plan.noise, secure())), plan.plan),
          mean(),
        ),
      ),
    );

const splitBy = ({ plan }: PrivatePlan) => ({ chunks: plan.steps.map(({ rows }) => rows) });
const inMemory = ({ batches, rows, features }: Samples): Promise<SampleBatch> => gather(batches(), rows, features);

/** A run whose plan begins with second moments, written by hand, with something wrong in how they are had. */
const whitenedBy =
  (moments: (samples: Samples, watch: (mechanism: Mechanism) => Mechanism) => Promise<ReleasedMoments>): Pipeline =>
  async (samples, watch) => {
    const { plan, noise, scaling, moments: first } = whitened;
    const scaled = scaledSamples(samples, scaling);
    const { values, sigma, ledger: spent } = await moments(scaled, watch);
    const { features, intercept } = plan;
    const rows = whitenedSamples(scaled, whiteningOf(values, { features, intercept, sigma }), first!.whitenedLength);
    return lastValueFrom(
      passes(rows, plan.steps.length).pipe(
        descend(
          { ...plan, spent },
          integerSums(plan, noise),
          perturb(watch(discreteGaussianMechanism(noise, secure())), plan),
          mean(),
        ),
      ),
    );
  };

/** Rows in an order that depends on what they hold. */
function sorted(batch: SampleBatch): SampleBatch {
  const order = Array.from({ length: batch.rows }, (_, i) => i).sort((a, b) => batch.target[a]! - batch.target[b]!);
  const inOrder = (column: Float64Array): Float64Array => Float64Array.from(order, i => column[i]!);
  return {
    rows: batch.rows,
    columns: batch.columns.map(inOrder),
    target: inOrder(batch.target),
    weights: inOrder(batch.weights!),
  };
}

describe('an audit of a planted bug', () => {
  it('fails what is told beside the coefficients and was never noised', async () => {
    const telling: Pipeline = async (samples, watch) => {
      const { fit, released } = await fitPrivate(samples, whitened, { wrap: watch });
      let sum = 0;
      for await (const { target } of samples.batches()) for (const value of target) sum += value;
      const values = released!.curvature.values.slice();
      values[0]! += sum;
      return { ...fit, disclosed: values };
    };
    const found = await breaches(telling, whitened);
    expect(found.leak).to.include('data bypass the mechanism');
  });

  it('passes the same pipelines without it', async () => {
    for (const plan of [parallel, exact, clipped]) {
      expect(
        await breaches(
          fitting(plan, () => ({})),
          plan,
        ),
      ).to.deep.equal({});
    }
    expect(
      await breaches(
        chunked(parallel, samples => split(samples, splitBy(parallel))),
        parallel,
      ),
    ).to.deep.equal({});
  });

  it('catches noise halved, by its size and by the mu of what is released', async () => {
    const halved = (mechanism: Mechanism): Mechanism => ({
      ...mechanism,
      perturb: (sums, release) => {
        const released = mechanism.perturb(sums, release);
        return {
          ...released,
          sums: released.sums.map((value, k) => (value + sums.sums[k]! * sums.grid!) / 2),
        };
      },
    });
    const found = await breaches(
      fitting(clipped, () => ({}), halved),
      clipped,
      { draws: 40_000 },
    );
    // The bound lies 0.06 below twice the ledger's mu of 0.177, give or take 0.009.
    expect(found).to.have.all.keys('noise', 'mu');
    expect(found.noise).to.match(/a standard deviation of at most 5\d+ grid steps, but 1048576 are declared/);
    expect(found.mu).to.include('the draws show a mu of at least');
    expect(
      await breaches(
        fitting(exact, () => ({}), halved),
        exact,
      ),
    ).to.include.keys('noise');
  });

  it('catches noise left out of one step that the furthest neighbours do not move', async () => {
    const last = parallel.plan.steps.at(-1)!.chunk;
    for (const chunk of [0, last]) {
      const silent = (mechanism: Mechanism): Mechanism => ({
        ...mechanism,
        perturb: (sums, release) => {
          const released = mechanism.perturb(sums, release);
          return release.chunk === chunk ? { ...released, sums: sums.sums.map(sum => sum * sums.grid!) } : released;
        },
      });
      expect(
        await breaches(
          fitting(parallel, () => ({}), silent),
          parallel,
        ),
      ).to.include.keys('noise');
    }
  });

  it('catches a sensitivity of 0', async () => {
    const free = (mechanism: Mechanism): Mechanism => ({
      ...mechanism,
      event: release => ({ ...mechanism.event(release), sensitivity: 0, mu: 0 }) as PrivacyEvent,
    });
    const found = await breaches(
      fitting(parallel, () => ({}), free),
      parallel,
    );
    expect(found).to.have.all.keys('charge', 'mu');
    expect(found.charge).to.include('release 1 is charged mu 0');
  });

  it('catches clipping skipped', async () => {
    const unclipped: PrivateRun['kernel'] = ({ clip: _, ...request }) => {
      const summer = integerSummer({ ...request, squaredNorm: 2 ** 52 });
      return {
        add: summer.add,
        finish: () => ({ ...summer.finish(), squaredNorm: request.squaredNorm }),
      };
    };
    const found = await breaches(
      fitting(clipped, () => ({ kernel: unclipped })),
      clipped,
    );
    expect(found).to.include.keys('sensitivity');
    expect(found.sensitivity).to.match(/one record moved the sums of release \d by [\d.]+ grid steps/);
  });

  it('is not needed for clipping skipped in the open: the mechanism itself refuses the sums', async () => {
    const wide: PrivateRun['kernel'] = request => integerSummer({ ...request, squaredNorm: 2 ** 52 });
    const found = await breaches(
      fitting(clipped, () => ({ kernel: wide })),
      clipped,
    );
    expect(found).to.have.all.keys('error');
    expect(found.error).to.include('rows of the sums were held to');
  });

  it('catches noise after the median', async () => {
    const plan = auditedPlan({ calibration: 'parallel', steps: 1, aggregate: 'median-of-means', blocks: 4 });
    const { noise } = plan;
    const late: Pipeline = (samples, watch) => {
      const mechanism = watch(discreteGaussianMechanism(noise, secure()));
      const { release, rowsPerBlock } = plan.plan.steps[0]!;
      const forged = trusted({
        name: 'noise after the median',
        kind: 'perturb' as const,
        from: 'sums' as const,
        to: 'sums' as const,
        steps: plan.plan.steps,
        event: () => mechanism.event(release!),
        run: map(({ sums, blocks }: BlockSums) => {
          const { values } = medianAggregator().aggregate({ sums, blocks, rowsPerBlock, privacy: 'raw' });
          const whole = values.map(value => Math.round(value * rowsPerBlock));
          const { grid, squaredNorm } = noise;
          return mechanism.perturb(
            { sums: whole, blocks: 1, rowsPerBlock, privacy: 'raw', grid, squaredNorm },
            release!,
          );
        }),
      });
      return lastValueFrom(
        split(scaledSamples(samples, plan.scaling), splitBy(plan)).pipe(
          descend(plan.plan, integerSums(plan.plan, noise), forged, mean()),
        ),
      );
    };
    expect(await breaches(privatePipeline(plan), plan)).to.deep.equal({});
    expect(await breaches(late, plan)).to.include.keys('sensitivity');
  });

  it('catches a row used in two chunks', async () => {
    const overlapping = (samples: Samples): Observable<Chunk> => {
      const { steps } = parallel.plan;
      return from(inMemory(samples)).pipe(
        concatMap(batch =>
          steps.map(({ rows }, index): Chunk => {
            // All but the first begin one row too early.
            const start = steps.slice(0, index).reduce((sum, step) => sum + step.rows, 0) - Math.min(1, index);
            // Forged, because a run refuses chunks that no split has made.
            return chunkOf(batch, {
              index,
              rows,
              batches: samplesOf(rowsBetween(batch, start, start + rows)).batches(),
              release: async () => {},
            });
          }),
        ),
      );
    };
    const found = await breaches(chunked(parallel, overlapping), parallel);
    expect(found).to.have.property('disjointness').that.includes('one record moved 2 blocks over 3 releases');
  });

  it('catches a split that depends on the data', async () => {
    const byTarget = (samples: Samples): Observable<Chunk> =>
      from(inMemory(samples)).pipe(concatMap(batch => split(samplesOf(sorted(batch)), splitBy(parallel))));
    expect(await breaches(chunked(parallel, byTarget), parallel)).to.include.keys('disjointness');
  });

  it('catches a seed reused, and words that come round again', async () => {
    const again = (): PrivateRun => ({ random: { ...seeded(0, 'noise'), isSecure: true } });
    expect(await breaches(fitting(parallel, again), parallel)).to.include.keys('repeated noise');
    const round = (): PrivateRun => {
      const random = secure();
      const words = Uint32Array.from({ length: 5000 }, () => random.word());
      let next = 0;
      const repeating: Random = { isSecure: true, word: () => words[next++ % words.length]! };
      return { random: repeating };
    };
    expect(await breaches(fitting(parallel, round), parallel)).to.include.keys('repeated noise');
  });

  it('says of an honest seed that the run is not private', async () => {
    const found = await breaches(
      fitting(parallel, () => ({ random: seeded(0, 'noise') })),
      parallel,
    );
    expect(found.charge).to.equal('the ledger says that the run is not private: seeded noise');
  });

  it('catches a run that stops on what is not noised, and one that fails on some rows', async () => {
    const stopping: Pipeline = async (samples, watch) => {
      const batch = await inMemory(scaledSamples(samples, exact.scaling));
      const largest = batch.target.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      return lastValueFrom(
        split(samplesOf(batch), splitBy(parallel)).pipe(
          descend(
            parallel.plan,
            integerSums(parallel.plan, parallel.noise),
            perturb(watch(discreteGaussianMechanism(parallel.noise, secure())), parallel.plan),
            mean(),
          ),
          takeWhile(({ step }) => step < 2 || largest >= 1),
        ),
      );
    };
    expect(await breaches(stopping, parallel)).to.include.keys('control flow');
    const strict: Pipeline = (samples, watch) =>
      privatePipeline(parallel)(
        mapSamples(samples, batch => {
          if (batch.target.some(Number.isNaN)) throw new Error('a target is missing');
          return batch;
        }),
        watch,
      );
    expect((await breaches(strict, parallel))['control flow']).to.include('a target is missing');
  });

  it('catches rows dropped before the split', async () => {
    const dropping = (samples: Samples): Observable<Chunk> =>
      from(inMemory(samples)).pipe(
        concatMap(batch => {
          const kept = Array.from({ length: batch.rows }, (_, i) => i).filter(i => batch.weights![i] !== 0);
          const places = Array.from({ length: batch.rows }, (_, i) => kept[i % kept.length]!);
          const pick = (column: Float64Array): Float64Array => Float64Array.from(places, i => column[i]!);
          const { rows, columns, target, weights } = batch;
          return split(
            samplesOf({ rows, columns: columns.map(pick), target: pick(target), weights: pick(weights!) }),
            splitBy(parallel),
          );
        }),
      );
    expect(await breaches(chunked(parallel, dropping), parallel)).to.include.keys('disjointness');
  });

  it('catches what bypasses the mechanism', async () => {
    const leaking: Pipeline = async (samples, watch) => {
      const { theta, ledger } = await privatePipeline(parallel)(samples, watch);
      const { target } = await inMemory(scaledSamples(samples, parallel.scaling));
      const average = target.reduce((sum, value) => sum + value, 0) / target.length;
      return { theta: theta.map(value => value + average), ledger };
    };
    expect(await breaches(leaking, parallel)).to.have.all.keys('leak');
    const unwatched: Pipeline = samples => privatePipeline(parallel)(samples, mechanism => mechanism);
    expect(await breaches(unwatched, parallel)).to.have.all.keys('no mechanism');
  });

  it('passes second moments that are had as they should be, and catches those without noise, without charge, and of rows that are held to nothing', async () => {
    const right = discreteGaussianMechanism(whitened.moments!.noise, secure());
    const had = whitenedBy((rows, watch) => releaseMoments(rows, whitened, watch(right)));
    expect(await breaches(had, whitened)).to.deep.equal({});
    const plain: Mechanism = {
      ...right,
      perturb: (given, release) => ({
        ...right.perturb(given, release),
        sums: given.sums.map(sum => sum * given.grid!),
      }),
    };
    const without = whitenedBy(rows => releaseMoments(rows, whitened, plain));
    expect(await breaches(without, whitened)).to.include.keys('sensitivity', 'charge');
    const free = whitenedBy(async (rows, watch) => ({
      ...(await releaseMoments(rows, whitened, watch(right))),
      ledger: ledger(),
    }));
    expect((await breaches(free, whitened)).charge).to.equal('the run made 4 releases, but its ledger charged 3');
    const threefold = whitenedBy((rows, watch) => {
      const watched = watch(right);
      return releaseMoments(rows, whitened, {
        ...watched,
        perturb: (given, release) => watched.perturb({ ...given, sums: given.sums.map(sum => 3 * sum) }, release),
      });
    });
    expect((await breaches(threefold, whitened)).sensitivity).to.match(/moved the sums of release 1 by \d+/);
  });

  it('fails a last look whose rows are held to twice the norm', async () => {
    const { features, intercept } = whitened.plan;
    const { count: numbers } = curvaturePlaces(features + (intercept ? 1 : 0));
    const wide: Pipeline = async (samples, watch) => {
      const wrap = (mechanism: Mechanism): Mechanism => {
        const watched = watch(mechanism);
        return {
          ...watched,
          perturb: (given, release) =>
            watched.perturb(
              given.sums.length === numbers ? { ...given, sums: given.sums.map(sum => 2 * sum) } : given,
              release,
            ),
        };
      };
      return (await fitPrivate(samples, whitened, { wrap })).fit;
    };
    const { sensitivity } = await breaches(wide, whitened, { pairs: 3000 });
    expect(sensitivity).to.match(/moved the sums of release 5 by \d+/);
  });

  it('fails what it cannot audit: an order of rows that nobody fixed', async () => {
    // Another order in every run, but the same ones whenever this is tested: two orders may happen to put as many like
    // rows into each chunk, and then nothing differs.
    let runs = 0;
    const unfixed = (): PrivateRun => ({ orderSeed: `run ${runs++}` });
    expect(await breaches(fitting(parallel, unfixed), parallel)).to.have.all.keys('not repeatable');
  });

  it('catches releases that are charged late, once for all, or not enough', async () => {
    const cheap = (mechanism: Mechanism): Mechanism => ({
      ...mechanism,
      event: release => ({ ...mechanism.event(release), mu: 0.9 * exact.noise.mu }) as PrivacyEvent,
    });
    const once: Pipeline = async (samples, watch) => {
      const { theta, ledger } = await privatePipeline(exact)(samples, watch);
      return {
        theta,
        ledger: { ...ledger, entries: ledger.entries.slice(0, 1), mu: ledger.mu / Math.sqrt(3) },
      };
    };
    expect(
      await breaches(
        fitting(parallel, () => ({}), cheap),
        parallel,
      ),
    ).to.include.keys('charge');
    const late: Pipeline = async (samples, watch) => {
      const wrap = (mechanism: Mechanism): Mechanism => ({ ...watch(mechanism), event: mechanism.event });
      return (await fitPrivate(samples, parallel, { wrap })).fit;
    };
    expect((await breaches(late, parallel)).charge).to.equal('a release was drawn before it was charged');
    // So many pairs show 0.73 of the true mu whatever the noise was, in 100 runs of 100; few show less than the 0.58
    // that is charged here in one run of ten.
    const found = await breaches(once, exact, { pairs: 3000 });
    expect(found.charge).to.equal('the run made 3 releases, but its ledger charged 1');
    expect(found.mu).to.include('the sums of two neighbours give a mu of');
  });
});
