import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { addScaled, blend, dot, filled, norm, scaled, subtract, type Vector } from '../../../src/math/vector.ts';
import { box } from '../../../src/method/constraint/box.ts';
import type { Constraint } from '../../../src/method/constraint/constraint.ts';
import { everywhere } from '../../../src/method/constraint/constraint.ts';
import { l1Ball } from '../../../src/method/constraint/l1Ball.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import {
  acceleratedContraction,
  acceleratedFrankWolfe,
  acceleratedStep,
} from '../../../src/method/rule/acceleratedFrankWolfe.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { direction } from '../../support/linearAlgebra.ts';
import { type Quadratic, quadratics, startFor } from '../../support/quadratics.ts';

checkRule(
  'acceleratedFrankWolfe',
  () => acceleratedFrankWolfe({ constraint: l2Ball(1.5), gradientFloor: 1, smoothness: 2 }),
  3,
  { feasible: theta => l2Ball(1.5).contains(theta) },
);

/** A point of the ball whose product with the gradient exceeds the least one by `gap` at most. */
type Blunder = (exact: Vector, gradient: Vector, gap: number) => Vector;

/** l2Ball, but with a linear minimiser that blunders. */
function inexactBall(radius: number, gap: number, blunder: Blunder): Constraint {
  const ball = l2Ball(radius);
  return {
    ...ball,
    minimizeLinear: gradient => {
      const exact = ball.minimizeLinear(gradient);
      const given = blunder(exact, gradient, gap);
      const excess = dot(gradient, subtract(given, exact));
      if (!ball.contains(given) || excess > gap + 1e-14 * radius * norm(gradient)) {
        expect.fail(`the blunder is ${excess} for a gap of ${gap}, at ${norm(given)} for a radius of ${radius}`);
      }
      return given;
    },
  };
}

/** v + s (z - v) with the largest s that the gap allows. */
const toward = (exact: Vector, target: Vector, gradient: Vector, gap: number): Vector => {
  const loss = dot(gradient, subtract(target, exact));
  return blend(exact, target, loss <= gap ? 1 : gap / loss);
};

interface Setting {
  readonly problem: Quadratic;
  readonly radius: number;
  readonly gap: number;
  readonly blunder: Blunder;
}

/** 300 steps: the excess risk at each, beside c^t h_0 and the error term of the theorem. */
function run({ problem, radius, gap, blunder }: Setting) {
  const least = problem.value(problem.minimizerIn(radius));
  // The floor is right to rounding; the theorem wants a lower bound.
  const acceleration = {
    strongConvexity: 1 / radius,
    gradientFloor: problem.gradientFloor(radius) * (1 - 1e-9),
    smoothness: problem.most,
  };
  const rule = acceleratedFrankWolfe({ constraint: inexactBall(radius, gap, blunder), ...acceleration });
  const c = acceleratedContraction(acceleration);
  const errorTerm = (3 * gap * acceleratedStep(acceleration)) / (2 * (1 - c));
  let state = rule.init(startFor(problem));
  const first = problem.value(rule.iterate(state)) - least;
  return Array.from({ length: 300 }, (_, t) => {
    const excess = problem.value(rule.iterate(state)) - least;
    state = rule.step(state, problem.gradient(rule.query(state)));
    return { excess, geometric: c ** t * first, errorTerm };
  });
}

/** The first step at which the excess is not between 0 and the bound, up to rounding; -1 where there is none. */
const firstBreach = (
  { most }: Quadratic,
  steps: ReturnType<typeof run>,
  bound: (step: ReturnType<typeof run>[number]) => number,
): number =>
  steps.findIndex(step => {
    const rounding = 1e-14 * most;
    return !(step.excess >= -rounding && step.excess <= bound(step) * (1 + 1e-12) + rounding);
  });

const radii = [0.05, 0.3, 0.8];

describe('acceleratedFrankWolfe', () => {
  it('has the step and the contraction of alg:ReAccFW and theorem ACCFWV3, worked by hand', () => {
    const mild = { strongConvexity: 0.5, gradientFloor: 2, smoothness: 1 };
    expect(acceleratedStep(mild)).to.equal(0.25);
    expect(acceleratedContraction(mild)).to.equal(0.875);
    const steep = { ...mild, gradientFloor: 100 };
    expect(acceleratedStep(steep)).to.equal(1);
    expect(acceleratedContraction(steep)).to.equal(0.5);
    const rule = acceleratedFrankWolfe({ constraint: l2Ball(2), gradientFloor: 2, smoothness: 1 });
    const gradient = { values: Float64Array.of(3), privacy: 'raw' } as const;
    const once = rule.step(rule.init(Float64Array.of(1)), gradient);
    expect(rule.iterate(once)[0]).to.equal(0.25);
    expect(rule.iterate(rule.step(once, gradient))[0]).to.equal(-0.3125);
    expect(rule.name).to.equal('accelerated-frank-wolfe');
  });

  it('obeys theorem ACCFWV3 with exact minimisers: the excess falls geometrically, at every step', () => {
    for (const problem of quadratics) {
      for (const radius of radii) {
        const steps = run({ problem, radius, gap: 0, blunder: exact => exact });
        const breach = firstBreach(problem, steps, ({ geometric }) => geometric);
        expect(breach, `${problem.label}, radius ${radius}`).to.equal(-1);
      }
    }
  });

  const random = seeded(1, 'blunders');
  /** Each is given the minimiser over the ball, and works against it. */
  const blunders: Record<string, (minimizer: Vector, radius: number) => Blunder> = {
    'that fall short of the sphere': () => (exact, gradient, gap) => toward(exact, scaled(exact, -1), gradient, gap),
    'drawn away from the minimum': minimizer => (exact, gradient, gap) =>
      toward(exact, scaled(minimizer, -1), gradient, gap),
    'turned along the sphere': (minimizer, radius) => (exact, gradient, gap) => {
      const unit = scaled(exact, 1 / radius);
      const across = (v: Vector) => addScaled(v, -dot(v, unit), unit);
      const tangent = across(scaled(minimizer, -1));
      if (norm(tangent) < 1e-9 * radius) return toward(exact, scaled(exact, -1), gradient, gap);
      const side = across(scaled(tangent, 1 / norm(tangent)));
      const cosine = Math.max(-1, 1 - gap / (radius * norm(gradient)));
      const sine = Math.sqrt(1 - cosine ** 2) * (1 - 1e-12);
      return addScaled(scaled(exact, cosine), radius * sine, side);
    },
    'drawn to random members': (_, radius) => (exact, gradient, gap) =>
      toward(exact, scaled(direction(random, exact.length), radius), gradient, gap),
  };

  for (const [name, blunderFor] of Object.entries(blunders)) {
    it(`obeys it with Delta-inexact minimisers ${name}, and needs its error term`, () => {
      let needed = 0;
      for (const problem of quadratics) {
        for (const radius of radii) {
          const blunder = blunderFor(problem.minimizerIn(radius), radius);
          for (const share of [1e-6, 1e-3, 0.1]) {
            const gap = share * radius * problem.gradientFloor(radius);
            const steps = run({ problem, radius, gap, blunder });
            const breach = firstBreach(problem, steps, ({ geometric, errorTerm }) => geometric + errorTerm);
            expect(breach, `${problem.label}, radius ${radius}, gap ${gap}`).to.equal(-1);
            if (firstBreach(problem, steps, ({ geometric }) => geometric) >= 0) needed++;
          }
        }
      }
      expect(needed).to.be.above(0);
    });
  }

  it('refuses sets that are not strongly convex, and constants that are not finite numbers above 0', () => {
    for (const constraint of [l1Ball(1), box(filled(2, 0), filled(2, 1)), everywhere()]) {
      expect(() => acceleratedFrankWolfe({ constraint, gradientFloor: 1, smoothness: 1 })).to.throw(
        ArgumentError,
        `constraint must be strongly convex, got "${constraint.name}"; use l2Ball, or frankWolfe`,
      );
    }
    for (const name of ['gradientFloor', 'smoothness']) {
      for (const bad of [0, -1, NaN, Infinity]) {
        expect(() =>
          acceleratedFrankWolfe({ constraint: l2Ball(1), gradientFloor: 1, smoothness: 1, [name]: bad }),
        ).to.throw(ArgumentError, `${name} must be a finite number above 0, got ${bad}`);
      }
    }
  });
});
