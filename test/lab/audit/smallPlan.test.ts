import { expect } from 'chai';
import { fitPrivate } from '../../../src/fit/private/fitPrivate.ts';
import { smallPlan } from '../../../src/lab/audit/privatePipeline.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { type PrivateOptions, planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { samplesOf } from '../../../src/sample/samples.ts';
import { auditedScaling } from '../../support/auditPlans.ts';
import { expectClose } from '../../support/close.ts';

const planned = (options: Partial<PrivateOptions>) =>
  planPrivate({
    rows: 1_000_003,
    loss: pseudoHuber(1),
    scaling: auditedScaling(),
    epsilon: 0.9,
    delta: 1e-8,
    steps: 5,
    aggregate: 'median-of-means',
    blocks: 4,
    ...options,
  });

describe('smallPlan', () => {
  it('keeps steps, blocks, rule and whole-number noise, and has few rows that add up', () => {
    for (const calibration of ['exact', 'parallel'] as const) {
      const large = planned({ calibration });
      const { plan, ...rest } = smallPlan(large, 64);
      const { plan: _, ...others } = large;
      expect(rest).to.deep.equal(others);
      expect(plan.rule).to.equal(large.plan.rule);
      expect(plan.steps.map(({ chunk, blocks }) => [chunk, blocks])).to.deep.equal(
        large.plan.steps.map(({ chunk, blocks }) => [chunk, blocks]),
      );
      expect(plan.rows).to.be.within(40, 90);
      const used = plan.steps.map(step => step.blocks * step.rowsPerBlock);
      const total = plan.mode === 'full' ? used[0]! : used.reduce((sum, rows) => sum + rows, 0);
      expect(plan.leftOver)
        .to.equal(plan.rows - total)
        .and.to.be.above(0);
      for (const { release } of plan.steps) {
        const { sensitivity, sigma } = large.plan.steps[0]!.release!;
        expectClose(release!.sensitivity / release!.sigma, sensitivity / sigma, 1e-12);
      }
    }
  });

  it('runs, and costs what the large one costs', async () => {
    for (const calibration of ['exact', 'parallel'] as const) {
      const made = smallPlan(planned({ calibration }), 64);
      const { rows } = made.plan;
      const column = Float64Array.from({ length: rows }, (_, i) => i / rows);
      const { fit } = await fitPrivate(samplesOf({ rows, columns: [column, column], target: column }), made);
      expectClose(fit.ledger.epsilon(1e-8), 0.9, 1e-8);
      expect(fit.rows).to.deep.equal({ used: rows - made.plan.leftOver, leftOver: made.plan.leftOver });
    }
  });

  it('leaves a plan that is small already as large as it is', () => {
    const small = smallPlan(planned({ calibration: 'parallel' }), 64);
    expect(smallPlan(small, 1000).plan).to.deep.equal(small.plan);
  });
});
