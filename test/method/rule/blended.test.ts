import { expect } from 'chai';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { blended, still } from '../../../src/method/rule/blended.ts';
import { nesterov } from '../../../src/method/rule/nesterov.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';

const starts = [Float64Array.of(1, 2), Float64Array.of(-3, 5)] as const;
const rules = [projectedGradient({ stepSize: 0.5 }), nesterov({ stepSize: 0.1, momentum: 'increasing' })] as const;

describe('blended', () => {
  it('is every rule by itself, with the mean of their iterates', () => {
    const rule = blended([
      { rule: rules[0], start: starts[0], loss: squared(), share: 0.25 },
      { rule: rules[1], start: starts[1], loss: pseudoHuber(1), share: 0.75 },
    ]);
    let state = rule.init(Float64Array.of(9, 9));
    const alone = [rules[0].init(starts[0]), rules[1].init(starts[1])] as [unknown, unknown];
    for (let step = 0; step < 5; step++) {
      const { fits } = rule.question!(state);
      const own = rules.map((each, k) => each.query(alone[k] as never));
      expect(fits!.map(({ at }) => [...at])).to.deep.equal(own.map(at => [...at]));
      expect(fits!.map(({ loss }) => loss.name)).to.deep.equal(['squared', 'pseudoHuber(1)']);
      const gradients = own.map((at, k) => at.map(value => (k + 1) * value - 1));
      state = rule.step(structuredClone(state), {
        values: Float64Array.from(gradients.flatMap(gradient => [...gradient])),
        privacy: 'raw',
      });
      rules.forEach((each, k) => {
        alone[k] = each.step(alone[k] as never, { values: gradients[k]!, privacy: 'raw' });
      });
      const [a, b] = rules.map((each, k) => each.iterate(alone[k] as never));
      expect(rule.parts!(state).map(part => [...part])).to.deep.equal([[...a!], [...b!]]);
      rule.iterate(state).forEach((value, j) => {
        expect(value).to.be.closeTo(0.25 * a![j]! + 0.75 * b![j]!, 1e-12);
      });
    }
  });

  it('keeps a fit where it is that is still', () => {
    const start = still.init(starts[0]);
    expect([...still.step(start, { values: starts[1], privacy: 'raw' })]).to.deep.equal([1, 2]);
  });
});
