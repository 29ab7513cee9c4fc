import { expect } from 'chai';
import { allButLast } from '../../../src/method/constraint/allButLast.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { checkConstraint } from '../../laws/checkConstraint.ts';

describe('allButLast', () => {
  checkConstraint('l2Ball(1) beside a free coordinate', () => allButLast(l2Ball(1)), 4);

  it('projects the coefficients and lets the last coordinate be', () => {
    expect([...allButLast(l2Ball(1)).project(Float64Array.of(3, 4, 1000))]).to.deep.equal([0.6, 0.8, 1000]);
  });

  it('has no linear minimiser', () => {
    expect(() => allButLast(l2Ball(1)).minimizeLinear(Float64Array.of(1, 2))).to.throw('without an intercept');
  });
});
