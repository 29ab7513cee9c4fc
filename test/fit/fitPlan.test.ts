import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { fitPlan } from '../../src/fit/fitPlan.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import { planFit } from '../../src/plan/planFit.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';
import { expectClose } from '../support/close.ts';

describe('fitPlan', () => {
  // x = 1 throughout, so that a step of 1/2 halves the distance to the mean of the step's targets.
  const target = Float64Array.of(1, 1, 1, 1, 9, 9, 9, 9);
  const ones = new Float64Array(8).fill(1);
  const samples = samplesOf(sampleBatch([ones], target));
  const halving = { loss: squared(), rule: projectedGradient({ stepSize: 1 / 2 }), features: 1, steps: 2 };

  it('runs every step over the chunk of its own, in the order of the rows', async () => {
    const plan = planFit({ ...halving, rows: 8, mode: 'fresh', aggregate: 'mean' });
    const { theta, rows } = await fitPlan(samples, plan, { order: 'as-is' });
    expectClose(theta[0]!, (1 / 2 + 9) / 2);
    expect(rows).to.deep.equal({ used: 8, leftOver: 0 });
  });

  it('refuses other rows than the plan is for, of which some would be left out without a word', async () => {
    for (const mode of ['fresh', 'full'] as const) {
      for (const order of ['as-is', 'shuffle'] as const) {
        for (const rows of [6, 10]) {
          const plan = planFit({ ...halving, rows, mode, aggregate: 'mean' });
          const error = await fitPlan(samples, plan, { order }).catch(caught => caught);
          expect(error).to.be.instanceOf(ArgumentError);
          expect(error.message).to.equal(`the rows must be the ${rows} of the plan, got 8; plan for that many`);
        }
      }
    }
  });

  it('refuses an order that is none', async () => {
    const plan = planFit({ ...halving, rows: 8, mode: 'fresh', aggregate: 'mean' });
    const error = await fitPlan(samples, plan, { order: 'asis' as never }).catch(caught => caught);
    expect(error).to.be.instanceOf(ArgumentError);
    expect(error.message).to.equal('order must be "shuffle" or "as-is", got "asis"');
  });

  it('runs every step over all rows in full mode', async () => {
    const plan = planFit({ ...halving, rows: 8, mode: 'full', aggregate: 'mean' });
    const { theta } = await fitPlan(samples, plan);
    expectClose(theta[0]!, 5 * (1 - 1 / 4));
  });

  it('shuffles rows unless told otherwise, the same way for the same seed', async () => {
    const plan = planFit({ ...halving, rows: 8, mode: 'fresh', aggregate: 'mean' });
    const fitted = async (orderSeed: string): Promise<number> =>
      (await fitPlan(samples, plan, { orderSeed })).theta[0]!;
    const seeds = Array.from({ length: 8 }, (_, k) => String(k));
    const found = await Promise.all(seeds.map(fitted));
    expect(new Set(found).size).to.be.above(1);
    expect(await Promise.all(seeds.map(fitted))).to.deep.equal(found);
  });

  it('tells of every iterate', async () => {
    const plan = planFit({ ...halving, rows: 8, mode: 'fresh', aggregate: 'mean' });
    const seen: number[] = [];
    await fitPlan(samples, plan, { order: 'as-is', onIterate: ({ theta }) => seen.push(theta[0]!) });
    expect(seen).to.deep.equal([0.5, 4.75]);
  });

  it('refuses a private plan, whose noise it would not add', async () => {
    const plan = planFit({
      ...halving,
      rows: 8,
      aggregate: 'mean',
      privacy: { epsilon: 1, delta: 1e-6, lipschitz: 1 },
    });
    const error = await fitPlan(samples, plan).catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(ArgumentError);
    expect((error as Error).message).to.include('use planPrivate and fitPrivate');
  });
});
