import { expect } from 'chai';
import { studyPilot } from '../../../src/inference/pilot/studyPilot.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { studentT } from '../../../src/math/random/studentT.ts';
import { distance, dot } from '../../../src/math/vector.ts';
import { lossByName } from '../../../src/method/loss/lossByName.ts';
import { sampleBatch } from '../../../src/sample/sampleBatch.ts';

const rows = 4000;
const squared = lossByName('squared');

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
  distance(Float64Array.of(theta[0]!, 1000 * theta[1]!, theta[2]! + 5000 * theta[1]!), Float64Array.of(3, -20, -50));

const distanceTo1 = (theta: Float64Array): number => distance(theta, new Float64Array(theta.length).fill(1));

describe('studyPilot', () => {
  it('finds a line under normal and heavy-tailed noise, whatever the units', () => {
    for (const noise of [normal, (random: ReturnType<typeof seeded>) => studentT(random, 1.5)]) {
      const {
        estimate: { theta: start },
      } = studyPilot(linearPilot(noise), { loss: squared, intercept: true });
      expect(start).to.have.length(truth.length);
      expect(error(start)).to.be.below(0.15);
    }
  });

  it('is not carried away by one row in twenty that is far off in features and target', () => {
    const {
      estimate: { theta: start },
    } = studyPilot(linearPilot(normal, rows / 20), { loss: squared, intercept: true });
    expect(error(start)).to.be.below(0.5);
  });

  it('keeps to the line of most rows beside a cluster of a fifth or more, however near to the middle', () => {
    for (const [share, away] of [
      [0.2, 2.5],
      [0.2, 3],
      [0.25, 1.5],
      [0.3, 3.5],
      [0.3, 6],
    ] as const) {
      const random = seeded('pilot', `cluster ${share} ${away}`);
      const isSeparated = Array.from({ length: rows }, () => uniform(random) < share);
      const columns = Array.from({ length: 5 }, () =>
        Float64Array.from(isSeparated, apart => (apart ? away / Math.sqrt(5) + 0.3 * normal(random) : normal(random))),
      );
      const sums = Float64Array.from(isSeparated, (_, i) => columns.reduce((sum, column) => sum + column[i]!, 0));
      const y = sums.map((sum, i) => (isSeparated[i] ? 0.3 * normal(random) - sum : sum + 1 + normal(random)));
      const {
        estimate: { theta: start },
      } = studyPilot(sampleBatch(columns, y), { loss: 'auto', intercept: true, isBlended: true });
      expect(distanceTo1(start), `${share} at ${away}`).to.be.below(0.15);
    }
  });

  it('measures the scale of the residuals', () => {
    expect(studyPilot(linearPilot(normal), { loss: squared, intercept: true }).residuals.scale).to.be.closeTo(1, 0.06);
  });

  it('makes the curvature the identity, of the squared loss the second moments of the features', () => {
    const batch = linearPilot(normal);
    const {
      estimate: { coordinates },
    } = studyPilot(batch, { loss: squared, intercept: true });
    const columns = [...batch.columns, new Float64Array(rows).fill(1)];
    const moments = columns.map(u => Float64Array.from(columns, v => dot(u, v) / rows));
    for (let k = 0; k < 3; k++) {
      const unit = Float64Array.from({ length: 3 }, (_, j) => (j === k ? 1 : 0));
      const turned = coordinates.toTheta(unit);
      const image = Float64Array.from(moments, row => dot(row, turned));
      expect(distance(coordinates.ofGradient(image), unit)).to.be.below(1e-6);
    }
  });

  it('fits a logistic model by its own loss', () => {
    const random = seeded('pilot', 'logistic');
    const x = Float64Array.from({ length: rows }, () => 2 * normal(random));
    const y = x.map(value => (uniform(random) < 1 / (1 + Math.exp(1 - value)) ? 1 : 0));
    const {
      estimate: { theta: start },
    } = studyPilot(sampleBatch([x], y), { loss: lossByName('logistic'), intercept: true });
    expect(start[0]).to.be.closeTo(1, 0.15);
    expect(start[1]).to.be.closeTo(-1, 0.2);
  });

  it('leaves rows of weight 0 out', () => {
    const batch = linearPilot(normal);
    const spoiled = { ...batch, target: batch.target.map((y, i) => (i % 2 === 0 ? 1e9 : y)) };
    const weights = Float64Array.from({ length: rows }, (_, i) => i % 2);
    const {
      estimate: { theta: start },
    } = studyPilot({ ...spoiled, weights }, { loss: squared, intercept: true });
    expect(error(start)).to.be.below(0.3);
  });

  it('leaves out a constant column, one that others make up, and the last of the levels that make up an intercept', () => {
    const batch = linearPilot(normal);
    const [a] = batch.columns as [Float64Array];
    const studied = (columns: Float64Array[], options = {}) =>
      studyPilot(sampleBatch(columns, batch.target), { loss: squared, intercept: true, ...options });
    const flat = studied([a, new Float64Array(rows).fill(7)]);
    expect(flat.columns.dropped).to.deep.equal([{ column: 1, why: 'constant' }]);
    expect([flat.estimate.coordinates.rank, flat.estimate.theta[1]]).to.deep.equal([2, 0]);
    const twice = studied([a, a.map(value => 2 * value)]);
    expect(twice.columns.dropped).to.deep.equal([{ column: 1, why: 'combination' }]);
    expect(twice.estimate.coordinates.toTheta(Float64Array.of(1, 1))[1]).to.equal(0);
    const [u, v] = [a.map((_, i) => i % 2), a.map((_, i) => 1 - (i % 2))];
    expect(studied([a, u, v]).columns.dropped).to.deep.equal([{ column: 2, why: 'combination' }]);
    expect(studied([a, u, v], { intercept: false }).columns.dropped).to.deep.equal([]);
    expect(studied([a, a], { penalty: 0.1 }).columns.dropped).to.deep.equal([]);
    // Without an intercept a column of one value is one.
    expect(studied([a, new Float64Array(rows).fill(7)], { intercept: false }).columns.dropped).to.deep.equal([]);
  });

  it('says what is wrong with values too large, and with rows that do not count', () => {
    const batch = linearPilot(normal);
    const [a] = batch.columns as [Float64Array];
    const names = ['a', 'town=u', 'town=v'];
    const large = sampleBatch([a, a.map(value => 1e300 * value)], batch.target);
    expect(() => studyPilot(large, { loss: squared, intercept: true, names })).to.throw(
      /^values beyond 1e\+150 are too large to square, in column "town=u" \(.*e\+\d+ and 3999 more of 4000\); .* power of ten$/,
    );
    const one = a.slice();
    one[7] = 1e300;
    expect(() => studyPilot(sampleBatch([one], batch.target), { loss: 'auto', intercept: true })).to.throw(
      'in column 0 (1e+300 of 4000); fix or remove these rows',
    );
    const idle = { ...batch, weights: new Float64Array(rows) };
    expect(() => studyPilot(idle, { loss: squared, intercept: true, names })).to.throw(
      `none of the ${rows} pilot rows counts`,
    );
    const tiny = { ...batch, weights: new Float64Array(rows).fill(1e-310) };
    expect(() => studyPilot(tiny, { loss: squared, intercept: true, names })).to.throw(
      `the largest of the \`weights\` of the ${rows} pilot rows is 1e-310, and numbers that small lose precision; multiply all weights`,
    );
  });

  it("chooses a logistic loss for targets of 0 and 1, and otherwise Huber's, blended with one that rejects outliers", () => {
    const tuned = (noise: (random: ReturnType<typeof seeded>) => number, spoil = 0) => {
      const {
        estimate: { loss, theta: start, isMinimum: isEstimate },
        residuals: { scale: residualScale },
      } = studyPilot(linearPilot(noise, spoil), {
        loss: 'auto',
        intercept: true,
        isBlended: true,
      });
      expect(isEstimate).to.equal(true);
      return { name: loss.name, tuning: loss.parameter! / residualScale, error: error(start) };
    };
    const [light, heavy, spoilt] = [tuned(normal), tuned(random => studentT(random, 1.5)), tuned(normal, rows / 20)];
    for (const { name, tuning } of [light, heavy, spoilt]) {
      expect(name).to.equal('pseudo-huber');
      expect(tuning).to.be.closeTo(1.345, 0.01);
    }
    // Three coordinates of an error near sqrt(1.05/4000), and of rows that do not belong no trace.
    expect(light.error).to.be.below(0.08);
    expect(spoilt.error).to.be.below(0.08);
    const batch = linearPilot(normal);
    const binary = sampleBatch(
      batch.columns,
      batch.target.map(y => (y > -50 ? 1 : 0)),
    );
    expect(studyPilot(binary, { loss: 'auto', intercept: true }).estimate.loss.name).to.equal('logistic');
  });

  it('says that it is thin where a column hardly leaves its value, or never, or few classes are in doubt', () => {
    const batch = linearPilot(normal);
    const [a] = batch.columns as [Float64Array];
    const thin = (column: Float64Array, target = batch.target): boolean =>
      studyPilot(sampleBatch([a, column], target), { loss: 'auto', intercept: true }).shortage !== null;
    expect(thin(batch.columns[1]!)).to.equal(false);
    expect(thin(a.map((_, i) => (i % 50 === 0 ? 1 : 0)))).to.equal(true);
    expect(thin(a.map((_, i) => (i % 20 === 0 ? 1 : 0)))).to.equal(false);
    expect(thin(a.map(() => 4))).to.equal(true);
    const random = seeded('pilot', 'classes');
    const classes = (slope: number): Float64Array =>
      a.map(value => (uniform(random) < 1 / (1 + Math.exp(-slope * value)) ? 1 : 0));
    const other = a.map(() => normal(random));
    expect(thin(other, classes(2))).to.equal(false);
    expect(thin(other, classes(60))).to.equal(true);
  });

  it('estimates the same predictions whatever the units and origins of the features', () => {
    const batch = linearPilot(random => studentT(random, 3));
    const [a, b] = batch.columns as [Float64Array, Float64Array];
    const moved = sampleBatch([a.map(value => 1e6 * value), b.map(value => value + 1e6)], batch.target);
    const [from, to] = [batch, moved].map(
      rows => studyPilot(rows, { loss: 'auto', intercept: true }).estimate.theta,
    ) as [Float64Array, Float64Array];
    // In other units the half-samples are others, from which the fit starts.
    expect(1e6 * to[0]!).to.be.closeTo(from[0]!, 1e-5);
    expect(to[1]!).to.be.closeTo(from[1]!, 1e-8);
    expect(to[2]! + 1e6 * to[1]!).to.be.closeTo(from[2]!, 1e-4);
  });
});
