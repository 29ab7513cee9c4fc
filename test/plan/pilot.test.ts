import { expect } from 'chai';
import { lossByName } from '../../src/loss/lossByName.ts';
import { distance } from '../../src/math/vector.ts';
import { studyPilot } from '../../src/plan/pilot.ts';
import { normal } from '../../src/random/normal.ts';
import { uniform } from '../../src/random/random.ts';
import { seeded } from '../../src/random/seeded.ts';
import { studentT } from '../../src/random/studentT.ts';
import { sampleBatch } from '../../src/sample/sampleBatch.ts';

const rows = 4000;
const squared = lossByName('squared').loss;

/** y = 3 a - 0.02 b + 50 + noise, with features of very different sizes. */
function linearPilot(noise: (random: ReturnType<typeof seeded>) => number, spoil = 0) {
  const random = seeded('pilot', 'linear');
  const a = Float64Array.from({ length: rows }, () => normal(random));
  const b = Float64Array.from({ length: rows }, () => 5000 + 1000 * normal(random));
  const y = a.map((value, i) => 3 * value - 0.02 * b[i]! + 50 + noise(random));
  for (let i = 0; i < spoil; i++) {
    a[i] = 100;
    y[i] = -1e5;
  }
  return sampleBatch([a, b], y);
}
const truth = Float64Array.of(3, -0.02, 50);
/** Errors in the units in which each coefficient matters. */
const error = (theta: Float64Array): number =>
  distance(
    Float64Array.of(theta[0]!, 1000 * theta[1]!, theta[2]! + 5000 * theta[1]!),
    Float64Array.of(3, -20, -50),
  );

describe('studyPilot', () => {
  it('finds a line under normal and heavy-tailed noise, whatever the units', () => {
    for (const noise of [normal, (random: ReturnType<typeof seeded>) => studentT(random, 1.5)]) {
      const { start } = studyPilot(linearPilot(noise), { loss: squared, intercept: true });
      expect(start).to.have.length(truth.length);
      expect(error(start)).to.be.below(0.15);
    }
  });

  it('is not carried away by one row in twenty that is far off in features and target', () => {
    const { start } = studyPilot(linearPilot(normal, rows / 20), { loss: squared, intercept: true });
    expect(error(start)).to.be.below(0.5);
  });

  it('measures the scale of the residuals', () => {
    expect(studyPilot(linearPilot(normal), { loss: squared, intercept: true }).residualScale).to.be.closeTo(
      1,
      0.06,
    );
  });

  it('factors the curvature: of the squared loss, the second moments of the features', () => {
    const batch = linearPilot(normal);
    const { factor, curvature } = studyPilot(batch, { loss: squared, intercept: true });
    const [a, b] = batch.columns as [Float64Array, Float64Array];
    const moment = (u: Float64Array, v: Float64Array): number =>
      u.reduce((sum, value, i) => sum + value * v[i]!, 0) / rows;
    const e1 = Float64Array.of(1, 0, 0);
    const image = factor.solve(
      Float64Array.of(moment(a, a), moment(a, b), moment(a, new Float64Array(rows).fill(1))),
    );
    expect(distance(image, e1)).to.be.below(1e-12);
    expect(curvature[4]! / moment(b, b)).to.be.closeTo(1, 1e-12);
  });

  it('fits a logistic model by its own loss', () => {
    const random = seeded('pilot', 'logistic');
    const x = Float64Array.from({ length: rows }, () => 2 * normal(random));
    const y = x.map(value => (uniform(random) < 1 / (1 + Math.exp(1 - value)) ? 1 : 0));
    const { start } = studyPilot(sampleBatch([x], y), { loss: lossByName('logistic').loss, intercept: true });
    expect(start[0]).to.be.closeTo(1, 0.15);
    expect(start[1]).to.be.closeTo(-1, 0.2);
  });

  it('leaves rows of weight 0 out', () => {
    const batch = linearPilot(normal);
    const spoiled = { ...batch, target: batch.target.map((y, i) => (i % 2 === 0 ? 1e9 : y)) };
    const weights = Float64Array.from({ length: rows }, (_, i) => i % 2);
    const { start } = studyPilot({ ...spoiled, weights }, { loss: squared, intercept: true });
    expect(error(start)).to.be.below(0.3);
  });

  it('names a constant column, and collinear ones', () => {
    const batch = linearPilot(normal);
    const [a] = batch.columns as [Float64Array];
    const names = ['height', 'flat'];
    const flat = sampleBatch([a, new Float64Array(rows).fill(7)], batch.target);
    expect(() => studyPilot(flat, { loss: squared, intercept: true, names })).to.throw(
      'column "flat" has the same value',
    );
    const twice = sampleBatch([a, a.map(value => 2 * value)], batch.target);
    expect(() => studyPilot(twice, { loss: squared, intercept: true, names })).to.throw(
      'height, flat are collinear',
    );
    const ridged = lossByName('squared', { penalty: 0.1 }).loss;
    expect(studyPilot(twice, { loss: ridged, intercept: true, names }).start).to.have.length(3);
  });

  it('says what is wrong with values too large, all levels beside an intercept, and rows that do not count', () => {
    const batch = linearPilot(normal);
    const [a] = batch.columns as [Float64Array];
    const names = ['a', 'town=u', 'town=v'];
    const large = sampleBatch([a, a.map(value => 1e300 * value)], batch.target);
    expect(() => studyPilot(large, { loss: squared, intercept: true, names })).to.throw(
      'values are too large to square, in column "town=u"',
    );
    const [u, v] = [a.map((_, i) => i % 2), a.map((_, i) => 1 - (i % 2))];
    const levels = sampleBatch([a, u, v], batch.target);
    expect(() => studyPilot(levels, { loss: squared, intercept: true, names })).to.throw(
      'every pilot row has one of the declared levels of "town", which add up to the intercept; drop a level',
    );
    expect(studyPilot(levels, { loss: squared, intercept: false, names }).start).to.have.length(3);
    const idle = { ...batch, weights: new Float64Array(rows) };
    expect(() => studyPilot(idle, { loss: squared, intercept: true, names })).to.throw(
      `none of the ${rows} pilot rows counts`,
    );
  });
});
