import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/errors.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { type Random, uniform as uniformDraw } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import {
  addScaled,
  distance,
  dot,
  filled,
  maxNorm,
  norm,
  scaled,
  subtract,
  type Vector,
  zeros,
} from '../../../src/math/vector.ts';
import { geometricMedian, medianOfPoints } from '../../../src/method/aggregate/geometricMedian.ts';
import { checkAggregator } from '../../laws/checkAggregator.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';
import { direction, normals, orthogonal, times } from '../../support/linearAlgebra.ts';
import { referenceMedian, sumOfDistances } from '../../support/referenceMedian.ts';

// It declares no sensitivity: the last test of this file says why.
checkAggregator('geometricMedian', geometricMedian);

const points = (...rows: readonly (readonly number[])[]): Vector[] => rows.map(row => Float64Array.from(row));

/** Both the library and the reference of these tests, so that neither goes unchecked. */
const solvers = { medianOfPoints, referenceMedian };

describe('the geometric median, worked by hand', () => {
  for (const [name, median] of Object.entries(solvers)) {
    it(`is Fermat's point of a triangle, or its blunt corner (${name})`, () => {
      const triangle = (height: number) => points([-1, 0], [1, 0], [0, height]);
      for (const height of [0.58, 1, Math.sqrt(3), 10]) {
        expect(distance(median(triangle(height)), Float64Array.of(0, 1 / Math.sqrt(3)))).to.be.below(1e-12);
      }
      for (const height of [0.57, 0.1, 1e-9]) {
        expect(median(triangle(height))).to.deep.equal(Float64Array.of(0, height));
      }
    });

    it(`is where the diagonals of four points cross, or the one inside the others (${name})`, () => {
      expect(distance(median(points([0, 0], [4, 2], [1, 3], [3, -1])), Float64Array.of(2, 1))).to.be.below(1e-14);
      expect(median(points([0, 0], [10, 0], [1, 1], [0, 10]))).to.deep.equal(Float64Array.of(1, 1));
    });

    it(`is the point that holds half of them (${name})`, () => {
      expect(median(points([3, 4], [9, 9], [3, 4], [-5, 7]))).to.deep.equal(Float64Array.of(3, 4));
      expect(median(points([3, 4]))).to.deep.equal(Float64Array.of(3, 4));
    });

    it(`is the centre of what is symmetric about it (${name})`, () => {
      const random = seeded(1, 'symmetric');
      const centre = Float64Array.of(2, -1, 3);
      const half = Array.from({ length: 6 }, () => normals(random, 3));
      const cloud = half.flatMap(arm => [addScaled(centre, 1, arm), addScaled(centre, -1, arm)]);
      expect(distance(median(cloud), centre)).to.be.below(1e-13);
    });
  }

  it('is the median on the line, and between the middle two of an even count', () => {
    expect(medianOfPoints(points([5], [1], [100]))).to.deep.equal(Float64Array.of(5));
    expect(medianOfPoints(points([5], [1], [100], [7]))[0]).to.be.within(5, 7);
    expect(medianOfPoints(points([0, 0], [3, 3], [1, 1], [9, 9], [2, 2]))).to.deep.equal(Float64Array.of(2, 2));
  });
});

/** A family draws `count` points of R^size. */
type Family = (random: Random, count: number, size: number) => Vector[];

const pick = (random: Random, count: number): number => Math.floor(uniformDraw(random) * count);
const cloud: Family = (random, count, size) => Array.from({ length: count }, () => normals(random, size));

/** Points at origin + t * axis, off the line by normals of the given size. */
const nearLine =
  (thickness: number): Family =>
  (random, count, size) => {
    const [origin, axis] = [normals(random, size), direction(random, size)];
    return Array.from({ length: count }, () =>
      addScaled(addScaled(origin, normal(random), axis), thickness, normals(random, size)),
    );
  };

/** Each point near one of a few centres, of which several points may take the same. */
const aroundCentres =
  (centres: number, radius: number): Family =>
  (random, count, size) => {
    const chosen = cloud(random, centres, size);
    return Array.from({ length: count }, () =>
      addScaled(chosen[pick(random, centres)]!, radius, normals(random, size)),
    );
  };

const families: Readonly<Record<string, Family>> = {
  'normal clouds': cloud,
  'heavy tails, v^5': (random, count, size) => cloud(random, count, size).map(point => point.map(v => v ** 5)),
  duplicates: aroundCentres(5, 0),
  'two distinct points': aroundCentres(2, 0),
  'all equal points': aroundCentres(1, 0),
  'integer grids': (random, count, size) =>
    Array.from({ length: count }, () => Float64Array.from({ length: size }, () => pick(random, 4))),
  'collinear points': nearLine(0),
  'nearly collinear points': nearLine(1e-3),
  'one cluster of 1e-8': aroundCentres(1, 1e-8),
  'clusters of 1e-8': aroundCentres(3, 1e-8),
  'one block at 1e300': (random, count, size) => [
    ...cloud(random, Math.max(2, count - 1), size),
    scaled(direction(random, size), 1e300),
  ],
};

/**
 * Unique unless the points lie on a line and the middle two of an even count differ. Points within 1e-5 of a line,
 * relative to their extent, count as on it: the objective bends by 1e-10 there, and doubles hardly tell its minimum.
 */
function isUnique(cloud: readonly Vector[]): boolean {
  const pairs = cloud.flatMap(a => cloud.map(b => ({ a, b, length: distance(a, b) })));
  const { a: end, b: other, length } = pairs.reduce((widest, pair) => (pair.length > widest.length ? pair : widest));
  if (length === 0) return true;
  const axis = scaled(subtract(other, end), 1 / length);
  const along = cloud.map(point => dot(scaled(subtract(point, end), 1 / length), axis));
  const off = cloud.map((point, i) => distance(point, addScaled(end, along[i]! * length, axis)));
  const middle = cloud.length / 2;
  along.sort((a, b) => a - b);
  return Math.max(...off) > 1e-5 * length || cloud.length % 2 === 1 || along[middle] === along[middle - 1];
}

/** On the line a best data point is a median. */
const brute = (near: readonly Vector[], pull: Vector): Vector =>
  near.reduce((best, point) => (sumOfDistances(near, point, pull) < sumOfDistances(near, best, pull) ? point : best));

describe('medianOfPoints', () => {
  for (const [name, family] of Object.entries(families)) {
    it(`agrees with an independent solver on 200 cases of every size: ${name}`, () => {
      const random = seeded(1, name);
      for (let i = 0; i < 200; i++) {
        // 8 and 25 are coprime, so every pair of them comes once.
        const [size, count] = [1 + (i % 8), 1 + (i % 25)];
        const drawn = family(random, count, size);
        // A point out of sight of the others is known by its direction only.
        const [near, far] = [drawn.filter(x => norm(x) < 1e200), drawn.filter(x => norm(x) >= 1e200)];
        const pull = far.reduce((sum, point) => addScaled(sum, 1 / norm(point), point), zeros(size));
        const expected = size === 1 ? brute(near, pull) : referenceMedian(near, pull);
        const found = medianOfPoints(drawn);
        const total = sumOfDistances(near, expected);
        const least = sumOfDistances(near, expected, pull);
        const excess = sumOfDistances(near, found, pull) - least;
        const place = `${name}, ${count} points of R^${size}, case ${i}`;
        expect(excess, place).to.be.within(-1e-12 * total, 1e-12 * total);
        if (!isUnique(drawn)) continue;
        // Stricter than the mean distance, which far points would inflate; 0 where half of the points are the median.
        const scale = near.map(x => distance(x, expected)).toSorted((a, b) => a - b)[near.length >> 1]!;
        expect(distance(found, expected), place).to.be.at.most(1e-7 * scale);
      }
    });
  }

  it('is finite and between its points for all finite input, from the least to the largest double', () => {
    const coordinates = fc.oneof(
      fc.tuple(uniform(-1074, 1023.999), fc.constantFrom(-1, 1)).map(([exponent, sign]) => sign * 2 ** exponent),
      fc.constantFrom(0, Number.MIN_VALUE, -Number.MIN_VALUE, 1e308, -1e308, Number.MAX_VALUE, -Number.MAX_VALUE),
    );
    const clouds = fc
      .integer({ min: 1, max: 4 })
      .chain(size =>
        fc.array(fc.array(coordinates, { minLength: size, maxLength: size }), { minLength: 1, maxLength: 7 }),
      )
      .map(rows => points(...rows));
    holdsForAll(
      fc.property(clouds, cloud => {
        const columns = Array.from(cloud[0]!, (_, j) => cloud.map(point => point[j]!));
        const ends = columns.map(column => [Math.min(...column), Math.max(...column)] as const);
        // Halved, because the difference of two doubles may be none.
        const extent = Math.max(...ends.map(([low, high]) => high / 2 - low / 2));
        const slack = 1e-9 * extent + 1e-15 * Math.max(...cloud.map(maxNorm));
        medianOfPoints(cloud).forEach((middle, j) => {
          const [low, high] = ends[j]!;
          expect(middle / 2).to.be.within(low / 2 - slack, high / 2 + slack);
          expect(middle).to.be.finite;
        });
      }),
    );
  });

  it('is the same at every scale, down to multiples of the least double', () => {
    const crossing = points([0, 0], [400, 200], [100, 300], [300, -100]);
    const inner = points([0, 0], [1000, 0], [100, 100], [0, 1000]);
    for (const exponent of [-1074, -1060, -960, -500, 500, 960, 1013]) {
      const unit = 2 ** exponent;
      const grown = (cloud: Vector[]) => medianOfPoints(cloud.map(point => scaled(point, unit)));
      const shrunk = grown(crossing).map(coordinate => coordinate / unit);
      expect(distance(shrunk, Float64Array.of(200, 100))).to.be.below(1e-9);
      expect(grown(inner)).to.deep.equal(filled(2, 100 * unit));
    }
  });

  it('turns with its points', () => {
    const cases = fc.tuple(
      fc.integer({ min: 3, max: 12 }),
      fc.integer({ min: 2, max: 6 }),
      fc.integer({ min: 0, max: 1 << 30 }),
    );
    holdsForAll(
      fc.property(cases, ([count, size, seed]) => {
        const random = seeded(seed, 'rotation');
        const before = cloud(random, count, size);
        const rotation = orthogonal(random, size);
        const turned = medianOfPoints(before.map(point => times(rotation, point)));
        expect(distance(turned, times(rotation, medianOfPoints(before)))).to.be.at.most(1e-10);
      }),
    );
  });

  it("stays within Minsker's bound while fewer than half of the blocks are at 1e12, where the mean does not", () => {
    const random = seeded(1, 'breakdown');
    for (let count = 1; count <= 25; count++) {
      for (let moved = 0; moved < count / 2; moved++) {
        const size = 1 + (count % 5);
        const radius = 0.5;
        const centre = normals(random, size);
        const away = direction(random, size);
        for (const place of [() => away, () => direction(random, size)]) {
          const drawn = Array.from({ length: count }, (_, i) =>
            i < moved
              ? addScaled(centre, 1e12, place())
              : addScaled(centre, radius * uniformDraw(random), direction(random, size)),
          );
          // lemma 6 (Minsker): ||median - z|| <= C_alpha r where at most alpha b points are outside B(z, r).
          const alpha = moved / count;
          const bound = ((1 - alpha) / Math.sqrt(1 - 2 * alpha)) * radius;
          expect(distance(medianOfPoints(drawn), centre)).to.be.at.most(bound * (1 + 1e-9));
        }
      }
    }
  });

  it('writes to no point, and answers with memory of its own', () => {
    const cases = [points([1, 2]), points([0, 0], [10, 0], [1, 1], [0, 10]), points([0, 0], [4, 2], [1, 3])];
    for (const drawn of cases) {
      const before = drawn.map(point => point.slice());
      medianOfPoints(drawn).fill(Number.NaN);
      expect(drawn).to.deep.equal(before);
    }
  });

  it('refuses no points, and points that are empty, uneven or not finite, by name', () => {
    expect(() => medianOfPoints([])).to.throw(ArgumentError, 'points must hold at least one point, got []');
    expect(() => medianOfPoints(points([]))).to.throw(ArgumentError, 'points[0] must have at least one coordinate');
    expect(() => medianOfPoints(points([1, 2], [1]))).to.throw(
      ArgumentError,
      'the length of points[1] must be 2, got 1',
    );
    for (const bad of [NaN, Infinity, -Infinity]) {
      expect(() => medianOfPoints(points([0, 0], [0, bad]))).to.throw(
        ArgumentError,
        `points[1][1] must be a finite number, got ${bad}`,
      );
    }
  });
});

describe('geometricMedian', () => {
  it('is the median of the block means, sums over rows', () => {
    const { values } = geometricMedian().aggregate({
      sums: Float64Array.of(0, 0, 50, 0, 5, 5, 0, 50),
      blocks: 4,
      rowsPerBlock: 5,
      privacy: 'raw',
    });
    expect(values).to.deep.equal(Float64Array.of(1, 1));
    expect(geometricMedian().name).to.equal('geometric-median');
  });

  it('forgives blocks that the mean does not', () => {
    const sums = filled(5, 1);
    sums[0] = 1e300;
    expect(geometricMedian().aggregate({ sums, blocks: 5, rowsPerBlock: 1, privacy: 'raw' }).values[0]).to.equal(1);
  });

  it('has no useful sensitivity: one mean moved by 0.002 moves the median by 0.88', () => {
    const means = (moved: number) => points([-0.9, 1e-5], [-0.9, -1e-5], [0.9, -1e-5], [0.9, 1e-5 - moved]);
    const [before, after] = [medianOfPoints(means(0)), medianOfPoints(means(0.002))];
    expect(norm(before)).to.be.below(1e-9);
    expect(distance(after, Float64Array.of(-0.882, -1e-5))).to.be.below(1e-9);
    expect(distance(before, after) / 0.002).to.be.above(440);
  });
});
