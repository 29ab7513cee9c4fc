import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { filled, oneNorm } from '../../../src/math/vector.ts';
import { box } from '../../../src/method/constraint/box.ts';
import { everywhere } from '../../../src/method/constraint/constraint.ts';
import { l1Ball } from '../../../src/method/constraint/l1Ball.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { frankWolfe } from '../../../src/method/rule/frankWolfe.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { quadratics, startFor } from '../../support/quadratics.ts';

for (const constraint of [l2Ball(1.5), l1Ball(1), box(filled(3, -1), filled(3, 0.5))]) {
  const feasible = (theta: Float64Array) => constraint.contains(theta);
  checkRule(`frankWolfe on ${constraint.name}`, () => frankWolfe({ constraint }), 3, { feasible });
  checkRule(`frankWolfe of constant step on ${constraint.name}`, () => frankWolfe({ constraint, stepSize: 0.25 }), 3, {
    feasible,
  });
}

const gradient = (value: number) => ({ values: Float64Array.of(value), privacy: 'raw' }) as const;

describe('frankWolfe', () => {
  it('blends toward the minimiser by 1, 2/3, 1/2, 2/5, ..., worked by hand', () => {
    const rule = frankWolfe({ constraint: l2Ball(2) });
    let state = rule.init(Float64Array.of(1));
    // The minimiser is -2 for a positive gradient and 2 for a negative one.
    const expected = [-2, 2 / 3, -2 / 3, (3 / 5) * (-2 / 3) + (2 / 5) * 2];
    for (const [t, value] of expected.entries()) {
      state = rule.step(state, gradient(t % 2 === 0 ? 1 : -1));
      expect(rule.iterate(state)[0]).to.be.closeTo(value, 1e-15);
    }
    expect(rule.query(state)).to.deep.equal(rule.iterate(state));
    expect(rule.name).to.equal('frank-wolfe');
  });

  it('takes the whole first step, so that the start does not matter', () => {
    const rule = frankWolfe({ constraint: l2Ball(2) });
    const moved = (start: number) => rule.iterate(rule.step(rule.init(Float64Array.of(start)), gradient(-3)));
    expect(moved(-1.9)).to.deep.equal(moved(0.3));
  });

  it('blends by a constant where one is given', () => {
    const rule = frankWolfe({ constraint: l2Ball(2), stepSize: 0.25 });
    let state = rule.init(Float64Array.of(1));
    state = rule.step(state, gradient(1));
    expect(rule.iterate(state)[0]).to.equal(0.25);
    state = rule.step(state, gradient(1));
    expect(rule.iterate(state)[0]).to.equal(-0.3125);
  });

  it('obeys lemma Optimiz_FW_Conv on quadratics with their minimum inside, at every step', () => {
    for (const problem of quadratics) {
      const sets = [
        l2Ball(1.2),
        l1Ball(1.2 * oneNorm(problem.minimizer)),
        box(filled(problem.size, -1.1), filled(problem.size, 1.1)),
      ];
      for (const constraint of sets) {
        const rule = frankWolfe({ constraint });
        let state = rule.init(startFor(problem));
        for (let t = 0; t <= 300; t++) {
          const bound = (2 * problem.most * constraint.diameter ** 2) / (t + 2);
          const excess = problem.value(rule.iterate(state));
          expect(excess, `${problem.label}, ${constraint.name}, t = ${t}`).to.be.at.most(bound * (1 + 1e-12));
          state = rule.step(state, problem.gradient(rule.query(state)));
        }
      }
    }
  });

  it('obeys it from the first step on where the minimum is outside the ball', () => {
    for (const problem of quadratics) {
      for (const radius of [0.1, 0.5, 0.95]) {
        const constraint = l2Ball(radius);
        const least = problem.value(problem.minimizerIn(radius));
        const rule = frankWolfe({ constraint });
        let state = rule.init(startFor(problem));
        for (let t = 1; t <= 300; t++) {
          state = rule.step(state, problem.gradient(rule.query(state)));
          const bound = (2 * problem.most * constraint.diameter ** 2) / (t + 2);
          const excess = problem.value(rule.iterate(state)) - least;
          expect(excess, `${problem.label}, radius ${radius}, t = ${t}`).to.be.within(
            -1e-14 * problem.most,
            bound * (1 + 1e-12),
          );
        }
      }
    }
  });

  it('refuses an unbounded set, and a step that is no share, by name', () => {
    expect(() => frankWolfe({ constraint: everywhere() })).to.throw(
      ArgumentError,
      'constraint must be bounded, got "everywhere"; use l2Ball, l1Ball or box',
    );
    for (const bad of [0, -0.5, 1.5, NaN, Infinity]) {
      expect(() => frankWolfe({ constraint: l2Ball(1), stepSize: bad })).to.throw(
        ArgumentError,
        `stepSize must be in (0, 1], got ${bad}`,
      );
    }
  });
});
