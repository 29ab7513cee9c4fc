import { expect } from 'chai';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import { tailAveraged } from '../../../src/method/rule/tailAveraged.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { expectClose } from '../../support/close.ts';
import { gradientOf } from '../../support/descentFixtures.ts';

const plain = projectedGradient({ stepSize: 0.5 });

checkRule('tail averaged gradient', () => tailAveraged(plain, 3), 4);

describe('tailAveraged', () => {
  it('is the mean of the iterates from a step on, and before that the last iterate', () => {
    const rule = tailAveraged(plain, 3);
    let state = rule.init(Float64Array.of(0));
    const found: number[] = [];
    // Iterates 1, 3, 7, 15, 31.
    for (const step of [1, 2, 4, 8, 16]) {
      state = rule.step(state, gradientOf(-2 * step));
      found.push(rule.iterate(state)[0]!);
    }
    for (const [t, expected] of [1, 3, 7, 11, 53 / 3].entries()) expectClose(found[t]!, expected);
    // The next gradient is taken where the rule itself is.
    expect([...rule.query(state)]).to.deep.equal([31]);
  });

  it('refuses a step that is none', () => {
    expect(() => tailAveraged(plain, 0)).to.throw('from');
  });
});
