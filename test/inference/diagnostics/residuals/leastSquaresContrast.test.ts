import { expect } from 'chai';
import { studyPilot } from '../../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

/** Two features, the second of 0 and 1, and targets of them. */
function drawn(seed: number, target: (x: number, isTreated: number, random: Random) => number, rows = 2000) {
  const random = seeded(seed, 'slopesOfMean');
  const x = Float64Array.from({ length: rows }, () => normal(random));
  const treated = x.map(() => (uniform(random) < 0.5 ? 1 : 0));
  return sampleBatch(
    [x, treated],
    x.map((value, i) => target(value, treated[i]!, random)),
  );
}
const studied = (batch: ReturnType<typeof drawn>) => studyPilot(batch, { loss: 'auto', intercept: true });

describe('leastSquaresContrast', () => {
  it('says nothing where noise is symmetric, larger in some rows or heavy, but in one sample of a thousand by chance', () => {
    const noises: readonly ((x: number, random: Random) => number)[] = [
      (_, random) => normal(random),
      (x, random) => (0.3 + Math.abs(x)) * normal(random),
      (_, random) => normal(random) / Math.abs(normal(random)),
      (_, random) => (uniform(random) < 0.05 ? 30 : normal(random)),
    ];
    const alarms = noises.flatMap((noise, k) =>
      Array.from({ length: 30 }, (_, seed) =>
        drawn(100 * k + seed, (x, isTreated, random) => x + isTreated + noise(x, random)),
      ).filter(batch => studied(batch).residuals.leastSquaresContrast !== null),
    );
    // Two or more of 120 have a chance of one in a hundred and fifty; the samples are seeded.
    expect(alarms.length).to.be.at.most(1);
  });

  it('finds what a tenth of the rows do to the mean', () => {
    const batch = drawn(1, (x, isTreated, random) => x + (uniform(random) < 0.1 ? 3 : 0) * isTreated + normal(random));
    const {
      residuals: { leastSquaresContrast },
      estimate: { theta: start },
    } = studied(batch);
    expect(leastSquaresContrast!.most).to.equal(1);
    expect(start[1]).to.be.below(0.15);
    // Hardly a row is beyond six scales, so that it is nearly least squares over all rows.
    const treatedMean = leastSquares(batch.columns[0]!, batch.columns[1]!, batch.target);
    expect(leastSquaresContrast!.theta[1]).to.be.closeTo(treatedMean, 1e-4);
  });

  it('finds that counts grow faster than their bulk', () => {
    // The bisquare fit, which has the more weight for skewed counts, is 9 % off.
    const batch = drawn(2, (x, _, random) => poisson(Math.exp(1.5 + 0.4 * x), random), 5000);
    const {
      residuals: { leastSquaresContrast },
      estimate: { theta: start },
    } = studied(batch);
    expect(leastSquaresContrast!.most).to.equal(0);
    expect(leastSquaresContrast!.theta[0]! / start[0]!).to.be.within(1.05, 1.13);
  });

  it('leaves losses that count all rows alone', () => {
    const batch = drawn(2, (x, _, random) => poisson(Math.exp(1.5 + 0.4 * x), random));
    for (const name of ['squared', 'poisson'] as const)
      expect(studyPilot(batch, { loss: lossByName(name), intercept: true }).residuals.leastSquaresContrast).to.equal(
        null,
      );
  });
});

/** The coefficient of b beside a and an intercept: of what a and the intercept leave of both. */
function leastSquares(a: Float64Array, b: Float64Array, y: Float64Array): number {
  const centred = (of: Float64Array): Float64Array => {
    const mean = of.reduce((sum, value) => sum + value, 0) / of.length;
    return of.map(value => value - mean);
  };
  const product = (p: Float64Array, q: Float64Array): number => p.reduce((sum, value, i) => sum + value * q[i]!, 0);
  const [x, z, t] = [centred(a), centred(b), centred(y)];
  const without = (of: Float64Array): Float64Array =>
    of.map((value, i) => value - (product(of, x) / product(x, x)) * x[i]!);
  const [own, target] = [without(z), without(t)];
  return product(own, target) / product(own, own);
}

function poisson(mean: number, random: Random): number {
  let [count, below, draw] = [0, Math.exp(-mean), uniform(random)];
  for (let chance = below; draw > below; below += chance) chance *= mean / ++count;
  return count;
}
