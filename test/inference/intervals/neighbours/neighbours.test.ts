import { expect } from 'chai';
import { neighbours } from '../../../../src/inference/intervals/neighbours/neighbours.ts';
import { curvatureFactor } from '../../../../src/inference/pilot/risk/curvatureFactor.ts';
import { irls } from '../../../../src/inference/pilot/risk/minimize.ts';
import { weightedRisk } from '../../../../src/inference/pilot/risk/weightedRisk.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { type Random, uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { studentT } from '../../../../src/math/random/studentT.ts';
import { lossByName } from '../../../../src/method/loss/lossByName.ts';
import { squared } from '../../../../src/method/loss/squared.ts';

type Rows = readonly Float64Array[];

const column = (rows: number, draw: (i: number) => number): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => draw(i));

/** Each value as much like the one before as `rho` says, of variance 1. */
function chain(rows: number, rho: number, random: Random): Float64Array {
  let value = normal(random);
  return column(rows, () => (value = rho * value + Math.sqrt(1 - rho * rho) * normal(random)));
}

/** Of the rows at these places: least squares, and what neighbours do to it. */
function studied(
  columns: Rows,
  target: Float64Array,
  places = column(target.length, i => i),
  weights = column(target.length, () => 1),
) {
  const batch = { rows: target.length, columns, target, weights };
  const penalties = new Float64Array(columns.length + 1);
  const options = { intercept: true, weights, penalties };
  const theta = irls(batch, squared(), penalties, options);
  const size = penalties.length;
  const { curvature } = weightedRisk(batch, options).derivatives(squared(), theta);
  const factor = curvatureFactor(curvature, size, true);
  const coordinates = {
    size,
    rank: factor.kept.length,
    toTheta: factor.solveTransposed,
    ofGradient: factor.solveFactor,
  };
  const found = neighbours(batch, {
    places,
    parts: [{ share: 1, loss: lossByName('squared'), theta }],
    intercept: true,
    coordinates,
  });
  return { theta, found };
}

describe('neighbours', () => {
  it('says nothing of independent rows, whatever their noise, though features are sorted', () => {
    // The false alarms of a fit are 1e-4 by design; the samples are seeded.
    const laws: Readonly<Record<string, (random: Random) => number>> = {
      normal,
      exponential: random => -Math.log(uniform(random)) - 1,
      't(2.1)': random => studentT(random, 2.1),
      classes: random => (uniform(random) < 0.1 ? 0.9 : -0.1),
    };
    for (const [name, law] of Object.entries(laws)) {
      const random = seeded(name, 'independent');
      for (let sample = 0; sample < 100; sample++) {
        const rows = 60 + 9 * sample;
        const a = column(rows, () => normal(random)).sort();
        const b = column(rows, () => Math.exp(normal(random)));
        const y = column(rows, i => 1 + a[i]! - b[i]! + Math.exp(a[i]! / 2) * law(random));
        expect(studied([a, b], y).found, `${name} ${rows}`).to.equal(null);
      }
    }
  });

  it('tells how far neighbours go together, and by how much more coefficients vary', () => {
    const rows = 20_000;
    const random = seeded(1, 'chain');
    const trend = column(rows, i => i / rows);
    const free = column(rows, () => normal(random));
    const noise = chain(rows, 0.5, random);
    const { found } = studied(
      [trend, free],
      column(rows, i => trend[i]! + free[i]! + noise[i]!),
    );
    expect(found!.correlation).to.be.closeTo(0.5, 0.05);
    const growth = found!.variances.map((variance, j) => variance / found!.independent[j]!);
    // (1 + 0.5)/(1 - 0.5) times, to a factor of 2, along the trend; none along a feature that neighbours do not share.
    expect(growth[0]).to.be.within(2, 6);
    expect(growth[1]).to.be.within(1, 2);
    expect(growth[2]).to.be.within(2, 6);
    expect(found!.degrees).to.be.within(11, 200);
  });

  it('takes the correlation of neighbours that both count', () => {
    const rows = 20_000;
    const random = seeded(1, 'not counting');
    const noise = chain(rows, 0.5, random);
    const x = chain(rows, 0.5, random);
    const counts = column(rows, () => (uniform(random) < 0.4 ? 0 : 1));
    const y = column(rows, i => x[i]! + (counts[i] === 0 ? 1e3 : noise[i]!));
    const { found } = studied([x], y, undefined, counts);
    expect(found!.correlation).to.be.closeTo(0.5, 0.05);
  });

  it('sees it in a random share of the rows, in any order', () => {
    const rows = 100_000;
    const random = seeded(2, 'share');
    const noise = chain(rows, 0.9, random);
    const shared = chain(rows, 0.9, random);
    const taken = Array.from({ length: rows }, (_, i) => i).filter(() => uniform(random) < 0.1);
    const places = Float64Array.from([
      ...taken.filter(place => place % 3 === 0),
      ...taken.filter(place => place % 3 !== 0),
    ]);
    const x = places.map(place => shared[place]!);
    const { found } = studied(
      [x],
      places.map((place, i) => x[i]! + noise[place]!),
      places,
    );
    expect(found!.correlation).to.be.closeTo(0.9, 0.1);
    // (1 + 0.81)/(1 - 0.81) and (1 + 0.9)/(1 - 0.9), to a factor of 2.
    expect(found!.variances[0]! / found!.independent[0]!).to.be.within(4.8, 19);
    expect(found!.variances[1]! / found!.independent[1]!).to.be.within(9.5, 38);
    const order = column(places.length, i => i);
    const shuffled = studied(
      [x],
      column(x.length, i => x[i]! + normal(random)),
      order,
    );
    expect(shuffled.found).to.equal(null);
  });

  it('says nothing of rows in the order of their targets, of which nobody can tell', () => {
    const random = seeded(3, 'sorted');
    const rows = 2000;
    const x = column(rows, () => normal(random));
    const y = x.map(value => value + normal(random));
    const order = Uint32Array.from(y, (_, i) => i).sort((i, j) => y[i]! - y[j]!);
    const by = (values: Float64Array) => column(rows, i => values[order[i]!]!);
    expect(studied([by(x)], by(y)).found).to.equal(null);
    expect(studied([x], y).found).to.equal(null);
  });

  it('says nothing of independent rows whose cases come first, though these do not go by their targets among themselves', () => {
    // The false alarms of a fit are 1e-4 by design; the samples are seeded.
    const random = seeded(6, 'cases first');
    for (let sample = 0; sample < 100; sample++) {
      const rows = 200 + 10 * sample;
      const x = column(rows, () => normal(random));
      const y = x.map(value => value + normal(random));
      const limits = sample % 2 === 0 ? [0] : [-1, 0, 2];
      const levelOf = (i: number): number => limits.filter(limit => y[i]! > limit).length;
      const order = Uint32Array.from(y, (_, i) => i).sort((i, j) => levelOf(j) - levelOf(i) || i - j);
      const by = (values: Float64Array) => column(rows, i => values[order[i]!]!);
      expect(studied([by(x)], by(y)).found, String(rows)).to.equal(null);
    }
  });

  it('still finds what goes together where cases come first, and in a series that rises', () => {
    const random = seeded(7, 'cases first');
    const rows = 1000;
    const noise = chain(rows, 0.7, random);
    const x = chain(rows, 0.7, random);
    const cases = column(rows, i => x[i]! + noise[i]! + (i < rows / 2 ? 20 : 0));
    const first = column(rows, i => (i < rows / 2 ? 1 : 0));
    expect(studied([x, first], cases).found).to.not.equal(null);
    for (const slope of [0.001, 0.01, 0.1, 1]) {
      const trend = column(rows, i => slope * i);
      const found = studied(
        [trend],
        column(rows, i => trend[i]! + noise[i]!),
      ).found;
      expect(found, String(slope)).to.not.equal(null);
    }
  });

  it('sees neighbours that go together in a few hundred rows', () => {
    // Of 400 samples of 200 rows each 96 % gave an alarm with a correlation of 0.5, and 10 % by blocks that do not
    // overlap; these are seeded.
    const random = seeded(8, 'few rows');
    let heard = 0;
    for (let sample = 0; sample < 40; sample++) {
      const [x, noise] = [chain(200, 0.5, random), chain(200, 0.5, random)];
      if (
        studied(
          [x],
          column(200, i => x[i]! + noise[i]!),
        ).found
      )
        heard++;
    }
    expect(heard).to.be.at.least(32);
  });

  it('sees groups of which two have most of the noise, by the squared loss too', () => {
    // As firms of very different sizes: eleven groups of twenty rows. The samples are seeded.
    const random = seeded(9, 'firms');
    let heard = 0;
    for (let sample = 0; sample < 20; sample++) {
      const [noise, x] = [chain(220, 0.9, random), chain(220, 0.9, random)];
      const sizeOf = (i: number): number => (i < 40 ? 10 : 1);
      if (
        studied(
          [x],
          column(220, i => x[i]! + sizeOf(i) * noise[i]!),
        ).found
      )
        heard++;
    }
    expect(heard).to.be.at.least(14);
  });

  it('finds slopes that differ between groups of neighbours, also among many features', () => {
    const random = seeded(4, 'slopes');
    const rows = 4000;
    const features = Array.from({ length: 12 }, () => column(rows, () => normal(random)));
    let slope = 0;
    const y = column(rows, i => {
      if (i % 50 === 0) slope = 2 * normal(random);
      return slope * features[7]![i]! + normal(random);
    });
    const { found } = studied(features, y);
    const growth = found!.variances.map((variance, j) => variance / found!.independent[j]!);
    expect(growth.indexOf(Math.max(...growth))).to.equal(7);
    expect(growth[7]).to.be.above(5);
  });

  it('does not depend on where features are', () => {
    const random = seeded(5, 'far');
    const rows = 2000;
    const x = chain(rows, 0.9, random);
    const noise = chain(rows, 0.9, random);
    const y = column(rows, i => x[i]! + noise[i]!);
    const near = studied([x], y).found!;
    const far = studied([x.map(value => value + 1e5)], y).found!;
    expect(far.variances[0]! / near.variances[0]!).to.be.closeTo(1, 1e-4);
    expect(far.degrees).to.equal(near.degrees);
  });
});
