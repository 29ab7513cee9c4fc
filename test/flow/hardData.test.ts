import { expect } from 'chai';
import { l2Ball } from '../../src/constraint/l2Ball.ts';
import { estimate } from '../../src/flow/estimate.ts';
import { lossByName } from '../../src/loss/lossByName.ts';
import { normal } from '../../src/random/normal.ts';
import { uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';
import { samplesOf } from '../../src/sample/samples.ts';

/** Features with which a step that trusts the wrong curvature runs away. */
describe('a fit with no settings', () => {
  const rows = 60_000;
  const random = seeded(5, 'hard');
  const draw = (law: () => number): Float64Array => Float64Array.from({ length: rows }, law);
  const z = draw(() => normal(random));
  const noise = draw(() => normal(random));
  const squared = lossByName('squared');

  for (const share of [0.2, 0.05, 0.01]) {
    it(`finds the effect of a level that ${100 * share} % of the rows have`, async () => {
      const level = draw(() => (uniform(random) < share ? 1 : 0));
      const samples = samplesOf(
        sampleBatch(
          [level, z],
          level.map((d, i) => 3 * d + z[i]! + noise[i]!),
        ),
      );
      // Four standard errors of least squares, times the loss of efficiency of medians of blocks.
      const tolerance = 8 / Math.sqrt(share * rows);
      for (const options of [
        {},
        { loss: squared },
        { loss: squared, aggregate: 'mean', mode: 'full' },
      ] as const) {
        const { fit } = await estimate(samples, options);
        expect(fit.theta[0]).to.be.closeTo(3, tolerance);
        expect(fit.theta[1]).to.be.closeTo(1, 0.05);
      }
    });
  }

  it('finds the slope of a feature with a very long tail', async () => {
    const long = draw(() => Math.exp(2 * normal(random)));
    const samples = samplesOf(
      sampleBatch(
        [long],
        long.map((d, i) => 3 * d + noise[i]!),
      ),
    );
    for (const options of [{}, { loss: squared, aggregate: 'mean', mode: 'full' }] as const) {
      expect((await estimate(samples, options)).fit.theta[0]).to.be.closeTo(3, 0.01);
    }
  });

  it('finds a line without noise', async () => {
    const x = draw(() => 1000 * uniform(random));
    const { fit } = await estimate(
      samplesOf(
        sampleBatch(
          [x],
          x.map(value => 3 * value),
        ),
      ),
    );
    expect(fit.theta[0]).to.be.closeTo(3, 1e-9);
    expect(fit.theta[1]).to.be.closeTo(0, 1e-6);
  });

  it('finds the best coefficients of a ball, and their intercept', async () => {
    const [a, b] = [z.map(value => 5 * value + 10), noise.map(value => value - 40)];
    const y = a.map((value, i) => 2 * value + b[i]! + 100 + 0.1 * normal(random));
    const constraint = l2Ball(1);
    const { fit } = await estimate(samplesOf(sampleBatch([a, b], y)), {
      loss: squared,
      aggregate: 'mean',
      constraint,
    });
    // Over ||theta|| <= 1 the centred problem has moments diag(25, 1) and target (2, 1): (25 (2 - t), 1 - s) is parallel to (t, s).
    let [t, s] = [0, 0];
    for (let lambda = 0; lambda < 40; lambda += 1e-3) {
      [t, s] = [50 / (25 + lambda), 1 / (1 + lambda)];
      if (Math.hypot(t, s) <= 1) break;
    }
    expect(fit.theta[0]).to.be.closeTo(t, 0.02);
    expect(fit.theta[1]).to.be.closeTo(s, 0.06);
    expect(fit.theta[2]).to.be.closeTo(100 + (2 - t) * 10 - (1 - s) * 40, 3);
  });
});
