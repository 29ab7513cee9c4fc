import { expect } from 'chai';
import { ArgumentError } from '../../../../src/errors.ts';
import { fitPlan } from '../../../../src/fit/fitPlan.ts';
import { type FitRowsOptions, fitRows } from '../../../../src/fit/fitRows.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { l2Ball } from '../../../../src/method/constraint/l2Ball.ts';
import { pseudoHuber } from '../../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../../src/method/loss/squared.ts';
import { nesterov } from '../../../../src/method/rule/nesterov.ts';
import { projectedGradient } from '../../../../src/method/rule/projectedGradient.ts';
import { tailAveraged } from '../../../../src/method/rule/tailAveraged.ts';
import { planFit } from '../../../../src/plan/planFit.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../../../src/sample/samples.ts';

const random = seeded('astray', 'rows');
const [a, b] = [0, 1].map(() => Float64Array.from({ length: 2000 }, () => normal(random)));
// One row in ten is far off.
const target = a!.map((value, i) => 2 * value - b![i]! + 7 + normal(random) + (i % 10 === 0 ? 50 : 0));
const rows = samplesOf(sampleBatch([a!, b!], target));
const fitBy = (options: FitRowsOptions) => fitRows(rows, options);
const refusalOf = async (options: FitRowsOptions): Promise<ArgumentError> => {
  const caught = await fitBy(options).then(
    () => null,
    (error: unknown) => error,
  );
  expect(caught).to.be.instanceOf(ArgumentError);
  return caught as ArgumentError;
};
const plain: FitRowsOptions = { loss: squared(), mode: 'full', steps: 30 };

describe('divergence', () => {
  it('refuses steps whose gradients grow, with a step that comes to the answer', async () => {
    const { code, message, detail } = await refusalOf({ ...plain, stepSize: 2.5 });
    expect(code).to.equal('ERR_DIVERGED');
    expect(message).to.match(
      /^the steps diverged, and the coefficients would be meaningless: the norm of the gradient went from [\d.]+ to \d+; `stepSize: 2\.5` is too large for these rows: omit it, or use about 0\.\d+$/,
    );
    const mended = await fitBy({ ...plain, stepSize: detail.suggestedStep as number });
    expect(mended.fit.theta[0]).to.be.closeTo(2, 1);
  });

  it('steps that swing from side to side where gradients are bounded, of which no step follows', async () => {
    const { message, detail } = await refusalOf({ loss: pseudoHuber(1), mode: 'full', steps: 30, stepSize: 1000 });
    expect(message).to.include('the norm of the gradient');
    expect(detail).to.deep.equal({ stepSize: 1000, suggestedStep: null });
  });

  it("those after which the pilot's rows have a larger loss, where a loss is flat far off", async () => {
    const { message, detail } = await refusalOf({ stepSize: 1e9 });
    expect(message).to.include('the loss of the pilot rows is larger than at their own estimate');
    expect((await fitBy({ stepSize: detail.suggestedStep as number })).fit.theta[0]).to.be.closeTo(2, 1);
  });

  it('and those after which rows of the last chunk have, so that no gradients of the same rows can be compared', async () => {
    for (const aggregate of ['auto', 'mean'] as const) {
      for (const steps of [1, 2, 3, 20]) {
        const { message } = await refusalOf({
          loss: pseudoHuber(1),
          mode: 'fresh',
          steps,
          aggregate,
          stepSize: 1000,
        });
        expect(message, `${aggregate}, ${steps}`).to.equal(
          'the steps diverged, and the coefficients would be meaningless: the loss of the last chunk is larger than at the start; `stepSize: 1000` is too large for these rows: omit it',
        );
      }
    }
  });

  it('refuses nothing by chance, where fresh chunks begin at the answer', async () => {
    const start = Float64Array.of(2, -1, 7.5);
    for (let orderSeed = 0; orderSeed < 20; orderSeed++) {
      for (const stepSize of [0.5, 2]) {
        const near: FitRowsOptions = { loss: pseudoHuber(1), mode: 'fresh', steps: 3, start, stepSize };
        await fitBy({ ...near, orderSeed: String(orderSeed) });
      }
    }
  });

  it('nor steps that settle, that are short, that a set holds back, or that nobody gave', async () => {
    const settings: readonly FitRowsOptions[] = [
      {},
      { stepSize: 0.01 },
      { ...plain, stepSize: 1 },
      { ...plain, stepSize: 1e-6 },
      { ...plain, stepSize: 0.5, start: Float64Array.of(2, -1, 12) },
      { loss: squared(), schedule: 'geometric', steps: 5, stepSize: 0.9 },
      { stepSize: 0.5, constraint: l2Ball(0.1) },
      { method: 'frank-wolfe', intercept: false, constraint: l2Ball(1), loss: squared() },
    ];
    for (const options of settings) await fitBy(options);
  });

  it('refuses a plan of any rule whose steps are too long for the rows, in both modes', async () => {
    const far = samplesOf(sampleBatch([a!.map(value => value + 30), b!.map(value => value - 30)], target));
    const rules = [
      projectedGradient({ stepSize: 1 }),
      nesterov({ stepSize: 1, momentum: 0.1 }),
      tailAveraged(projectedGradient({ stepSize: 1 }), 2),
    ];
    for (const rule of rules) {
      for (const mode of ['full', 'fresh'] as const) {
        const planned = { rows: 2000, features: 2, rule, steps: 4, mode, aggregate: 'mean' } as const;
        const settled = planFit({ ...planned, loss: squared() });
        await fitPlan(rows, settled, { order: 'as-is' });
        for (const loss of [squared(), pseudoHuber(1000)]) {
          const caught = await fitPlan(far, planFit({ ...planned, loss }), { order: 'as-is' }).catch(error => error);
          expect(caught, `${rule.name}, ${mode}, ${loss.kernel?.kind}`).to.include({ code: 'ERR_DIVERGED' });
        }
      }
    }
  });

  it('and coefficients and gradients that are not finite', async () => {
    for (const [stepSize, what] of [
      [1e160, 'after step 2 coefficients are not finite'],
      [1e307, 'the gradient of step 2 is not finite'],
    ] as const) {
      const rule = nesterov({ stepSize, momentum: 0 });
      const plan = planFit({
        rows: 2000,
        features: 2,
        loss: squared(),
        rule,
        steps: 9,
        mode: 'fresh',
        aggregate: 'mean',
      });
      const caught = await fitPlan(rows, plan).catch(error => error);
      expect(caught).to.include({ code: 'ERR_DIVERGED' });
      expect(caught.message).to.include(what);
    }
  });
});
