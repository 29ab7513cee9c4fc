import { expect } from 'chai';
import { nesterov } from '../../../src/method/rule/nesterov.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import { restarted } from '../../../src/method/rule/restarted.ts';
import type { UpdateRule } from '../../../src/method/rule/updateRule.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { gradientOf } from '../../support/descentFixtures.ts';

const heavy = () => nesterov({ stepSize: 1, momentum: 0.9 });

checkRule('restarted nesterov', () => restarted(heavy(), 0.1), 4);

/** Where a rule is after every step along a slope that depends on the place alone. */
function path<State>(rule: UpdateRule<State>, slope: (x: number) => number, steps: number): number[] {
  let state = rule.init(Float64Array.of(0));
  return Array.from({ length: steps }, () => {
    state = rule.step(state, gradientOf(slope(rule.query(state)[0]!)));
    return rule.iterate(state)[0]!;
  });
}

describe('restarted', () => {
  /** Steep on the way, flat about its minimum at 10: as a loss of classes is. */
  const flattening = (x: number): number => Math.tanh((x - 10) / 20);

  it('forgets the move that a gradient is against, and goes on from there', () => {
    const rule = restarted(heavy(), 0);
    let state = rule.init(Float64Array.of(0));
    state = rule.step(state, gradientOf(-1));
    state = rule.step(state, gradientOf(-1));
    // 1, then 1 + 0.9 + 1; the next gradient points back.
    expect(rule.iterate(state)[0]).to.be.closeTo(2.9, 1e-12);
    state = rule.step(state, gradientOf(0.5));
    const turned = 2.9 + 0.9 * 1.9 - 0.5;
    expect(rule.iterate(state)[0]).to.be.closeTo(turned, 1e-12);
    expect(rule.query(state)[0]).to.be.closeTo(turned, 1e-12);
  });

  it('does not run past the answer of a loss that flattens', () => {
    const past = (x: readonly number[]): number => Math.max(...x) - 10;
    expect(past(path(heavy(), flattening, 80))).to.be.above(3);
    expect(past(path(restarted(heavy(), 0), flattening, 80))).to.be.below(2);
    expect(path(restarted(heavy(), 0), flattening, 80).at(-1)).to.be.closeTo(10, 0.1);
  });

  it('takes what noise explains for noise', () => {
    const slight = (x: number): number => (x > 5 ? 0.01 : -1);
    expect(path(restarted(heavy(), 0.1), slight, 20)).to.deep.equal(path(heavy(), slight, 20));
  });

  it('changes nothing of a descent that never turns', () => {
    const plain = () => projectedGradient({ stepSize: 0.1 });
    expect(path(restarted(plain(), 0), flattening, 50)).to.deep.equal(path(plain(), flattening, 50));
  });
});
