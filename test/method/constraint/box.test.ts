import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { zeros } from '../../../src/math/vector.ts';
import { box } from '../../../src/method/constraint/box.ts';
import { checkConstraint } from '../../laws/checkConstraint.ts';

checkConstraint('box', () => box(Float64Array.of(-1, 0, 2), Float64Array.of(1, 5, 2.5)), 3);
checkConstraint('box on the line', () => box(Float64Array.of(-3), Float64Array.of(-1)), 1);
checkConstraint('box with a flat side', () => box(Float64Array.of(0, 1), Float64Array.of(4, 1)), 2);

describe('box', () => {
  const set = box(Float64Array.of(-1, 0, 2), Float64Array.of(1, 4, 2));

  it('has the diagonal as its diameter', () => {
    expect(box(Float64Array.of(-1, 0), Float64Array.of(2, 4))).to.include({
      diameter: 5,
      strongConvexity: 0,
    });
    expect(box(Float64Array.of(3), Float64Array.of(3)).diameter).to.equal(0);
  });

  it('clamps each coordinate', () => {
    expect(set.project(Float64Array.of(-7, 3, 9))).to.deep.equal(Float64Array.of(-1, 3, 2));
  });

  it('minimises at a corner, and in the middle of a coordinate without slope', () => {
    expect(set.minimizeLinear(Float64Array.of(1, -1, 1))).to.deep.equal(Float64Array.of(-1, 4, 2));
    expect(set.minimizeLinear(Float64Array.of(-1, 0, -1))).to.deep.equal(Float64Array.of(1, 2, 2));
    expect(set.minimizeLinear(zeros(3))).to.deep.equal(Float64Array.of(0, 2, 2));
  });

  it('finds the middle of ends whose sum overflows', () => {
    const widest = box(Float64Array.of(1.5e308), Float64Array.of(1.7e308));
    expect(widest.minimizeLinear(zeros(1))[0]).to.be.closeTo(1.6e308, 1e293);
  });

  it('contains by a tolerance relative to the ends of each coordinate', () => {
    expect(set.contains(Float64Array.of(0, 4 + 1e-9, 2))).to.equal(false);
    expect(set.contains(Float64Array.of(0, 4 + 1e-9, 2), 1e-9)).to.equal(true);
    expect(set.contains(Float64Array.of(1.5, 1, 2))).to.equal(false);
  });

  it('keeps its own copy of the ends', () => {
    const [lower, upper] = [Float64Array.of(0), Float64Array.of(1)];
    const kept = box(lower, upper);
    lower[0] = -9;
    upper[0] = 9;
    expect(kept.project(Float64Array.of(5))).to.deep.equal(Float64Array.of(1));
    expect(kept.project(Float64Array.of(-5))).to.deep.equal(Float64Array.of(0));
  });

  it('refuses ends that are infinite, crossed, empty or of different lengths, by name', () => {
    const two = Float64Array.of(0, 0);
    expect(() => box(Float64Array.of(0, -Infinity), two)).to.throw(
      ArgumentError,
      'lower[1] must be a finite number, got -Infinity',
    );
    expect(() => box(two, Float64Array.of(Number.NaN, 0))).to.throw(
      ArgumentError,
      'upper[0] must be a finite number, got NaN',
    );
    expect(() => box(Float64Array.of(0, 3), Float64Array.of(1, 2))).to.throw(
      ArgumentError,
      'lower[1] must be at most upper[1] = 2, got 3',
    );
    expect(() => box(zeros(0), zeros(0))).to.throw(ArgumentError, 'lower must have at least one coordinate');
    expect(() => box(two, zeros(3))).to.throw(ArgumentError, 'the length of upper must be 2, got 3');
  });

  it('refuses points and gradients of another length', () => {
    const short = zeros(2);
    expect(() => set.contains(short)).to.throw(ArgumentError, 'the length of point must be 3, got 2');
    expect(() => set.project(short)).to.throw(ArgumentError, 'the length of point must be 3, got 2');
    expect(() => set.minimizeLinear(short)).to.throw(ArgumentError, 'the length of gradient must be 3, got 2');
  });
});
