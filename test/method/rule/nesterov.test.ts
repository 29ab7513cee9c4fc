import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { addScaled, distance, scaled, subtract, zeros } from '../../../src/math/vector.ts';
import { type NesterovState, nesterov } from '../../../src/method/rule/nesterov.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { type Quadratic, quadratics, startFor } from '../../support/quadratics.ts';

checkRule('nesterov', () => nesterov({ stepSize: 0.3, momentum: 0.5 }), 3);
checkRule('nesterov with increasing momentum', () => nesterov({ stepSize: 0.3, momentum: 'increasing' }), 3);
checkRule(
  'nesterov from two points',
  () => nesterov({ stepSize: 0.3, momentum: 0.5, before: Float64Array.of(1, 2, 3) }),
  3,
);

const gradient = (value: number) => ({ values: Float64Array.of(value), privacy: 'raw' }) as const;

describe('nesterov', () => {
  it('looks ahead along its last move and steps from there, worked by hand', () => {
    const rule = nesterov({ stepSize: 0.5, momentum: 0.5, before: Float64Array.of(0) });
    const first = rule.init(Float64Array.of(2));
    expect(rule.iterate(first)).to.deep.equal(Float64Array.of(2));
    expect(rule.query(first)).to.deep.equal(Float64Array.of(3));
    const second = rule.step(first, gradient(4));
    expect(rule.iterate(second)).to.deep.equal(Float64Array.of(1));
    expect(rule.query(second)).to.deep.equal(Float64Array.of(0.5));
    expect(rule.iterate(rule.step(second, gradient(1)))).to.deep.equal(Float64Array.of(0));
    expect(rule.name).to.equal('nesterov');
  });

  it('has an increasing momentum of 0, 1/4, 2/5, 3/6, 4/7, ...', () => {
    const rule = nesterov({ stepSize: 1, momentum: 'increasing', before: Float64Array.of(0) });
    let state: NesterovState = rule.init(Float64Array.of(1));
    for (const momentum of [0, 1 / 4, 2 / 5, 3 / 6, 4 / 7, 5 / 8]) {
      const { previous, current } = state;
      expect(rule.query(state)[0]).to.be.closeTo(current[0]! + momentum * (current[0]! - previous[0]!), 1e-15);
      // A gradient that brings the next move to exactly 1.
      state = rule.step(state, gradient(rule.query(state)[0]! - current[0]! - 1));
      expect(subtract(state.current, state.previous)[0]).to.be.closeTo(1, 1e-15);
    }
  });

  it('begins at rest where only one point is given', () => {
    const rule = nesterov({ stepSize: 1, momentum: 0.9 });
    expect(rule.query(rule.init(Float64Array.of(5)))).to.deep.equal(Float64Array.of(5));
  });

  it('keeps its first point, whatever becomes of the array', () => {
    const before = Float64Array.of(0);
    const rule = nesterov({ stepSize: 0.5, momentum: 0.5, before });
    before.fill(100);
    expect(rule.query(rule.init(Float64Array.of(2)))).to.deep.equal(Float64Array.of(3));
  });

  const tuned = ({ most, least }: Quadratic) => ({
    stepSize: 1 / most,
    momentum: (Math.sqrt(most) - Math.sqrt(least)) / (Math.sqrt(most) + Math.sqrt(least)),
  });

  /** The right-hand side of lemma Optimiz_Nester_Conv, with F* = 0. */
  const bound = (problem: Quadratic, t: number): number => {
    const { most, least, minimizer } = problem;
    const start = startFor(problem);
    const energy = problem.value(start) + (least / 2) * distance(start, minimizer) ** 2;
    return Math.sqrt((1 - Math.sqrt(least / most)) ** t * (2 / least) * energy);
  };

  it('obeys lemma Optimiz_Nester_Conv after every gradient, from one point', () => {
    for (const problem of quadratics) {
      const rule = nesterov(tuned(problem));
      let state = rule.init(startFor(problem));
      for (let t = 0; t <= 300; t++) {
        const error = distance(rule.iterate(state), problem.minimizer);
        expect(error, `${problem.label}, t = ${t}`).to.be.at.most(bound(problem, t) * (1 + 1e-12) + 1e-13);
        state = rule.step(state, problem.gradient(rule.query(state)));
      }
    }
  });

  it('obeys it by its own count from two points, the second a gradient step from the first', () => {
    for (const problem of quadratics) {
      const before = startFor(problem);
      const rule = nesterov({ ...tuned(problem), before });
      let state = rule.init(addScaled(before, -1 / problem.most, problem.gradient(before).values));
      for (let t = 1; t <= 300; t++) {
        const error = distance(rule.iterate(state), problem.minimizer);
        expect(error, `${problem.label}, t = ${t}`).to.be.at.most(bound(problem, t) * (1 + 1e-12) + 1e-13);
        state = rule.step(state, problem.gradient(rule.query(state)));
      }
    }
  });

  it('falls like 2 ||x_0 - x*||^2 / (eta (t + 1)^2) with increasing momentum, for any condition number', () => {
    for (const problem of quadratics) {
      const start = startFor(problem);
      const rule = nesterov({ stepSize: 1 / problem.most, momentum: 'increasing' });
      let state = rule.init(start);
      for (let t = 0; t <= 300; t++) {
        const most = (2 * problem.most * distance(start, problem.minimizer) ** 2) / (t + 1) ** 2;
        const excess = problem.value(rule.iterate(state));
        expect(excess, `${problem.label}, t = ${t}`).to.be.at.most(most * (1 + 1e-12));
        state = rule.step(state, problem.gradient(rule.query(state)));
      }
    }
  });

  it('is faster than gradient descent where the condition number is 100', () => {
    const problem = quadratics.find(({ label }) => label === 'p = 20, condition 100')!;
    const errorAfter = (momentum: number) => {
      const rule = nesterov({ stepSize: 1 / problem.most, momentum });
      let state = rule.init(startFor(problem));
      for (let t = 0; t < 100; t++) state = rule.step(state, problem.gradient(rule.query(state)));
      return distance(rule.iterate(state), problem.minimizer);
    };
    expect(errorAfter(tuned(problem).momentum)).to.be.below(errorAfter(0) / 100);
  });

  it('refuses step sizes, momenta and first points that are none, by name', () => {
    for (const bad of [0, -1, NaN, Infinity]) {
      expect(() => nesterov({ stepSize: bad, momentum: 0.5 })).to.throw(
        ArgumentError,
        `stepSize must be a finite number above 0, got ${bad}`,
      );
    }
    for (const bad of [-0.1, 1, NaN, Infinity]) {
      expect(() => nesterov({ stepSize: 1, momentum: bad })).to.throw(
        ArgumentError,
        `momentum must be in [0, 1) or "increasing", got ${bad}`,
      );
    }
    expect(() => nesterov({ stepSize: 1, momentum: 'falling' as 'increasing' })).to.throw(
      ArgumentError,
      'got "falling"',
    );
    expect(() => nesterov({ stepSize: 1, momentum: 0.5, before: zeros(0) })).to.throw(
      ArgumentError,
      'before must have at least one coordinate',
    );
    expect(() => nesterov({ stepSize: 1, momentum: 0.5, before: Float64Array.of(1, NaN) })).to.throw(
      ArgumentError,
      'before[1] must be a finite number, got NaN',
    );
    const fromPlane = nesterov({ stepSize: 1, momentum: 0.5, before: scaled(zeros(2), 1) });
    expect(() => fromPlane.init(zeros(3))).to.throw(ArgumentError, 'the length of start must be 2, got 3');
  });
});
