import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { type FitRowsOptions, fitRows, layoutFor, readsOnce } from '../../src/fit/fitRows.ts';
import { normal } from '../../src/math/random/normal.ts';
import { type Random, uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { studentT } from '../../src/math/random/studentT.ts';
import { distance, norm, oneNorm } from '../../src/math/vector.ts';
import { l1Ball } from '../../src/method/constraint/l1Ball.ts';
import { l2Ball } from '../../src/method/constraint/l2Ball.ts';
import { logistic } from '../../src/method/loss/logistic.ts';
import { lossByName } from '../../src/method/loss/lossByName.ts';
import { poisson } from '../../src/method/loss/poisson.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { rowsBetween, type SampleBatch, sampleBatch } from '../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../src/sample/samples.ts';
import { rebatched } from '../support/descentFixtures.ts';

const rows = 20_000;

/** y = x.(1, -2, 0.5) + 4 + noise over features of very different sizes; sorted by the target if asked. */
function regression(noise: (random: Random) => number, sorted = false): SampleBatch {
  const random = seeded('estimate', 'regression');
  const points = Array.from({ length: rows }, () => {
    const x = [normal(random), 3 + normal(random) / 10, 100 * uniform(random)];
    return { x, y: x[0]! - 2 * x[1]! + 0.5 * x[2]! + 4 + noise(random) };
  });
  if (sorted) points.sort((a, b) => a.y - b.y);
  const columns = [0, 1, 2].map(j => Float64Array.from(points, point => point.x[j]!));
  return sampleBatch(
    columns,
    Float64Array.from(points, point => point.y),
  );
}
const truth = Float64Array.of(1, -2, 0.5, 4);
const error = (theta: Float64Array): number => {
  const away = theta.map((value, j) => value - truth[j]!);
  // The intercept's error counts at the centre of the features, where it is not at odds with the slopes'.
  return norm(Float64Array.of(away[0]!, away[1]! / 10, 30 * away[2]!, away[3]! + 3 * away[1]! + 50 * away[2]!));
};

describe('estimate', () => {
  it('needs no settings: heavy tails, any units, any size of batch', async () => {
    const batch = regression(random => studentT(random, 1.5));
    const { fit, loss, layout } = await fitRows(rebatched(batch, 999));
    expect(loss.name).to.equal('pseudo-huber');
    expect(layout).to.deep.include({ mode: 'full', sharesPilot: true });
    expect(error(fit.theta)).to.be.below(0.06);
    const fresh = await fitRows(rebatched(batch, 999), { mode: 'fresh' });
    expect(fresh.layout.mode).to.equal('fresh');
    expect(error(fresh.fit.theta)).to.be.below(0.06);
    const again = await fitRows(samplesOf(batch));
    expect([...again.fit.theta]).to.deep.equal([...fit.theta]);
  });

  it('refuses a choice that is none', async () => {
    const samples = samplesOf(regression(normal));
    for (const [name, value] of Object.entries({
      order: 'asis',
      mode: 'ful',
      method: 'newtn',
      schedule: 'even',
      aggregate: 'median',
    })) {
      const refused = await fitRows(samples, { [name]: value }).catch(caught => caught);
      expect(refused).to.be.instanceOf(ArgumentError);
      expect(refused.message).to.match(new RegExp(`^${name} must be ".*, got "${value}"$`));
    }
  });

  it('leaves out no row where steps see all of them, whether blocks divide them or not', async () => {
    const random = seeded('estimate', 'rest');
    const x = Float64Array.from({ length: 1999 }, () => normal(random));
    const target = x.map(value => value + studentT(random, 3));
    const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / 1999;
    const centred = x.map(value => value - mean(x));
    const slope = mean(centred.map((z, i) => z * target[i]!)) / mean(centred.map(z => z * z));
    const samples = rebatched(sampleBatch([x], target), 300);
    const loss = lossByName('squared');
    const { fit, plan, layout } = await fitRows(samples, { loss });
    expect(layout.rows % layout.blocks).to.be.above(0);
    expect(fit.theta[0]).to.be.closeTo(slope, 1e-12);
    expect(fit.rows).to.deep.equal({ used: 1999, leftOver: 0 });
    expect([fit.rowsBehind, plan.leftOver, fit.steps[0]!.rows]).to.deep.equal([1999, 0, 1999]);

    // Two steps are too few to keep moments for.
    const few = await fitRows(samples, { loss, steps: 2 });
    expect(few.fit.theta[0]).to.be.closeTo(slope, 1e-12);

    const median = await fitRows(samples, { loss, aggregate: 'median-of-means' });
    expect(median.fit.rows.leftOver).to.equal(1999 % median.layout.blocks);
  });

  it('reads moments of all rows in one pass, those that fill no block among them', async () => {
    const { columns, target } = regression(normal);
    const samples = samplesOf(
      sampleBatch(
        columns.map(column => column.subarray(0, 12_011)),
        target.subarray(0, 12_011),
      ),
    );
    const options = { loss: lossByName('squared'), mode: 'full', blocks: 16, order: 'as-is' } as const;
    const { fit, pilotRows } = await fitRows(samples, options);
    expect((12_011 - pilotRows) % 16).to.be.above(0);
    expect(fit.rows).to.deep.equal({ used: 12_011 - pilotRows, leftOver: 0 });
    const one = await fitRows(samples, { ...options, blocks: 1 });
    expect(distance(fit.theta, one.fit.theta)).to.be.below(1e-9);
  });

  it('gives the same slopes however far the target is from zero, outliers or not', async () => {
    const random = seeded('estimate', 'offset');
    const x = Float64Array.from({ length: 4000 }, () => normal(random));
    const near = x.map(value => value + normal(random) + (uniform(random) < 0.05 ? 5 * value + 20 : 0));
    for (const name of [undefined, 'pseudo-huber', 'squared'] as const) {
      let allowed = 1e-8;
      const slopeAt = async (offset: number): Promise<number> => {
        const target = near.map(value => offset + value);
        const loss = name && lossByName(name);
        const { fit, pilot, uncertainty } = await fitRows(samplesOf(sampleBatch([x], target)), loss ? { loss } : {});
        expect(pilot!.residuals.scale).to.be.within(0.9, 1.2);
        // In other units the half-samples of the default are others.
        if (name === undefined) allowed = 0.5 * uncertainty!.errors[0]!;
        return fit.theta[0]!;
      };
      const slope = await slopeAt(0);
      for (const offset of [1e6, 1e9, 1e10, 1e12])
        expect(await slopeAt(offset), `${name} at ${offset}`).to.be.closeTo(slope, allowed + 1e-16 * offset);
    }
  });

  it('measures gradients in the coordinates of its steps, whatever the units of a column', async () => {
    const random = seeded('estimate', 'norms');
    const [x, z] = [0, 1].map(() => Float64Array.from({ length: 3000 }, () => normal(random)));
    const target = x!.map((value, i) => value + z![i]! + normal(random));
    const norms = async (column: Float64Array): Promise<number[]> => {
      const loss = lossByName('squared');
      const { fit, samplingNorm } = await fitRows(samplesOf(sampleBatch([x!, column], target)), { loss });
      return fit.steps.map(({ gradientNorm }) => gradientNorm / samplingNorm!);
    };
    const near = await norms(z!);
    const far = await norms(z!.map(value => 1e12 + 1e9 * value));
    expect(far[0]).to.be.closeTo(near[0]!, 1e-6 * near[0]!);
    for (const last of [near.at(-1)!, far.at(-1)!]) expect(last).to.be.below(1e-9);
  });

  it('shuffles sorted rows, which in their own order mislead', async () => {
    const batch = regression(normal, true);
    const shuffled = await fitRows(samplesOf(batch));
    expect(error(shuffled.fit.theta)).to.be.below(0.06);
    const options = { order: 'as-is', loss: lossByName('squared') } as const;
    const misled = await fitRows(samplesOf(batch), { ...options, mode: 'fresh' });
    expect(error(misled.fit.theta)).to.be.above(1);
    // All rows in every step have no order.
    const all = await fitRows(samplesOf(batch), options);
    expect(error(all.fit.theta)).to.be.below(0.06);
  });

  it('chooses another shuffle for another seed', async () => {
    const samples = samplesOf(regression(normal));
    const [one, two] = [await fitRows(samples, { orderSeed: '1' }), await fitRows(samples, { orderSeed: '2' })];
    expect(distance(one.fit.theta, two.fit.theta)).to.be.above(0);
    expect(error(two.fit.theta)).to.be.below(0.06);
  });

  it('takes a logistic loss where all targets are 0 or 1', async () => {
    const random = seeded('estimate', 'binary');
    const x = Float64Array.from({ length: rows }, () => 2 * normal(random));
    const y = x.map(value => (uniform(random) < 1 / (1 + Math.exp(1 - value)) ? 1 : 0));
    const { fit, loss } = await fitRows(samplesOf(sampleBatch([x], y)));
    expect(loss.name).to.equal('logistic');
    expect(fit.theta[0]).to.be.closeTo(1, 0.1);
    expect(fit.theta[1]).to.be.closeTo(-1, 0.1);
  });

  it('takes a loss by its name, as its factory makes it, or with what it predicts, all the same', async () => {
    const samples = samplesOf(regression(normal));
    const asked = lossByName('squared');
    const { fit } = await fitRows(samples, { loss: asked });
    for (const loss of ['squared', squared()] as const) {
      const found = await fitRows(samples, { loss });
      expect([...found.fit.theta]).to.deep.equal([...fit.theta]);
      expect(found.loss.name).to.equal('squared');
      expect(layoutFor(samples, { loss })).to.deep.equal(layoutFor(samples, { loss: asked }));
      expect(readsOnce(samples, { loss })).to.equal(readsOnce(samples, { loss: asked }));
    }
  });

  it('takes an option that is undefined for one that was not given', async () => {
    const samples = samplesOf(regression(normal));
    const nothing = {
      ...{ loss: undefined, method: undefined, intercept: undefined, aggregate: undefined },
      ...{ failureProbability: undefined, order: undefined, orderSeed: undefined, steps: undefined },
      ...{ mode: undefined, schedule: undefined, blocks: undefined, heldOut: undefined, stepSize: undefined },
    } as unknown as FitRowsOptions;
    const { fit } = await fitRows(samples, nothing);
    expect([...fit.theta]).to.deep.equal([...(await fitRows(samples)).fit.theta]);
    expect(layoutFor(samples, nothing)).to.deep.equal(layoutFor(samples, {}));
  });

  it('keeps to itself what it tells the fit about the layout', () => {
    // @ts-expect-error: whether the layout stays follows from the options
    const layout: FitRowsOptions = { keepsLayout: true };
    // @ts-expect-error: where rows are follows from their order
    const places: FitRowsOptions = { places: () => new Float64Array(0) };
    expect([layout, places]).to.have.lengthOf(2);
  });

  it('refuses targets that the loss has no meaning for, with their value and a way out', async () => {
    const counts = regression(normal);
    const found = (loss: FitRowsOptions['loss'], batch: SampleBatch): Promise<string> =>
      fitRows(samplesOf(batch), { ...(loss && { loss }) }).then(
        () => 'no refusal',
        caught => caught.message,
      );
    const many = { ...counts, target: counts.target.map((_, i) => i % 4) };
    expect(await found(logistic(), many)).to.match(
      /^logistic needs targets from 0 to 1, got [23] and \d+ more in 20000 rows of the pilot; choose a loss/,
    );
    const negative = { ...counts, target: counts.target.map((_, i) => (i === 7 ? -3 : i % 4)) };
    expect(await found(poisson(), negative)).to.match(
      /^poisson needs targets of at least 0, got -3 in \d+ rows of the pilot; choose a loss/,
    );
    const weights = new Float64Array(rows).fill(1);
    weights[7] = 0;
    expect(await found('poisson', { ...negative, weights })).to.equal('no refusal');
    expect(await found('auto', negative)).to.equal('no refusal');
  });

  it('reaches least squares in full mode with the mean', async () => {
    const batch = regression(normal);
    const options = { loss: lossByName('squared'), aggregate: 'mean', mode: 'full', steps: 15 } as const;
    const { fit } = await fitRows(samplesOf(batch), options);
    expect(error(fit.theta)).to.be.below(0.04);
    expect(fit.steps.at(-1)!.gradientNorm).to.be.below(1e-8 * fit.steps[0]!.gradientNorm);
  });

  it('obeys every method, set and aggregate it is given', async () => {
    const samples = samplesOf(regression(normal));
    const huber = await fitRows(samples, { aggregate: { huber: 0.05 } });
    expect(error(huber.fit.theta)).to.be.below(0.1);
    const momentum = await fitRows(samples, { method: 'nesterov' });
    expect(error(momentum.fit.theta)).to.be.below(0.1);
    const small = await fitRows(samples, {
      constraint: l1Ball(0.5),
      mode: 'full',
      steps: 50,
      aggregate: 'mean',
    });
    expect(oneNorm(small.fit.theta.subarray(0, 3))).to.be.at.most(0.5 + 1e-9);
    const wolfe = await fitRows(samples, {
      loss: lossByName('squared'),
      method: 'frank-wolfe',
      constraint: l2Ball(1),
      intercept: false,
      mode: 'full',
      steps: 30,
    });
    expect(norm(wolfe.fit.theta)).to.be.at.most(1 + 1e-9);
    expect(wolfe.layout.pilotRows).to.equal(0);
    const ridged = await fitRows(samples, { penalty: 1e6 });
    expect(norm(ridged.fit.theta.subarray(0, 3))).to.be.below(0.01);
  });

  it('refuses what cannot be done, with a way out', async () => {
    const samples = samplesOf(regression(normal));
    const refusal = (options: Parameters<typeof fitRows>[1]): Promise<string> =>
      fitRows(samples, options).then(
        () => 'nothing',
        caught => caught.message,
      );
    expect(await refusal({ method: 'frank-wolfe' })).to.include('use l2Ball, l1Ball or box');
    expect(await refusal({ method: 'frank-wolfe', constraint: l2Ball(1) })).to.include('set intercept to false');
    expect(await refusal({ method: 'nesterov', constraint: l2Ball(1) })).to.include('leave constraint out');
    expect(await refusal({ method: 'accelerated-frank-wolfe', constraint: l2Ball(1), intercept: false })).to.include(
      'needs its constant stepSize',
    );
  });

  it('ends the pass that the pilot began where something stops it before the first step', async () => {
    const { batches, ...about } = rebatched(regression(normal), 999);
    const stopped = async (options: FitRowsOptions): Promise<readonly string[]> => {
      const told: string[] = [];
      const watched = {
        ...about,
        async *batches() {
          told.push('begun');
          try {
            yield* batches();
          } finally {
            told.push('ended');
          }
        },
      };
      const loss = lossByName('pseudo-huber', { parameter: 1 });
      await fitRows(watched, { order: 'as-is', mode: 'fresh', loss, ...options }).catch(({ message }) =>
        told.push(message),
      );
      return told;
    };
    const [begun, ended, refused] = await stopped({ loss: lossByName('logistic') });
    expect([begun, ended]).to.deep.equal(['begun', 'ended']);
    expect(refused).to.include('rows of the pilot');
    const onPlan = (): never => {
      throw new Error('no such plan');
    };
    expect(await stopped({ onPlan })).to.deep.equal(['begun', 'ended', 'no such plan']);
  });

  it('refuses rows that go on after their number', async () => {
    const { columns, target } = regression(normal);
    const samples = samplesOf(sampleBatch(columns, target));
    const message = await fitRows({ ...samples, rows: 100 }, { order: 'as-is' }).catch((error: Error) => error.message);
    expect(message).to.equal('the batches must have at most 100 rows in all, got more');
  });

  it('reads few rows in their order once, those held out too, and says so before', async () => {
    const { batches, ...about } = rebatched(rowsBetween(regression(normal), 0, 900), 99);
    let begun = 0;
    const once = {
      ...about,
      batches() {
        begun++;
        return batches();
      },
    };
    let held = 0;
    const use = async ({ batches: rest }: Samples): Promise<void> => {
      for await (const batch of rest()) held += batch.rows;
    };
    const asked: readonly FitRowsOptions[] = [
      { loss: lossByName('squared') },
      { loss: lossByName('squared'), aggregate: { huber: 0.1 } },
      { heldOut: { rows: 200, use } },
      {},
    ];
    for (const options of asked) {
      begun = 0;
      const inOrder: FitRowsOptions = { ...options, mode: 'full', order: 'as-is' };
      expect(readsOnce(once, inOrder)).to.equal(true);
      await fitRows(once, inOrder);
      expect(begun).to.equal(1);
    }
    expect(held).to.equal(200);
    const many = { rows: 100_000, features: 3 };
    const moments: FitRowsOptions = { mode: 'full', loss: lossByName('squared') };
    expect(readsOnce(many, moments)).to.equal(true);
    expect(readsOnce(many, { ...moments, aggregate: { huber: 0.1 } })).to.equal(false);
    expect(readsOnce(many, { ...moments, heldOut: { rows: 200, use } })).to.equal(false);
    expect(readsOnce(many, { mode: 'full' })).to.equal(false);
    const short = { ...once, rows: 1000 };
    const refused = await fitRows(short, { mode: 'full', order: 'as-is' }).catch(caught => caught);
    expect(refused.message).to.equal('the rows ended after 900 of 1000');
  });

  it('says which rows would do what before it reads any', () => {
    const layout = layoutFor({ rows: 1_000_000, features: 20 }, {});
    expect(layout.pilotRows + layout.schedule!.chunks.reduce((sum, size) => sum + size, 0)).to.equal(1_000_000);
    expect(layoutFor({ rows: 1000, features: 3 }, { stepSize: 0.1, loss: lossByName('squared') }).pilotRows).to.equal(
      0,
    );
  });
});
