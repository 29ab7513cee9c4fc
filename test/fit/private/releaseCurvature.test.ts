import { expect } from 'chai';
import { releaseCurvature } from '../../../src/fit/private/releases.ts';
import { bendOfClasses, type ReleasedCurvature } from '../../../src/inference/intervals/private/riskAxes.ts';
import { uniformBetween } from '../../../src/math/random/random.ts';
import { secure } from '../../../src/math/random/secure.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import type { Vector } from '../../../src/math/vector.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { weightedLogistic } from '../../../src/method/loss/weightedLogistic.ts';
import { type PrivateOptions, type PrivatePlan, planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { discreteGaussianMechanism } from '../../../src/privacy/discreteGaussianMechanism.ts';
import { gaussianEvent } from '../../../src/privacy/event.ts';
import { ledger } from '../../../src/privacy/ledger.ts';
import type { Mechanism } from '../../../src/privacy/mechanism.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../../src/sample/samples.ts';
import { expectStandardNoise } from '../../support/standardNoise.ts';
import { unitScaling } from '../../support/unitScaling.ts';

const ROWS = 2000;
const FEATURES = 4;
const Q = 0.2;
const random = seeded('releaseCurvature', 'rows');
const draw = (least: number, most: number): Float64Array =>
  Float64Array.from({ length: ROWS }, () => uniformBetween(random, least, most));
const batch = {
  ...sampleBatch(
    Array.from({ length: FEATURES }, () => draw(-2, 2)),
    draw(-1, 1),
  ),
  weights: draw(0, 1),
};
const rows = samplesOf(batch);

const planOf = (intercept: boolean, other: Partial<PrivateOptions> = {}): PrivatePlan =>
  planPrivate({
    rows: ROWS,
    loss: pseudoHuber(Q),
    scaling: unitScaling(FEATURES, { intercept }),
    epsilon: 1,
    delta: 1e-6,
    moments: 'yes',
    ...other,
  });
const plan = planOf(true);
const { noise } = plan.curvatureRelease!;
const mechanism = discreteGaussianMechanism(noise, secure());
const theta = Float64Array.of(0.1, -0.2, 0.05, 0.3, -0.1);

/** Releases the sums as they are. */
const silent = ({ curvatureRelease }: PrivatePlan): Mechanism => ({
  ...discreteGaussianMechanism(curvatureRelease!.noise, secure()),
  perturb: sums => ({
    ...sums,
    sums: sums.sums.map(sum => sum * curvatureRelease!.noise.grid),
    privacy: 'released',
  }),
});

const lookAt = async (at: Vector, plan: PrivatePlan, samples: Samples = rows): Promise<ReleasedCurvature> =>
  (await releaseCurvature(samples, plan, { theta: at, ledger: ledger() }, silent(plan))).released;

/** Means over the rows, from the definition of the loss; and how many rows are shortened to their norm. */
function byHand(
  at: Vector,
  along: Vector,
  { curvatureRelease, plan: { intercept } }: PrivatePlan,
): { readonly means: readonly number[]; readonly shortened: number } {
  const { norm, bend, lipschitz } = curvatureRelease!;
  const means = new Array<number>(2 * at.length + 2).fill(0);
  let shortened = 0;
  for (let i = 0; i < ROWS; i++) {
    const z = [...batch.columns.map(column => column[i]!), ...(intercept ? [1] : [])];
    const residual = z.reduce((sum, value, j) => sum + value * at[j]!, 0) - batch.target[i]!;
    const place = along.reduce((sum, value, j) => sum + value * z[j]!, 0);
    const weight = batch.weights[i]!;
    // r / sqrt(1 + (r/q)^2) is the slope, and this its derivative.
    const curve = (weight * (1 + (residual / Q) ** 2) ** -1.5) / bend;
    const slope = (weight * residual) / Math.sqrt(1 + (residual / Q) ** 2) / lipschitz;
    const row = [
      ...z.map(value => curve * value ** 2),
      curve * place ** 2,
      intercept ? curve * place : 0,
      ...z.map(value => (slope * value) ** 2),
    ];
    const length = Math.hypot(...row);
    if (length > norm) shortened++;
    row.forEach((value, k) => {
      means[k]! += (Math.min(1, norm / length) * value) / ROWS;
    });
  }
  return { means, shortened };
}

function expectMeans({ values, along }: ReleasedCurvature, at: Vector, plan: PrivatePlan): void {
  const { means, shortened } = byHand(at, along, plan);
  expect(shortened).to.be.within(ROWS / 20, ROWS / 2);
  expect(values).to.have.length(means.length);
  // A few steps of the grid over all rows; one more for each that is at its norm, where rounding is toward 0.
  const error = ((20 + shortened) * plan.curvatureRelease!.noise.grid) / ROWS;
  expect(error).to.be.below(1e-4);
  values.forEach((value, k) => {
    expect(value).to.be.closeTo(means[k]!, error);
  });
}

describe('releaseCurvature', () => {
  it('adds noise of the declared size to every number, and no other', async () => {
    const { values: exact } = await lookAt(theta, plan);
    expect(exact).to.have.length(12);
    await expectStandardNoise(exact, async () => {
      const { released: look } = await releaseCurvature(rows, plan, { theta, ledger: ledger() }, mechanism);
      expect(look.sigma).to.equal((noise.scale * noise.grid) / ROWS);
      return look;
    });
  });

  it('has the means of the definition but for noise, along the direction of the slopes', async () => {
    const look = await lookAt(theta, plan);
    const length = Math.hypot(0.1, 0.2, 0.05, 0.3);
    [0.1, -0.2, 0.05, 0.3].forEach((slope, j) => {
      expect(look.along[j]).to.be.closeTo(slope / length, 1e-15);
    });
    expectMeans(look, theta, plan);
  });

  it('looks along all coordinates alike where slopes are all 0', async () => {
    const still = Float64Array.of(0, 0, 0, 0, 0.3);
    const look = await lookAt(still, plan);
    expect(look.along).to.deep.equal(new Float64Array(FEATURES).fill(1 / 2));
    expectMeans(look, still, plan);
  });

  it('takes every coordinate for a slope where there is no intercept', async () => {
    const bare = planOf(false);
    const slopes = Float64Array.of(0.3, 0, 0, -0.4);
    const look = await lookAt(slopes, bare);
    expect(look.along).to.have.length(FEATURES);
    [0.6, 0, 0, -0.8].forEach((share, j) => {
      expect(look.along[j]).to.be.closeTo(share, 1e-15);
    });
    expect(look.values).to.have.length(10);
    expect(look.values[FEATURES + 1]).to.equal(0);
    expectMeans(look, slopes, bare);
  });

  it('expects of classes what their slopes and intercept let expect, and of residuals that they bend alike', async () => {
    const classes = samplesOf({ ...batch, target: batch.target.map(value => (value > 0 ? 1 : 0)) });
    const scalings = { target: { least: 0, most: 1 }, scalesTarget: false };
    const [withIntercept, without] = [true, false].map(intercept =>
      planOf(intercept, {
        loss: logistic(),
        scaling: unitScaling(FEATURES, { ...scalings, intercept }),
      }),
    );
    // Slopes of length 5.
    const leaning = await lookAt(Float64Array.of(3, 0, -4, 0, -2), withIntercept!, classes);
    expect(leaning.expected).to.deep.equal(bendOfClasses(weightedLogistic(), 5, -2));
    expect(leaning.expected.along).to.be.below(0.5);
    expect(leaning.expected.between).to.be.above(0.1);
    const even = await lookAt(Float64Array.of(3, 0, -4, 0), without!, classes);
    expect(even.expected).to.deep.equal(bendOfClasses(weightedLogistic(), 5, 0));
    expect((await lookAt(theta, plan)).expected).to.deep.equal({ along: 1, between: 0 });
  });

  it('charges before it reads a row or draws, on top of what was spent, and as not private where the noise can be drawn again', async () => {
    const order: string[] = [];
    const watched: Mechanism = {
      ...mechanism,
      event: release => {
        order.push('charge');
        return mechanism.event(release);
      },
      perturb: (sums, release) => {
        order.push('draw');
        return mechanism.perturb(sums, release);
      },
    };
    const read: Samples = {
      ...rows,
      batches: () => {
        order.push('read');
        return rows.batches();
      },
    };
    const spent = ledger([gaussianEvent({ chunk: 'all', sensitivity: 0.3, sigma: 1 })]);
    const { ledger: charged } = await releaseCurvature(read, plan, { theta, ledger: spent }, watched);
    expect(order).to.deep.equal(['charge', 'read', 'draw']);
    expect(charged.entries).to.have.length(2);
    expect(charged.entries[0]).to.equal(spent.entries[0]);
    expect(charged.entries[1]).to.include({ kind: 'gaussian', chunk: 'all' });
    expect(charged.isPrivate).to.equal(true);
    const own = (2 * Math.sqrt(noise.squaredNorm)) / noise.scale;
    expect(charged.mu).to.be.closeTo(Math.hypot(0.3, own), 1e-12);
    const simulated = discreteGaussianMechanism(noise, seeded('releaseCurvature', 'noise'));
    const { ledger: told } = await releaseCurvature(rows, plan, { theta, ledger: spent }, simulated);
    expect(told.isPrivate).to.equal(false);
  });
});
