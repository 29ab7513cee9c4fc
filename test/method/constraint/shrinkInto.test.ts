import { expect } from 'chai';
import { norm, oneNorm, zeros } from '../../../src/math/vector.ts';
import { shrinkInto } from '../../../src/method/constraint/constraint.ts';

describe('shrinkInto', () => {
  it('leaves a point inside as it is', () => {
    const point = Float64Array.of(0.6, 0.8);
    expect(shrinkInto(norm(point), norm, point)).to.equal(point);
  });

  it('takes the least step of a doubling slack that ends inside', () => {
    const point = Float64Array.of(1 + 3 * Number.EPSILON);
    expect(shrinkInto(1, oneNorm, point)).to.deep.equal(Float64Array.of(1 - Number.EPSILON));
  });

  it('ends at 0 where nothing else is inside', () => {
    expect(oneNorm(shrinkInto(0, oneNorm, Float64Array.of(1, 1)))).to.equal(0);
    expect(shrinkInto(0, oneNorm, zeros(1))).to.deep.equal(zeros(1));
  });
});
