import { expect } from 'chai';
import { distance } from '../../../src/math/vector.ts';
import { allButLast } from '../../../src/method/constraint/allButLast.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { centred } from '../../../src/method/rule/centred.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { gradientOf } from '../../support/descentFixtures.ts';

const descent = () => centred(projectedGradient({ stepSize: 0.1 }), Float64Array.of(3, -2));

checkRule('a centred descent', descent, 3);

describe('centred', () => {
  it('moves the intercept with the slopes, so that scores at the centres go as without them', () => {
    const rule = descent();
    const before = rule.init(Float64Array.of(1, 1, 0));
    // By slopes alone: at x = (3, -2) + (1, 0) the score is that of the first slope more.
    const after = rule.iterate(rule.step(before, gradientOf(1 + 3 * 2, 0 - 2 * 2, 2)));
    expect(distance(after, Float64Array.of(0.9, 1, 0.1))).to.be.below(1e-12);
  });

  it('keeps a set of slopes, whatever the centres', () => {
    const constraint = allButLast(l2Ball(1));
    const rule = centred(projectedGradient({ stepSize: 1, constraint }), Float64Array.of(1e6, 5));
    const theta = rule.iterate(rule.init(Float64Array.of(3, 4, 2)));
    expect(distance(theta.subarray(0, 2), Float64Array.of(0.6, 0.8))).to.be.below(1e-12);
    // The score at the centres is what it was.
    expect(theta[2]! + 0.6e6 + 4).to.be.closeTo(2 + 3e6 + 20, 1e-6);
  });

  it('says how many rows are behind its estimate only where its rule does', () => {
    expect(descent()).not.to.have.property('rowsBehind');
  });
});
