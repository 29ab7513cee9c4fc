import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/errors.ts';
import { distance, oneNorm, type Vector, zeros } from '../../../src/math/vector.ts';
import { l1Ball } from '../../../src/method/constraint/l1Ball.ts';
import { checkConstraint } from '../../laws/checkConstraint.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';

checkConstraint('l1Ball(2)', () => l1Ball(2), 3);
checkConstraint('l1Ball(1e-3) on the line', () => l1Ball(1e-3), 1);
checkConstraint('l1Ball(1e6) in many dimensions', () => l1Ball(1e6), 40);

describe('l1Ball', () => {
  it('declares its size', () => {
    expect(l1Ball(4)).to.include({ name: 'l1Ball(4)', diameter: 8, strongConvexity: 0 });
  });

  it('lowers every coordinate by one threshold, to 0 at most', () => {
    expect(l1Ball(3).project(Float64Array.of(4, -3, 1))).to.deep.equal(Float64Array.of(2, -1, 0));
    expect(l1Ball(3).project(Float64Array.of(-9, -1, 1))).to.deep.equal(Float64Array.of(-3, 0, 0));
    expect(l1Ball(3).project(Float64Array.of(1, -1, 0.5))).to.deep.equal(Float64Array.of(1, -1, 0.5));
  });

  it('agrees with a bisection for the threshold on 500 random points', () => {
    const points = fc.array(uniform(-10, 10), { minLength: 1, maxLength: 30 });
    holdsForAll(
      fc.property(points, uniform(0.1, 40), (array, radius) => {
        const point = Float64Array.from(array);
        expect(distance(l1Ball(radius).project(point), byBisection(point, radius))).to.be.at.most(1e-13 * radius);
      }),
    );
  });

  it('keeps its digits far outside the ball, where sums of the coordinates would lose it', () => {
    expect(l1Ball(1).project(Float64Array.of(1e300, 1))).to.deep.equal(Float64Array.of(1, 0));
    expect(l1Ball(1).project(Float64Array.of(1e300, -1e300))).to.deep.equal(Float64Array.of(0.5, -0.5));
    expect(l1Ball(3).project(Float64Array.of(2 ** 52, 2 ** 52 - 1))).to.deep.equal(Float64Array.of(2, 1));
    expect(l1Ball(1e-300).project(Float64Array.of(-1e-299, 0))).to.deep.equal(Float64Array.of(-1e-300, 0));
    const farthest = Float64Array.of(Number.MAX_VALUE, Number.MAX_VALUE);
    expect(l1Ball(1).project(farthest)).to.deep.equal(Float64Array.of(0.5, 0.5));
  });

  it('lands inside as its own norm counts', () => {
    for (let i = 1; i <= 1000; i++) {
      const point = Float64Array.from({ length: 1 + (i % 30) }, (_, j) => 5 * Math.sin(i * (j + 1)) + 9);
      expect(oneNorm(l1Ball(0.7).project(point))).to.be.within(0.7 * (1 - 1e-14), 0.7);
    }
  });

  it('minimises at the vertex of the largest gradient coordinate, the first of equals', () => {
    expect(l1Ball(3).minimizeLinear(Float64Array.of(1, -2, 1.5))).to.deep.equal(Float64Array.of(0, 3, 0));
    expect(l1Ball(3).minimizeLinear(Float64Array.of(1, 2, -2))).to.deep.equal(Float64Array.of(0, -3, 0));
    expect(l1Ball(3).minimizeLinear(zeros(2))).to.deep.equal(zeros(2));
  });

  it('refuses a radius that is not a finite number above 0', () => {
    for (const bad of [Number.NaN, 0, -1, Infinity]) {
      expect(() => l1Ball(bad)).to.throw(ArgumentError, `radius must be a finite number above 0, got ${bad}`);
    }
  });
});

function byBisection(point: Vector, radius: number): Vector {
  if (oneNorm(point) <= radius) return point;
  const lowered = (threshold: number) =>
    point.map(coordinate => Math.sign(coordinate) * Math.max(Math.abs(coordinate) - threshold, 0));
  let [low, high] = [0, oneNorm(point)];
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (oneNorm(lowered(middle)) > radius) low = middle;
    else high = middle;
  }
  return lowered(high);
}
