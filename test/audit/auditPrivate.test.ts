import { expect } from 'chai';
import { auditPrivate } from '../../src/audit/auditPrivate.ts';
import type { AuditReport } from '../../src/audit/auditReport.ts';
import { privatePipeline } from '../../src/audit/privatePipeline.ts';
import { logistic } from '../../src/loss/logistic.ts';
import { poisson } from '../../src/loss/poisson.ts';
import { pseudoHuber } from '../../src/loss/pseudoHuber.ts';
import { squared } from '../../src/loss/squared.ts';
import { type PrivateOptions, planPrivate } from '../../src/plan/private/planPrivate.ts';
import { epsilonFor } from '../../src/privacy/gaussianDp.ts';
import { auditedPlan, auditedScaling, auditedSet } from '../support/auditPlans.ts';
import { expectClose } from '../support/close.ts';

const rejection = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => expect.fail('it ran'),
    (error: Error) => error.message,
  );

const expectPassed = ({ breaches, passed }: AuditReport): void => {
  expect(breaches).to.deep.equal([]);
  expect(passed).to.equal(true);
};

describe('auditPrivate', () => {
  // False alarms: 1e-9 for each of the 75 cells. Over all of R^p the Poisson loss has no curvature to plan with.
  const methods = ['gradient', 'nesterov', 'frank-wolfe', 'accelerated-frank-wolfe'] as const;
  for (const calibration of ['exact', 'parallel', 'paper'] as const) {
    for (const aggregate of calibration === 'paper'
      ? (['mean'] as const)
      : (['mean', 'median-of-means'] as const)) {
      it(`passes every rule and loss: ${calibration} noise, ${aggregate}`, async () => {
        for (const method of methods) {
          for (const loss of [
            squared(),
            logistic(),
            pseudoHuber(1),
            ...(method === 'nesterov' ? [] : [poisson()]),
          ]) {
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
      }).timeout(240_000);
    }
  }

  const searched: Record<string, Partial<PrivateOptions>> = {
    'clipped gradients over all rows': { calibration: 'exact', loss: squared(), clip: 0.1 },
    'bounded gradients of disjoint chunks': { calibration: 'parallel' },
    'rows bounded by their norm, in blocks, without an intercept': {
      calibration: 'parallel',
      scaling: auditedScaling({ bounds: { norm: 3 }, intercept: false }),
      aggregate: 'median-of-means',
      blocks: 5,
    },
  };
  for (const [name, options] of Object.entries(searched)) {
    it(`finds nothing beyond the declared sensitivity in 10,000 pairs of neighbours: ${name}`, async () => {
      const plan = auditedPlan(options);
      const report = await auditPrivate(privatePipeline(plan), plan, { draws: 60_000, seed: 'search' });
      expectPassed(report);
      const { pairs, sensitivity, mu, epsilon, cells, draws } = report;
      expect(pairs).to.be.at.least(10_000);
      expectClose(sensitivity.declared, 2 * Math.sqrt(plan.noise.squaredNorm));
      expect(sensitivity.measured).to.be.within(0.8 * sensitivity.declared, sensitivity.declared);
      expect(sensitivity.releases).to.have.length(3);
      // 0.86 of the mu is there to be seen, 0.27 hides behind the confidence, and 8 deviations of the count are 0.33.
      expect(mu.lower).to.be.within(0.25 * mu.ledger, mu.ledger);
      expectClose(epsilon.lower, epsilonFor(mu.lower, epsilon.delta));
      expect(epsilon.ledger).to.be.within(0.9 - 1e-8, 0.9);
      expect(cells).to.deep.equal(
        plan.plan.mode === 'full' ? { measured: 3, declared: 3 } : { measured: 1, declared: 1 },
      );
      expect(draws).to.equal(60_000);
    }).timeout(240_000);
  }

  it('passes means and counts that need no radius, with second moments and without', async () => {
    const counts = auditedScaling({ target: { least: 0, most: 40 }, scalesTarget: false });
    for (const options of [{ loss: squared() }, { loss: poisson(), scaling: counts }]) {
      for (const moments of ['yes', 'no'] as const) {
        const plan = auditedPlan({ ...options, moments, calibration: 'exact' });
        expectPassed(
          await auditPrivate(privatePipeline(plan), plan, { pairs: 1000, draws: 5000, seed: 'bounded' }),
        );
      }
    }
  });

  it('finds nothing beyond the declared sensitivity in 10,000 pairs where second moments are released first', async () => {
    for (const scaling of [auditedScaling(), auditedScaling({ bounds: { norm: 3 }, intercept: false })]) {
      const plan = auditedPlan({ moments: 'yes', scaling });
      const report = await auditPrivate(privatePipeline(plan), plan, { draws: 20_000, seed: 'moments' });
      expectPassed(report);
      const { pairs, sensitivity, mu, epsilon, cells } = report;
      expect(pairs).to.be.at.least(10_000);
      expect(sensitivity.releases).to.have.length(5);
      // Two rows' moments are never opposite, so these move by sqrt(2) sqrt(B2) at most: 0.71 of what is declared.
      expect(sensitivity.releases[0]).to.be.within(0.5 * sensitivity.declared, 0.708 * sensitivity.declared);
      expect(Math.max(...sensitivity.releases)).to.be.within(
        0.7 * sensitivity.declared,
        sensitivity.declared,
      );
      expect(mu.lower).to.be.at.most(mu.ledger);
      expect(mu.seen).to.be.within(0.4 * mu.ledger, mu.ledger);
      expect(epsilon.ledger).to.be.within(0.9 - 1e-8, 0.9);
      expect(cells).to.deep.equal({ measured: 5, declared: 5 });
    }
  }).timeout(240_000);

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
      expect(await rejection(auditPrivate(privatePipeline(small), small, bad))).to.include(
        Object.keys(bad)[0]!,
      );
    }
  });

  it('replaces all rows of a unit also where pairs are few', async () => {
    const plan = auditedPlan({ calibration: 'exact', unitRows: 2 });
    const report = await auditPrivate(privatePipeline(plan), plan, { pairs: 50, draws: 50, seed: 'few' });
    expectPassed(report);
    expect(report.sensitivity.measured).to.be.above(0.8 * report.sensitivity.declared);
  });
});
