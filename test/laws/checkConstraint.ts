import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import {
  addScaled,
  blend,
  distance,
  dot,
  filled,
  norm,
  scaled,
  subtract,
  type Vector,
  zeros,
} from '../../src/math/vector.ts';
import type { Constraint } from '../../src/method/constraint/constraint.ts';
import { holdsForAll, uniform } from './holdsForAll.ts';

/** What every constraint on R^dimension owes. A set with an infinite diameter owes no linear minimiser. */
export function checkConstraint(name: string, makeConstraint: () => Constraint, dimension: number): void {
  const constraint = makeConstraint();
  const bounded = constraint.diameter < Infinity;
  const size = bounded ? constraint.diameter / 2 : 1;
  const centre = bounded ? constraint.minimizeLinear(zeros(dimension)) : zeros(dimension);
  const tiny = 1e-12 * size;

  const directions = fc
    .array(uniform(-1, 1), { minLength: dimension, maxLength: dimension })
    .map(array => Float64Array.from(array))
    .filter(direction => norm(direction) > 0);
  const points = fc
    .tuple(directions, uniform(-3, 3))
    .map(([direction, exponent]) => addScaled(centre, size * 10 ** exponent, direction));
  const members = fc
    .tuple(points, points, uniform(0, 1))
    .map(([a, b, share]) => blend(constraint.project(a), constraint.project(b), share));

  describe(`${name} as a constraint`, () => {
    it('is a frozen record', () => {
      expect(constraint).to.be.frozen;
    });

    it('projects into itself', () => {
      holdsForAll(fc.property(points, point => constraint.contains(constraint.project(point))));
    });

    it('projects a projection to itself, bit for bit', () => {
      holdsForAll(
        fc.property(points, point => {
          const once = constraint.project(point);
          expect(constraint.project(once)).to.deep.equal(once);
        }),
      );
    });

    it('returns a point inside unchanged, as a copy', () => {
      holdsForAll(
        fc.property(members, point => {
          fc.pre(constraint.contains(point, 0));
          const projected = constraint.project(point);
          expect(projected).to.deep.equal(point);
          expect(projected).not.to.equal(point);
        }),
      );
    });

    it('projects to the nearest member: (x - Px).(z - Px) <= 0', () => {
      holdsForAll(
        fc.property(points, members, (x, z) => {
          const nearest = constraint.project(x);
          const gap = subtract(x, nearest);
          expect(dot(gap, subtract(z, nearest))).to.be.at.most(norm(gap) * tiny);
          expect(norm(gap)).to.be.at.most(distance(x, z) + tiny);
        }),
      );
    });

    it('has no two members further apart than its diameter', () => {
      holdsForAll(fc.property(members, members, (a, b) => distance(a, b) <= constraint.diameter + tiny));
    });

    it('is strongly convex to the degree it declares', () => {
      const { strongConvexity } = constraint;
      holdsForAll(
        fc.property(members, members, directions, uniform(0, 1), (x, y, direction, gamma) => {
          const bulge = gamma * (1 - gamma) * (strongConvexity / 2) * distance(x, y) ** 2;
          const point = addScaled(blend(x, y, 1 - gamma), bulge / norm(direction), direction);
          expect(constraint.contains(point)).to.equal(true);
        }),
      );
    });

    it('writes to no argument', () => {
      holdsForAll(
        fc.property(points, point => {
          const before = point.slice();
          constraint.contains(point);
          constraint.project(point);
          if (bounded) constraint.minimizeLinear(point);
          expect(point).to.deep.equal(before);
        }),
      );
    });

    it('says no to points that are not of R^p, and refuses to project them', () => {
      for (const bad of [Number.NaN, Infinity, -Infinity]) {
        const point = addScaled(centre, 1, zeros(dimension));
        point[dimension - 1] = bad;
        expect(constraint.contains(point)).to.equal(false);
        expect(() => constraint.project(point)).to.throw(ArgumentError, `point[${dimension - 1}]`);
      }
      expect(() => constraint.project(zeros(0))).to.throw(ArgumentError, 'point');
    });

    if (bounded) {
      checkLinearMinimiser();
    } else {
      it('refuses to minimise a linear function, and says what to use instead', () => {
        expect(() => constraint.minimizeLinear(filled(dimension, 1))).to.throw(ArgumentError, 'use l2Ball');
      });
    }
  });

  function checkLinearMinimiser() {
    it('minimises a linear function: no member and no neighbour does better', () => {
      holdsForAll(
        fc.property(directions, members, directions, uniform(-6, 0), (gradient, z, kick, exponent) => {
          const least = constraint.minimizeLinear(gradient);
          expect(constraint.contains(least)).to.equal(true);
          const neighbour = constraint.project(addScaled(least, size * 10 ** exponent, kick));
          for (const other of [z, neighbour]) {
            expect(dot(gradient, subtract(least, other))).to.be.at.most(norm(gradient) * tiny);
          }
        }),
      );
    });

    it('gives the centre for a gradient of 0, afresh each time', () => {
      expect(constraint.contains(centre)).to.equal(true);
      constraint.minimizeLinear(zeros(dimension)).fill(Number.NaN);
      expect(constraint.minimizeLinear(zeros(dimension))).to.deep.equal(centre);
      holdsForAll(fc.property(members, point => constraint.contains(subtract(scaled(centre, 2), point), 1e-9)));
    });

    it('attains its diameter between two opposite minimisers', () => {
      const axes = Array.from({ length: dimension }, (_, j) => zeros(dimension).fill(1, j, j + 1));
      const span = (gradient: Vector) =>
        distance(constraint.minimizeLinear(gradient), constraint.minimizeLinear(scaled(gradient, -1)));
      const widest = Math.max(...[filled(dimension, 1), ...axes].map(span));
      expect(widest).to.be.closeTo(constraint.diameter, 1e-9 * constraint.diameter);
    });

    it('refuses gradients that are not finite', () => {
      for (const bad of [Number.NaN, Infinity]) {
        const gradient = zeros(dimension).fill(bad, 0, 1);
        expect(() => constraint.minimizeLinear(gradient)).to.throw(ArgumentError, 'gradient[0]');
      }
    });
  }
}
