import { expect } from 'chai';
import { auditPrivate } from '../../src/lab/audit/auditPrivate.ts';
import { privatePipeline } from '../../src/lab/audit/privatePipeline.ts';
import { squared } from '../../src/method/loss/squared.ts';
import type { PrivateOptions } from '../../src/plan/private/planPrivate.ts';
import { epsilonFor } from '../../src/privacy/gaussianDp.ts';
import { auditedPlan, auditedScaling } from './auditPlans.ts';
import { expectClose } from './close.ts';
import { expectPassed } from './expectPassed.ts';

/** Audits of so many pairs of neighbours or more find no release that moves further than is declared. */
export function findNothingBeyond(pairs: number): void {
  const count = pairs.toLocaleString('en');
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
    it(`finds nothing beyond the declared sensitivity in ${count} pairs of neighbours: ${name}`, async () => {
      const plan = auditedPlan(options);
      const report = await auditPrivate(privatePipeline(plan), plan, {
        pairs,
        draws: 60_000,
        seed: 'search',
      });
      expectPassed(report);
      const { pairs: tried, sensitivity, mu, epsilon, cells, draws } = report;
      expect(tried).to.be.at.least(pairs);
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
    });
  }

  it(`finds nothing beyond the declared sensitivity in ${count} pairs where second moments are released first`, async () => {
    for (const scaling of [auditedScaling(), auditedScaling({ bounds: { norm: 3 }, intercept: false })]) {
      const plan = auditedPlan({ moments: 'yes', scaling });
      const report = await auditPrivate(privatePipeline(plan), plan, {
        pairs,
        draws: 20_000,
        seed: 'moments',
      });
      expectPassed(report);
      const { pairs: tried, sensitivity, mu, epsilon, cells } = report;
      expect(tried).to.be.at.least(pairs);
      expect(sensitivity.releases).to.have.length(5);
      // Two rows' moments are never opposite, so these move by sqrt(2) sqrt(B2) at most: 0.71 of what is declared.
      expect(sensitivity.releases[0]).to.be.within(0.5 * sensitivity.declared, 0.708 * sensitivity.declared);
      expect(Math.max(...sensitivity.releases)).to.be.within(0.7 * sensitivity.declared, sensitivity.declared);
      expect(mu.lower).to.be.at.most(mu.ledger);
      expect(mu.seen).to.be.within(0.4 * mu.ledger, mu.ledger);
      expect(epsilon.ledger).to.be.within(0.9 - 1e-8, 0.9);
      expect(cells).to.deep.equal({ measured: 5, declared: 5 });
    }
  });
}
