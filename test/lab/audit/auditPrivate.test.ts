import { expect } from 'chai';
import { auditPrivate } from '../../../src/lab/audit/auditPrivate.ts';
import { privatePipeline } from '../../../src/lab/audit/privatePipeline.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { poisson } from '../../../src/method/loss/poisson.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { planPrivate } from '../../../src/plan/private/planPrivate.ts';
import { auditedPlan, auditedScaling, auditedSet } from '../../support/auditPlans.ts';
import { expectClose } from '../../support/close.ts';
import { expectPassed } from '../../support/expectPassed.ts';
import { findNothingBeyond } from '../../support/findNothingBeyond.ts';

const rejection = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => expect.fail('it ran'),
    (error: Error) => error.message,
  );

describe('auditPrivate', () => {
  // False alarms: 1e-9 for each of the 75 cells. Over all of R^p the Poisson loss has no curvature to plan with.
  const methods = ['gradient', 'nesterov', 'frank-wolfe', 'accelerated-frank-wolfe'] as const;
  for (const calibration of ['exact', 'parallel', 'paper'] as const) {
    for (const aggregate of calibration === 'paper' ? (['mean'] as const) : (['mean', 'median-of-means'] as const)) {
      // Both calibrations and both aggregates have a fast run.
      const isSlow = (calibration === 'exact') !== (aggregate === 'mean');
      it(`passes every rule and loss: ${calibration} noise, ${aggregate}${isSlow ? ' @slow' : ''}`, async () => {
        for (const method of methods) {
          for (const loss of [squared(), logistic(), pseudoHuber(1), ...(method === 'nesterov' ? [] : [poisson()])]) {
            const plan = auditedPlan({
              calibration,
              aggregate,
              ...(aggregate === 'median-of-means' && { blocks: 4 }),
              method,
              loss,
              ...(method === 'nesterov' ? { clip: 0.5 } : { set: auditedSet }),
              ...(method === 'accelerated-frank-wolfe' && { stepSize: 0.2 }),
            });
            const report = await auditPrivate(privatePipeline(plan), plan, {
              pairs: 150,
              draws: 1000,
              seed: 'cells',
            });
            expectPassed(report);
            const { mu, sensitivity, cells } = report;
            expect(mu.lower).to.be.at.most(mu.ledger);
            // What the pairs reach depends on where noise takes the later steps.
            expect(mu.seen).to.be.within(0.02 * mu.ledger, mu.ledger);
            expect(sensitivity.measured).to.be.within(0.02 * sensitivity.declared, sensitivity.declared);
            expect(cells.measured).to.equal(plan.plan.mode === 'full' ? 3 : 1);
          }
        }
      });
    }
  }

  // test/slow/auditPrivate.test.ts has 10,000 of each.
  findNothingBeyond(500);

  it('passes means and counts that need no radius, with second moments and without', async () => {
    const counts = auditedScaling({ target: { least: 0, most: 40 }, scalesTarget: false });
    for (const options of [{ loss: squared() }, { loss: poisson(), scaling: counts }]) {
      for (const moments of ['yes', 'no'] as const) {
        const plan = auditedPlan({ ...options, moments, calibration: 'exact' });
        expectPassed(await auditPrivate(privatePipeline(plan), plan, { pairs: 1000, draws: 5000, seed: 'bounded' }));
      }
    }
  });

  it('holds a unit of several rows to what it declares for all of them', async () => {
    for (const calibration of ['exact', 'parallel'] as const) {
      const plan = auditedPlan({ calibration, clip: 0.1, unitRows: 3 });
      const report = await auditPrivate(privatePipeline(plan), plan, {
        pairs: 1000,
        draws: 2000,
        seed: 'units',
      });
      expectPassed(report);
      const { sensitivity, cells } = report;
      expectClose(sensitivity.declared, 6 * Math.sqrt(plan.noise.squaredNorm));
      expect(sensitivity.measured).to.be.above(0.3 * sensitivity.declared);
      // No more blocks can move than there are.
      expect(cells.declared).to.equal(3);
    }
  });

  it('refuses a plan of more rows than can be replayed, and names the way out', async () => {
    const plan = planPrivate({
      rows: 20_000,
      loss: pseudoHuber(1),
      scaling: auditedScaling(),
      epsilon: 0.9,
      delta: 1e-6,
    });
    const message = await rejection(auditPrivate(privatePipeline(plan), plan));
    expect(message).to.include('the rows of the plan must be at most 10000, got 20000; audit smallPlan');
    const small = auditedPlan();
    for (const bad of [{ pairs: 0 }, { draws: 0.5 }, { falseAlarm: 0 }]) {
      expect(await rejection(auditPrivate(privatePipeline(small), small, bad))).to.include(Object.keys(bad)[0]!);
    }
  });

  it('replaces all rows of a unit also where pairs are few', async () => {
    const plan = auditedPlan({ calibration: 'exact', unitRows: 2 });
    const report = await auditPrivate(privatePipeline(plan), plan, { pairs: 50, draws: 50, seed: 'few' });
    expectPassed(report);
    // One row of two moves half of it at most; how much of the rest is reached, the order of the rows has a part in.
    expect(report.sensitivity.measured).to.be.above(0.6 * report.sensitivity.declared);
  });
});
