import { expect } from 'chai';
import { localEngine } from '../../../src/engine/local/localEngine.ts';
import { DataError } from '../../../src/errors.ts';
import { fitPrivate, type PrivateRun } from '../../../src/fit/private/fitPrivate.ts';
import { privateUncertainty } from '../../../src/inference/intervals/private/privateUncertainty.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../src/math/random/random.ts';
import { secure } from '../../../src/math/random/secure.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { distance } from '../../../src/math/vector.ts';
import { lossByName } from '../../../src/method/loss/lossByName.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { type PrivateOptions, type PrivatePlan, planPrivate } from '../../../src/plan/private/planPrivate.ts';
import type { Mechanism } from '../../../src/privacy/mechanism.ts';
import type { BlockSums } from '../../../src/sample/gradientSums.ts';
import { type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../../src/sample/samples.ts';
import { scalingOf } from '../../../src/sample/transform/scaling.ts';
import { inArena } from '../../engine/kernel/inArena.ts';
import { expectClose } from '../../support/close.ts';
import { rebatched } from '../../support/descentFixtures.ts';
import { countsHeld, intervalsHeld } from '../../support/intervalsHeld.ts';
import { labelledSamples } from '../../support/labelledSamples.ts';

const rows = 30_000;
const random = seeded('fitPrivate', 'data');
const features = [
  Float64Array.from({ length: rows }, () => 10 * uniform(random)),
  Float64Array.from({ length: rows }, () => 100 * uniform(random)),
];
const data = sampleBatch(
  features,
  Float64Array.from(features[0]!, (x, i) => 2 * x - 0.1 * features[1]![i]! + 7 + normal(random)),
);
const scaling = scalingOf({
  features: 2,
  bounds: {
    intervals: [
      { least: 0, most: 10 },
      { least: 0, most: 100 },
    ],
  },
  target: { least: -10, most: 40 },
  intercept: true,
  scalesTarget: true,
});
const base: PrivateOptions = { rows, loss: pseudoHuber(0.2), scaling, epsilon: 0.9, delta: 1e-6 };

/** One release: the sums that the mechanism was given, and what it made of them. */
interface Seen {
  readonly given: BlockSums<'raw'>;
  readonly released: BlockSums<'released'>;
}

/**
 * All releases of a run. With a past, what is released is what was then, so that each release is made where that one
 * was: as neighbouring data are compared.
 */
async function releasesOf(
  samples: Samples,
  plan: PrivatePlan,
  { run = {}, past }: { readonly run?: PrivateRun; readonly past?: readonly Seen[] } = {},
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const probe = (mechanism: Mechanism): Mechanism => ({
    ...mechanism,
    perturb: (sums, release) => {
      const given = { ...sums, sums: sums.sums.slice() };
      const drawn = mechanism.perturb(sums, release);
      const released = past === undefined ? drawn : past[seen.length]!.released;
      seen.push({ given, released });
      return released;
    },
  });
  // The same noise every time, so that later steps are taken at the same places.
  await fitPrivate(samples, plan, { random: seeded('noise', 'probe'), ...run, wrap: probe });
  return seen;
}

/** The integers that the mechanism is given, release by release. */
const integersOf = async (samples: Samples, plan: PrivatePlan, run: PrivateRun = {}): Promise<number[][]> =>
  (await releasesOf(samples, plan, { run })).map(({ given }) => [...given.sums]);

/** Holds every release before noise to what its own noise is for, and says how much of that each has moved by. */
async function sharesMoved(one: SampleBatch, other: SampleBatch, plan: PrivatePlan): Promise<number[]> {
  const past = await releasesOf(samplesOf(one), plan);
  const now = await releasesOf(samplesOf(other), plan, { past });
  const { moments, noise, curvatureRelease } = plan;
  const noises = [
    ...(moments === null ? [] : [moments.noise]),
    ...plan.plan.steps.map(() => noise),
    ...(curvatureRelease === null ? [] : [curvatureRelease.noise]),
  ];
  expect([past.length, now.length]).to.deep.equal([noises.length, noises.length]);
  return noises.map(({ grid, squaredNorm }, k) => {
    const [before, after] = [past[k]!.given, now[k]!.given];
    expect([before.grid, after.grid]).to.deep.equal([grid, grid]);
    const moved = [...after.sums].reduce((sum, value, j) => sum + (BigInt(value) - BigInt(before.sums[j]!)) ** 2n, 0n);
    expect(moved <= 4n * BigInt(squaredNorm), `release ${k}`).to.equal(true);
    return Math.sqrt(Number(moved) / (4 * squaredNorm));
  });
}

/** The batch with another row in the place of row 17. */
function withRow({ columns, target }: SampleBatch, features: readonly number[], y: number): SampleBatch {
  const put = (column: Float64Array, value: number): Float64Array => column.map((own, i) => (i === 17 ? value : own));
  return sampleBatch(
    columns.map((column, j) => put(column, features[j]!)),
    put(target, y),
  );
}

describe('fitPrivate', () => {
  it('finds planted coefficients under secure noise, by full batches and by disjoint chunks', async () => {
    for (const mode of ['full', 'fresh'] as const) {
      const plan = planPrivate({ ...base, mode });
      const { theta, fit } = await fitPrivate(samplesOf(data), plan);
      // In scaled units and about the middle of the bounds: slopes of 2 * 5/25 and -0.1 * 50/25, and (12 - 15)/25.
      const middle = theta[2]! + 5 * theta[0]! + 50 * theta[1]!;
      const found = Float64Array.of(theta[0]! / 5, 2 * theta[1]!, (middle - 15) / 25);
      const error = distance(found, Float64Array.of(0.4, -0.2, -0.12));
      // Over 100 runs each the error was at most 0.7 of the predicted. It is Gaussian, of standard deviation below 0.3
      // of it in any coordinate, so 3 of it is a false alarm below 1e-20.
      expect(plan.predicted!.total).to.be.below(0.06);
      expect(error, mode).to.be.below(3 * plan.predicted!.total);
      expect(fit.ledger.isPrivate).to.equal(true);
      expect(fit.ledger.mu).to.be.at.most(plan.noise.mu);
      expectClose(fit.ledger.mu, plan.noise.mu, 1e-6);
      expect(fit.ledger.epsilon(1e-6)).to.be.at.most(0.9);
      expect(fit.ledger.entries).to.have.length(plan.plan.steps.length + (mode === 'full' ? 2 : 0));
    }
  });

  it('does with second moments what it cannot do without: features that lean to one end, and features that are alike', async () => {
    const own = seeded('fitPrivate', 'hard rows');
    const hard: Readonly<Record<string, () => readonly [number, number]>> = {
      leaning: () => [0.5 + 0.3 * normal(own), 4 + 2 * normal(own)],
      alike: () => {
        const common = normal(own);
        return [5 + 1.5 * common + 0.3 * normal(own), 50 + 15 * common + 3 * normal(own)];
      },
    };
    for (const [name, draw] of Object.entries(hard)) {
      const pairs = Array.from({ length: rows }, draw);
      const columns = [0, 1].map(j => Float64Array.from(pairs, pair => pair[j]!));
      const batch = sampleBatch(
        columns,
        columns[0]!.map((x, i) => 2 * x - 0.1 * columns[1]![i]! + 7 + normal(own)),
      );
      const errors: number[] = [];
      for (const moments of ['yes', 'no'] as const) {
        const plan = planPrivate({ ...base, mode: 'full', moments });
        let total = 0;
        for (let seed = 0; seed < 5; seed++) {
          const { theta } = await fitPrivate(samplesOf(batch), plan, { random: seeded(seed, 'noise') });
          total += Math.hypot(theta[0]! - 2, 10 * (theta[1]! + 0.1)) / 5;
        }
        errors.push(total);
      }
      // Of fixed seeds: 0.09 and 0.89 where they lean, 0.019 and 0.27 where they are alike.
      expect(errors[0], name).to.be.below(errors[1]! / 5);
    }
  });

  it('starts at the mean target, so that one at the end of its bounds does not push slopes which noise hides', async () => {
    const own = seeded('fitPrivate', 'far targets');
    const x = Float64Array.from({ length: rows }, () => 30_000 * Math.exp(0.7 * normal(own)));
    const batch = sampleBatch(
      [x],
      x.map(value => 2000 + 0.1 * value + 2000 * normal(own)),
    );
    const far = scalingOf({
      features: 1,
      bounds: { intervals: [{ least: 0, most: 1e6 }] },
      target: { least: 0, most: 1e6 },
      intercept: true,
      scalesTarget: true,
    });
    const plan = planPrivate({ ...base, scaling: far, moments: 'yes' });
    for (let seed = 0; seed < 5; seed++) {
      const iterates: number[] = [];
      const { theta, released } = await fitPrivate(samplesOf(batch), plan, {
        random: seeded(seed, 'noise'),
        onIterate: ({ theta: found }) => iterates.push(found[1]!),
      });
      // Targets are 5,800 in the mean: -0.988 of half their bounds.
      expect(iterates[0]).to.be.within(-1.05, -0.9);
      const { errors, reach } = privateUncertainty(plan, released)!;
      expect(Math.abs(theta[0]! - 0.1)).to.be.below(reach * errors[0]!);
      expect(Math.abs(theta[0]! - 0.1)).to.be.below(0.1);
    }
  });

  it('tells the levels of a text apart, however many there are, and holds a row that marks several to the same norm', async () => {
    const levels = 20;
    const own = seeded('fitPrivate', 'levels');
    const level = Float64Array.from({ length: rows }, () => Math.floor(levels * uniform(own)));
    const [x] = features;
    const columns = [x!, ...Array.from({ length: levels }, (_, k) => level.map(found => Number(found === k)))];
    const target = x!.map((value, i) => 2 * value + (level[i] === 3 ? 8 : 0) + normal(own));
    const marks = Array.from({ length: levels }, () => ({ least: 0, most: 1, levelOf: 'town' }));
    const options: PrivateOptions = {
      ...base,
      epsilon: 3,
      mode: 'full',
      scaling: scalingOf({
        features: levels + 1,
        bounds: { intervals: [{ least: 0, most: 10 }, ...marks] },
        target: { least: -10, most: 40 },
        intercept: true,
        scalesTarget: true,
      }),
    };
    const plan = planPrivate(options);
    const batch = sampleBatch(columns, target);
    const { theta } = await fitPrivate(samplesOf(batch), plan, { random: seeded(1, 'noise') });
    expect(theta[0]).to.be.closeTo(2, 0.2);
    expect(theta[4]! - theta[5]!).to.be.closeTo(8, 2);

    // Against a row that adds nothing, a row is seen by itself.
    const [nothing, several] = [NaN, 1e6].map(value => withRow(batch, new Array<number>(levels + 1).fill(value), -10));
    for (const moments of ['yes', 'no'] as const) {
      const shares = await sharesMoved(nothing!, several!, planPrivate({ ...options, moments, steps: 3 }));
      for (const share of shares) expect(share).to.be.within(0.1, 0.5);
    }
  });

  it('settles on features that lean to one end of their bounds', async () => {
    const own = seeded('fitPrivate', 'leaning');
    const leaning = Array.from({ length: 12 }, () =>
      Float64Array.from({ length: rows }, () => Math.min(100, -10 * Math.log(1 - uniform(own)))),
    );
    const [a, b] = leaning as [Float64Array, Float64Array];
    const target = a.map((value, i) => 5 + 0.5 * value - 0.3 * b[i]! + normal(own));
    const plan = planPrivate({
      ...base,
      epsilon: 20,
      mode: 'full',
      scaling: scalingOf({
        features: leaning.length,
        bounds: { intervals: leaning.map(() => ({ least: 0, most: 100 })) },
        target: { least: -20, most: 80 },
        intercept: true,
        scalesTarget: true,
      }),
    });
    const { theta } = await fitPrivate(samplesOf(sampleBatch(leaning, target)), plan, {
      random: seeded(1, 'noise'),
    });
    // Not yet there, but on the way: a step that is too long ends anywhere.
    expect(theta[0]).to.be.closeTo(0.5, 0.1);
    expect(theta[1]).to.be.closeTo(-0.3, 0.1);
  });

  it('refuses other rows than the plan is for before anything is released', async () => {
    for (const options of [
      { mode: 'fresh', steps: 3 },
      { mode: 'full', steps: 2, moments: 'no' },
      { mode: 'full', steps: 2, moments: 'yes' },
    ] as const) {
      const plan = planPrivate({ ...base, ...options, rows: 20_000 });
      const wrap = () => expect.fail('no mechanism should be asked for');
      const error = await fitPrivate(samplesOf(data), plan, { order: 'as-is', wrap }).catch(caught => caught);
      expect(error.message).to.equal('the rows must be the 20000 of the plan, got 30000; plan for that many');
      const right = planPrivate({ ...base, ...options });
      const wide = { ...data, columns: [...data.columns, data.target] };
      const other = await fitPrivate(samplesOf(wide), right, { order: 'as-is', wrap }).catch(e => e);
      expect(other.message).to.include(`the features must be the ${data.columns.length} of the plan`);
    }
  });

  it('refuses a folder that would not take the rows before anything is released', async () => {
    for (const options of [
      { mode: 'fresh', steps: 3 },
      { mode: 'full', steps: 10, moments: 'yes' },
    ] as const) {
      const plan = planPrivate({ ...base, ...options });
      let releases = 0;
      const run: PrivateRun = {
        memoryBytes: 0,
        scratch: '/nowhere/at/all',
        wrap: mechanism => ({
          ...mechanism,
          perturb: (sums, release) => {
            releases++;
            return mechanism.perturb(sums, release);
          },
        }),
      };
      const error = await fitPrivate(samplesOf(data), plan, run).catch(caught => caught);
      expect(error).to.be.instanceOf(DataError);
      expect(error.message).to.include('/nowhere/at/all');
      expect(releases).to.equal(0);
    }
  });

  it('draws other noise every time', async () => {
    const plan = planPrivate({ ...base, mode: 'full', steps: 2 });
    const [one, two] = [await fitPrivate(samplesOf(data), plan), await fitPrivate(samplesOf(data), plan)];
    expect(distance(one.theta, two.theta)).to.be.above(0);
  });

  it('is a simulation with seeded noise, and its ledger says so', async () => {
    const plan = planPrivate({ ...base, mode: 'full', steps: 3 });
    const run = () => fitPrivate(samplesOf(data), plan, { random: seeded(4, 'noise') });
    const [{ theta, fit }, again] = [await run(), await run()];
    expect(again.theta).to.deep.equal(theta);
    expect(fit.ledger.isPrivate).to.equal(false);
    expect(fit.ledger.mu).to.equal(Infinity);
    for (const entry of fit.ledger.entries) expect(entry).to.include({ kind: 'nonPrivate', reason: 'seeded noise' });
  });

  it('sums to the same integers on 1, 2 and 4 threads and for any batch size', async () => {
    for (const options of [
      { mode: 'full', steps: 3 },
      { mode: 'full', steps: 3, moments: 'no' },
      { mode: 'fresh', steps: 4 },
      { mode: 'fresh', steps: 3, aggregate: 'median-of-means', blocks: 5 },
      { mode: 'full', steps: 2, clip: 0.1 },
    ] as const) {
      const plan = planPrivate({ ...base, ...options });
      const expected = await integersOf(samplesOf(data), plan);
      expect(expected).to.have.length(options.steps + (plan.moments === null ? 0 : 2));
      expect(expected.flat().every(Number.isSafeInteger)).to.equal(true);
      expect(new Set(expected.flat()).size).to.be.above(2);
      for (const size of [1000, 4097, rows]) {
        expect(await integersOf(rebatched(data, size), plan), `batches of ${size}`).to.deep.equal(expected);
      }
      for (const threads of [1, 2, 4]) {
        const engine = localEngine({ threads });
        try {
          const run = { kernel: engine.integerSummer };
          expect(await integersOf(samplesOf(inArena(data)), plan, run), `${threads} threads`).to.deep.equal(expected);
        } finally {
          await engine.close();
        }
      }
    }
  });

  const counts = { ...scaling, target: { centre: 0, scale: 1 }, targetBounds: { least: 0, most: 40 } };
  for (const [name, moments, options] of [
    ['a bounded loss, second moments first', 'yes', {}],
    ['a bounded loss', 'no', {}],
    ['means, second moments first @slow', 'yes', { loss: squared() }],
    ['counts, second moments first @slow', 'yes', { loss: poisson(), scaling: counts }],
  ] as const) {
    it(`holds every row to sqrt(B2) before noise, so one replaced row moves any release by at most 2 sqrt(B2): ${name}`, async () => {
      const nothing = withRow(data, [NaN, 1], 1);
      const odd = [
        [10, 100, -10],
        [10, 100, 40],
        [10, 0, 27],
        [1e308, -1e308, 1e308],
        [1, 1, Infinity],
        [-5, 1e9, 39],
      ].map(([x, z, y]) => withRow(data, [x!, z!], y!));
      const batches = [data, nothing, ...odd];
      const plan = planPrivate({ ...base, ...options, mode: 'full', steps: 3, moments });
      const most = new Array<number>(moments === 'yes' ? 5 : 3).fill(0);
      for (const [k, one] of batches.entries()) {
        for (const other of batches.slice(k + 1)) {
          const shares = await sharesMoved(one, other, plan);
          shares.forEach((share, release) => {
            if (one === data) expect(share).to.be.above(0);
            // A row by itself.
            if (one === nothing) expect(share, `release ${release}`).to.be.at.most(0.5);
            most[release] = Math.max(most[release]!, share);
          });
        }
      }
      // That they are held shows only where rows come near. Gradients of a step may be opposite; squares, of which the
      // other releases have many, are not.
      const steps = moments === 'yes' ? most.slice(1, -1) : most;
      if ('loss' in options) return;
      expect(Math.min(...steps)).to.be.above(0.95);
      expect(Math.min(...most)).to.be.above(0.5);
    });
  }

  it('uses every row in at most one step of fresh mode, in either order', async () => {
    // One feature that is the row itself, and a kernel that notes what it is given.
    const samples = labelledSamples([400, 700, 900]);
    const wide = { least: 0, most: 2000 };
    const plan = planPrivate({
      ...base,
      rows: 2000,
      epsilon: 5,
      delta: 1e-4,
      mode: 'fresh',
      steps: 6,
      scaling: scalingOf({
        features: 1,
        bounds: { intervals: [wide] },
        target: wide,
        intercept: false,
        scalesTarget: true,
      }),
    });
    const sizes = plan.plan.steps.map(step => step.rows);
    for (const order of ['shuffle', 'as-is'] as const) {
      const seen: number[][] = [];
      const { fit } = await fitPrivate(samples, plan, {
        order,
        kernel: ({ at, blocks, rowsPerBlock, grid, squaredNorm }) => {
          const own: number[] = [];
          seen.push(own);
          return {
            add: batch => {
              own.push(...Array.from(batch.target, y => Math.round(2000 * y)));
              return batch.rows;
            },
            finish: () => ({
              sums: new Float64Array(at.length),
              blocks,
              rowsPerBlock,
              privacy: 'raw',
              grid,
              squaredNorm,
            }),
          };
        },
      });
      expect(seen.map(own => own.length)).to.deep.equal(sizes);
      expect(new Set(seen.flat()).size).to.equal(fit.rows.used);
      expect(fit.rows).to.deep.equal({ used: 2000 - plan.plan.leftOver, leftOver: plan.plan.leftOver });
      const inOrder = seen.flat().every((row, i) => row === i);
      expect(inOrder).to.equal(order === 'as-is');
    }
  });

  it('shuffles by a public seed: the same order for the same seed, another for another', async () => {
    const plan = planPrivate({ ...base, mode: 'fresh', steps: 3 });
    const usual = await integersOf(samplesOf(data), plan);
    expect(await integersOf(samplesOf(data), plan)).to.deep.equal(usual);
    expect(await integersOf(samplesOf(data), plan, { orderSeed: 'other' })).to.not.deep.equal(usual);
  });

  it('tells of every step while it runs, and gives nothing back but what the mechanism released', async () => {
    const plan = planPrivate({ ...base, mode: 'full', steps: 3 });
    const steps: number[] = [];
    const { fit } = await fitPrivate(samplesOf(data), plan, {
      random: secure(),
      onIterate: ({ step, gradient }) => {
        steps.push(step);
        expect(gradient!.privacy).to.equal('released');
      },
    });
    expect(steps).to.deep.equal([1, 2, 3]);
    expect(Object.keys(fit).sort()).to.deep.equal(['ledger', 'rows', 'steps', 'theta']);
    for (const step of fit.steps)
      expect(Object.keys(step).sort()).to.deep.equal(['gradientNorm', 'rows', 'sigma', 'step']);
  });

  it('fits a logistic model privately, with targets as they are', async () => {
    const own = seeded('fitPrivate', 'labels');
    const labels = Float64Array.from(features[0]!, x => (uniform(own) < 1 / (1 + Math.exp(5 - x)) ? 1 : 0));
    const counted = scalingOf({
      features: 2,
      bounds: {
        intervals: scaling.features.map(({ centre, scale }) => ({
          least: centre - scale,
          most: centre + scale,
        })),
      },
      target: { least: 0, most: 1 },
      intercept: true,
      scalesTarget: false,
    });
    const plan = planPrivate({
      ...base,
      scaling: counted,
      loss: lossByName('logistic').loss,
      epsilon: 2,
      steps: 60,
      mode: 'full',
    });
    const { theta } = await fitPrivate(samplesOf(sampleBatch(features, labels)), plan);
    // By secure noise, over 150 runs: a slope of 1.0021 give or take 0.0046, and a ratio of 0.1994 give or take 0.0005.
    // Either bound is nine such deviations away: of normal errors, a false alarm below 1e-18.
    expect(theta[0]! / -theta[2]!).to.be.closeTo(0.2, 0.005);
    expect(theta[0]).to.be.closeTo(1, 0.05);
  });

  for (const [name, bounds] of [
    ['', 1],
    [', in bounds that are ten times too wide too @slow', 10],
  ] as const) {
    // By 20 seeds: of intervals that cover 95 %, fewer than 50 of 60 do with a chance of 1e-4.
    it(`estimates means by the squared loss without a radius${name}`, async () => {
      // Exponential residuals: their median is not 0, their mean is.
      const draw = (score: number, random: Random) => score - Math.log(1 - uniform(random)) - 1;
      const target = { least: -10 * bounds, most: 10 * bounds };
      const { held, mean } = await intervalsHeld({ bounds, target, truth: [2, -2, 0.5], loss: squared(), draw }, 3);
      expect(held).to.be.at.least(50);
      // The mean of 20 slopes errs by 0.01, or 0.1.
      expect(mean[0]).to.be.closeTo(2, 0.05 * bounds);
      expect(mean[1]).to.be.closeTo(-2, 0.05 * bounds);
    });
  }

  it('estimates rates of counts far above e and far below the largest that is declared', async () => {
    // Seeds are fixed: of 9 intervals that cover 95 %, fewer than 7 do with a chance of 1e-2. The mean of 3 is 2.6 times
    // as far off as that of the 20 in test/slow/intervals.test.ts.
    for (const { held, mean, truth } of await countsHeld(3)) {
      expect(held).to.be.at.least(7);
      truth.forEach((value, j) => {
        expect(mean[j]).to.be.closeTo(value, 0.1);
      });
    }
  });
});
