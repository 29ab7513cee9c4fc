import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { addScaled, blend, distance, norm, scaled, zeros } from '../../../src/math/vector.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { checkConstraint } from '../../laws/checkConstraint.ts';

checkConstraint('l2Ball(2)', () => l2Ball(2), 3);
checkConstraint('l2Ball(1e-3) on the line', () => l2Ball(1e-3), 1);
checkConstraint('l2Ball(1e6) in many dimensions', () => l2Ball(1e6), 40);

describe('l2Ball', () => {
  it('declares its size and its strong convexity', () => {
    expect(l2Ball(4)).to.include({ name: 'l2Ball(4)', diameter: 8, strongConvexity: 0.25 });
  });

  it('projects along the ray to the centre', () => {
    expect(l2Ball(10).project(Float64Array.of(30, 40, 0))).to.deep.equal(Float64Array.of(6, 8, 0));
    expect(l2Ball(50).project(Float64Array.of(30, 40))).to.deep.equal(Float64Array.of(30, 40));
  });

  it('minimises along the gradient', () => {
    expect(l2Ball(10).minimizeLinear(Float64Array.of(3, -4, 0))).to.deep.equal(Float64Array.of(-6, 8, 0));
    expect(l2Ball(10).minimizeLinear(zeros(2))).to.deep.equal(zeros(2));
  });

  it('is right at every scale of the point and of the radius', () => {
    for (const scale of [Number.MIN_VALUE, 1e-300, 1e-150, 1, 1e150, 1e300, Number.MAX_VALUE / 4]) {
      for (const radius of [1e-300, 1e-150, 1, 1e150, 1e300]) {
        const ball = l2Ball(radius);
        const point = Float64Array.of(3 * scale, 4 * scale);
        const outside = norm(point) > radius;
        const expected = outside ? Float64Array.of(0.6 * radius, 0.8 * radius) : point;
        expect(distance(ball.project(point), expected)).to.be.at.most(4e-16 * radius);
        expect(norm(ball.project(point))).to.be.at.most(radius);
        expect(ball.minimizeLinear(point)[0]! / radius).to.be.closeTo(-0.6, 4e-16);
      }
    }
  });

  it('lands inside as its own norm counts, within an ulp or two of the sphere', () => {
    for (let i = 1; i <= 1000; i++) {
      const point = Float64Array.from({ length: 1 + (i % 30) }, (_, j) => 5 * Math.sin(i * (j + 1)) + 9);
      const length = norm(l2Ball(0.7).project(point));
      expect(length).to.be.at.most(0.7);
      expect(length).to.be.at.least(0.7 * (1 - 4 * Number.EPSILON));
    }
  });

  it('ends for a radius with no digits to spare', () => {
    const least = l2Ball(Number.MIN_VALUE);
    expect(norm(least.project(new Float64Array(9).fill(1)))).to.be.at.most(Number.MIN_VALUE);
  });

  it('is no more strongly convex than 1/radius', () => {
    const ball = l2Ball(2);
    const x = Float64Array.of(2 * Math.cos(0.01), 2 * Math.sin(0.01));
    const y = Float64Array.of(2 * Math.cos(0.01), -2 * Math.sin(0.01));
    const bulge = (strongConvexity: number) =>
      addScaled(blend(x, y, 0.5), (strongConvexity / 8) * distance(x, y) ** 2, Float64Array.of(1, 0));
    expect(ball.contains(bulge(0.5))).to.equal(true);
    expect(ball.contains(bulge(0.505))).to.equal(false);
  });

  it('contains by a relative tolerance', () => {
    const edge = scaled(Float64Array.of(0.6, 0.8), 1e-200);
    const ball = l2Ball(norm(edge));
    expect(ball.contains(scaled(edge, 1 + 1e-9))).to.equal(false);
    expect(ball.contains(scaled(edge, 1 + 1e-9), 1e-8)).to.equal(true);
    expect(ball.contains(scaled(edge, 1 + 1e-14))).to.equal(true);
  });

  it('refuses a radius that is not a finite number above 0', () => {
    for (const bad of [Number.NaN, 0, -1, Infinity]) {
      expect(() => l2Ball(bad)).to.throw(ArgumentError, `radius must be a finite number above 0, got ${bad}`);
    }
  });
});
