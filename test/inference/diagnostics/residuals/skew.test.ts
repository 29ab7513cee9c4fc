import { expect } from 'chai';
import { skewOf } from '../../../../src/inference/diagnostics/residuals/skew.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { studentT } from '../../../../src/math/random/studentT.ts';

const exponential = (random: Random): number => -Math.log(1 - uniform(random));
const logNormal =
  (sigma: number) =>
  (random: Random): number =>
    Math.exp(sigma * normal(random));
const options = { scale: 1, reach: 6 };

/** Residuals around the law's median, where a robust fit is. */
function draw(rows: number, law: (random: Random) => number, random: Random, centre = 0): Float64Array {
  return Float64Array.from({ length: rows }, () => law(random) - centre);
}

describe('skewOf', () => {
  const symmetric: Record<string, (random: Random) => number> = {
    normal,
    't(3)': random => studentT(random, 3),
    't(2.1)': random => studentT(random, 2.1),
    Laplace: random => exponential(random) - exponential(random),
    uniform: random => 2 * uniform(random) - 1,
    'two-humped': random => normal(random) + (uniform(random) < 0.5 ? -3 : 3),
  };
  for (const [name, law] of Object.entries(symmetric)) {
    it(`is 0 of ${name} noise, in a hundred rows or in thousands`, () => {
      const random = seeded('skew', name);
      // Fewer than one in ten thousand is another.
      for (const [rows, samples] of [
        [100, 1000],
        [400, 500],
        [5000, 20],
      ] as const) {
        for (let sample = 0; sample < samples; sample++) expect(skewOf(draw(rows, law, random), options)).to.equal(0);
      }
    });
  }

  it('is that of the law where noise is exponential or log-normal, with the sign of the longer side', () => {
    const random = seeded('skew', 'skewed');
    const found = draw(20_000, exponential, random, Math.log(2));
    expect(skewOf(found, options)).to.be.closeTo(0.465, 0.04);
    expect(
      skewOf(
        found.map(residual => -residual),
        options,
      ),
    ).to.be.closeTo(-0.465, 0.04);
    expect(skewOf(draw(20_000, logNormal(0.5), random, 1), { ...options, scale: 0.5 })).to.be.closeTo(
      Math.tanh(0.25 * 1.2816),
      0.04,
    );
    for (let sample = 0; sample < 20; sample++)
      expect(skewOf(draw(600, exponential, random, Math.log(2)), options)).to.be.above(0.25);
  });

  it('does not take outliers for it, on one side and near or far', () => {
    const random = seeded('skew', 'outliers');
    const raised = (share: number, by: number) => () => normal(random) + (uniform(random) < share ? by : 0);
    for (const rows of [500, 5000]) {
      for (let sample = 0; sample < 50; sample++) {
        expect(skewOf(draw(rows, raised(0.1, 30), random), options), 'far').to.equal(0);
        expect(skewOf(draw(rows, raised(0.05, 4), random), options), 'near').to.equal(0);
      }
    }
  });

  it('counts rows as their weights say', () => {
    const random = seeded('skew', 'weights');
    const found = Float64Array.of(...draw(2000, exponential, random, 0.7), ...draw(2000, normal, random));
    const of = (first: number, second: number): number =>
      skewOf(found, { ...options, weights: found.map((_, i) => (i < 2000 ? first : second)) });
    expect(of(1, 0)).to.be.above(0.4);
    expect(of(0, 1)).to.equal(0);
    expect(of(5, 0)).to.equal(of(1, 0));
    const one = new Float64Array(4000).fill(1e-9).with(0, 1);
    expect(skewOf(found, { ...options, weights: one })).to.equal(0);
  });

  it('is 0 of no rows, of few, and of a fit that leaves but rounding', () => {
    const random = seeded('skew', 'few');
    expect(skewOf(new Float64Array(), options)).to.equal(0);
    expect(skewOf(Float64Array.of(0, 0, 0, 1), options)).to.equal(0);
    expect(skewOf(new Float64Array(1000), options)).to.equal(0);
    const rounding = draw(1000, exponential, random).map(value => 1e-6 * value);
    expect(skewOf(rounding, options)).to.equal(0);
  });
});
