import { expect } from 'chai';
import fc from 'fast-check';
import { seeded } from '../../../src/math/random/seeded.ts';
import { addScaled, distance, norm, subtract, type Vector, zeros } from '../../../src/math/vector.ts';
import { AT_POINT, type Cloud, cloudOf, INVERSES, STRENGTH } from '../../../src/method/aggregate/cloud.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';
import { normals } from '../../support/linearAlgebra.ts';

const shapes = fc.record({
  count: fc.integer({ min: 1, max: 40 }),
  size: fc.integer({ min: 1, max: 12 }),
  seed: fc.integer({ min: 0, max: 1 << 30 }),
});

function drawn({ count, size, seed }: { count: number; size: number; seed: number }): [Cloud, Vector[]] {
  const random = seeded(seed, 'points');
  const points = Array.from({ length: count }, () => normals(random, size));
  const cloud = cloudOf(count, size);
  points.forEach((point, i) => {
    cloud.input.set(point, i * size);
  });
  cloud.take(1);
  return [cloud, points];
}

const expectNear = (actual: Vector, expected: Vector): void => {
  expect(distance(actual, expected)).to.be.at.most(1e-13 * (1 + norm(expected)));
};

describe('a cloud', () => {
  it('takes its points times a scale, and knows the largest coordinate', () => {
    holdsForAll(
      fc.property(shapes, shape => {
        const [cloud, points] = drawn(shape);
        expect(cloud.largest()).to.equal(Math.max(...points.flatMap(point => [...point.map(Math.abs)])));
        cloud.take(4);
        points.forEach((point, i) => {
          expect(point.map((_, j) => cloud.coordinate(i, j))).to.deep.equal(point.map(x => 4 * x));
        });
      }),
    );
    for (const bad of [NaN, Infinity, -Infinity]) {
      const cloud = cloudOf(3, 2);
      cloud.input.set([1, 2, bad, 4, 5, 6]);
      expect(cloud.largest()).not.to.be.finite;
    }
  });

  it('weighs a place as a plain loop does, and finds its nearest point', () => {
    holdsForAll(
      fc.property(shapes, shape => {
        const [cloud, points] = drawn(shape);
        const [place] = cloud.places;
        place.y.set(normals(seeded(shape.seed, 'place'), shape.size));
        cloud.weigh(place);
        const lengths = points.map(point => distance(point, place.y));
        const pull = points.reduce(
          (sum, point, i) => addScaled(sum, 1 / lengths[i]!, subtract(point, place.y)),
          zeros(shape.size),
        );
        expectNear(place.distances.slice(0, shape.count), Float64Array.from(lengths));
        expectNear(place.pull, pull);
        expectNear(
          place.summary,
          Float64Array.of(
            norm(pull),
            lengths.reduce((sum, d) => sum + 1 / d, 0),
            0,
          ),
        );
        expect(lengths[cloud.nearest(place)]).to.equal(Math.min(...lengths));
      }),
    );
  });

  it('weighs from a point without it, and from copies of it without all of them', () => {
    const cloud = cloudOf(5, 2);
    cloud.input.set([3, 4, 0, 0, 3, 4, 6, 8, 3, 9]);
    cloud.take(1);
    const [place] = cloud.places;
    cloud.standAt(place, 2);
    expect(place.y).to.deep.equal(Float64Array.of(3, 4));
    expect(place.summary[AT_POINT]).to.equal(2);
    expect(place.summary[STRENGTH]).to.be.closeTo(1, 1e-15);
    expect(place.summary[INVERSES]).to.be.closeTo(3 / 5, 1e-15);
  });

  it('stands on the median of every coordinate, with ties and without', () => {
    holdsForAll(
      fc.property(shapes, fc.boolean(), (shape, ties) => {
        const [cloud, points] = drawn(shape);
        if (ties) cloud.input.set(cloud.input.map(Math.round));
        cloud.take(1);
        const [place] = cloud.places;
        cloud.standInMiddle(place);
        place.y.forEach((median, j) => {
          const sorted = points.map((_, i) => cloud.coordinate(i, j)).toSorted((a, b) => a - b);
          const half = sorted.length >> 1;
          const below = sorted.length % 2 === 1 ? sorted[half]! : sorted[half - 1]!;
          expect(median).to.equal((below + sorted[half]!) / 2);
        });
      }),
    );
  });

  it('sets equal coordinates apart at once, or this would take minutes', () => {
    const cloud = cloudOf(400_001, 1);
    cloud.input.fill(7).set([1, 2, 9]);
    cloud.take(1);
    cloud.standInMiddle(cloud.places[0]);
    expect(cloud.places[0].y[0]).to.equal(7);
  });

  it('knows the rise between two places to digits that the sums of distances have lost', () => {
    const [cloud, points] = drawn({ count: 7, size: 3, seed: 1 });
    const [from, to] = cloud.places;
    const along = Float64Array.of(1, -2, 3);
    const total = (y: Vector): number => points.reduce((sum, point) => sum + distance(point, y), 0);
    from.y.set([0.1, 0.2, 0.3]);
    cloud.weigh(from);
    for (const share of [1e-3, 1e-6, 1e-10, 1e-14]) {
      to.y.set(addScaled(from.y, share, along));
      cloud.weigh(to);
      const slope = -along.reduce((sum, coordinate, j) => sum + coordinate * from.pull[j]!, 0);
      // The curvature along the way, and the rounding of y.
      expect(cloud.rise(from, to) / share).to.be.closeTo(slope, 20 * share + 1e-15 / share);
      expect(cloud.rise(from, to)).to.be.closeTo(total(to.y) - total(from.y), 1e-14);
    }
    expect(cloud.rise(from, from)).to.equal(0);
  });
});
