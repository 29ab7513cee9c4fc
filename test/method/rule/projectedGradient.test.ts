import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { distance, filled, oneNorm } from '../../../src/math/vector.ts';
import { box } from '../../../src/method/constraint/box.ts';
import type { Constraint } from '../../../src/method/constraint/constraint.ts';
import { everywhere } from '../../../src/method/constraint/constraint.ts';
import { l1Ball } from '../../../src/method/constraint/l1Ball.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { quadratics, startFor } from '../../support/quadratics.ts';

checkRule('projectedGradient', () => projectedGradient({ stepSize: 0.3 }), 3, { keepsStill: true });
for (const constraint of [l2Ball(1.5), l1Ball(1), box(filled(3, -1), filled(3, 0.5))]) {
  checkRule(`projectedGradient on ${constraint.name}`, () => projectedGradient({ stepSize: 0.3, constraint }), 3, {
    feasible: theta => constraint.contains(theta),
    keepsStill: true,
  });
}

checkRule(
  'projectedGradient by a curvature',
  () => projectedGradient({ stepSize: 0.5, curvature: Float64Array.of(2, 0.5, 0, 0.5, 1, 0, 0, 0, 4) }),
  3,
);

describe('projectedGradient', () => {
  it('reaches the least of a quadratic at once by its own curvature, over a set as well', () => {
    const curvature = Float64Array.of(2, 1, 1, 2);
    // From (1, 1) with the gradient (3, 3): the least of all is at 0, and of x1 >= 0.5 at (-0.25, 0.5).
    const down = { values: Float64Array.of(3, 3), privacy: 'raw' } as const;
    const free = projectedGradient({ stepSize: 1, curvature });
    expect(distance(free.step(free.init(filled(2, 1)), down), filled(2, 0))).to.be.below(1e-12);
    const constraint = box(Float64Array.of(-9, 0.5), filled(2, 9));
    const held = projectedGradient({ stepSize: 1, curvature, constraint });
    const found = held.step(held.init(filled(2, 1)), down);
    expect(distance(found, Float64Array.of(-0.25, 0.5))).to.be.below(1e-12);
    expect(() => projectedGradient({ stepSize: 1, curvature: Float64Array.of(1, 1, 1, 1) })).to.throw(
      ArgumentError,
      'positive definite',
    );
  });

  const gradient = { values: Float64Array.of(2, -4), privacy: 'raw' } as const;

  it('steps against the gradient and comes back into the set, worked by hand', () => {
    const free = projectedGradient({ stepSize: 0.5 });
    expect(free.step(free.init(Float64Array.of(1, 1)), gradient)).to.deep.equal(Float64Array.of(0, 3));
    const held = projectedGradient({ stepSize: 0.5, constraint: box(filled(2, 0), filled(2, 2)) });
    expect(held.step(held.init(Float64Array.of(1, 9)), gradient)).to.deep.equal(Float64Array.of(0, 2));
    const ball = projectedGradient({ stepSize: 1, constraint: l2Ball(5) });
    // (4, 3) - (-2, -5) = (6, 8), which is 10 long.
    const outward = { values: Float64Array.of(-2, -5), privacy: 'raw' } as const;
    expect(ball.step(ball.init(Float64Array.of(4, 3)), outward)).to.deep.equal(Float64Array.of(3, 4));
  });

  it('asks for the gradient at its iterate, and is called what it is', () => {
    const rule = projectedGradient({ stepSize: 0.5 });
    const state = rule.init(Float64Array.of(1, 1));
    expect(rule.query(state)).to.deep.equal(rule.iterate(state));
    expect(rule.name).to.equal('projected-gradient');
  });

  it('contracts on quadratics as lemma Optimiz_Proj_GD_Conv says, at every step', () => {
    for (const problem of quadratics) {
      const { most, least, minimizer, label, size } = problem;
      const sets: Constraint[] = [
        everywhere(),
        l2Ball(1.01),
        l1Ball(1.01 * oneNorm(minimizer)),
        box(filled(size, -1.01), filled(size, 1.01)),
      ];
      for (const constraint of sets) {
        const rule = projectedGradient({ stepSize: 2 / (most + least), constraint });
        let state = rule.init(startFor(problem));
        const first = distance(state, minimizer);
        const contraction = (most - least) / (most + least);
        for (let t = 0; t < 300; t++) {
          const bound = contraction ** t * first * (1 + 1e-12) + 1e-14;
          if (!(distance(state, minimizer) <= bound)) expect.fail(`${label}, ${constraint.name}, t = ${t}`);
          state = rule.step(state, problem.gradient(rule.query(state)));
        }
      }
    }
  });

  it('refuses a step size that is not a finite number above 0', () => {
    for (const bad of [0, -1, NaN, Infinity]) {
      expect(() => projectedGradient({ stepSize: bad })).to.throw(
        ArgumentError,
        `stepSize must be a finite number above 0, got ${bad}`,
      );
    }
  });
});
