import { expect } from 'chai';
import { everywhere } from '../../../src/method/constraint/constraint.ts';
import { checkConstraint } from '../../laws/checkConstraint.ts';

checkConstraint('everywhere', everywhere, 3);

describe('everywhere', () => {
  it('is R^p', () => {
    expect(everywhere()).to.include({ name: 'everywhere', diameter: Infinity, strongConvexity: 0 });
    expect(everywhere().contains(Float64Array.of(1e308, -1e308))).to.equal(true);
    expect(everywhere().project(Float64Array.of(1e308, -1e308))).to.deep.equal(Float64Array.of(1e308, -1e308));
  });
});
