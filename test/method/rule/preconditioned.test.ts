import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { type Cholesky, cholesky } from '../../../src/math/cholesky.ts';
import { addScaled, distance, norm, zeros } from '../../../src/math/vector.ts';
import { l2Ball } from '../../../src/method/constraint/l2Ball.ts';
import { acceleratedFrankWolfe } from '../../../src/method/rule/acceleratedFrankWolfe.ts';
import { frankWolfe } from '../../../src/method/rule/frankWolfe.ts';
import { preconditioned } from '../../../src/method/rule/inCoordinates.ts';
import { nesterov } from '../../../src/method/rule/nesterov.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { flat, solveBy } from '../../support/linearAlgebra.ts';
import { quadratics, startFor } from '../../support/quadratics.ts';

const factor = cholesky(Float64Array.of(4, 1, 0.5, 1, 3, 0.25, 0.5, 0.25, 2), 3)!;
const ball = l2Ball(1.5);
const inEllipsoid = (theta: Float64Array) => ball.contains(factor.timesTransposed(theta));

checkRule('preconditioned projectedGradient', () => preconditioned(projectedGradient({ stepSize: 0.3 }), factor), 3, {
  keepsStill: true,
});
checkRule(
  'preconditioned projectedGradient on a ball',
  () => preconditioned(projectedGradient({ stepSize: 0.3, constraint: ball }), factor),
  3,
  { feasible: inEllipsoid, keepsStill: true },
);
checkRule(
  'preconditioned nesterov',
  () => preconditioned(nesterov({ stepSize: 0.3, momentum: 'increasing' }), factor),
  3,
);
checkRule('preconditioned frankWolfe', () => preconditioned(frankWolfe({ constraint: ball }), factor), 3, {
  feasible: inEllipsoid,
});
checkRule(
  'preconditioned acceleratedFrankWolfe',
  () => preconditioned(acceleratedFrankWolfe({ constraint: ball, gradientFloor: 1, smoothness: 2 }), factor),
  3,
  { feasible: inEllipsoid },
);

const factorOf = ({ matrix, size }: (typeof quadratics)[number]): Cholesky => cholesky(flat(matrix), size)!;

describe('preconditioned', () => {
  it('reaches the minimum of a quadratic in one step of size 1, by the factor of its Hessian', () => {
    for (const problem of quadratics) {
      const rule = preconditioned(projectedGradient({ stepSize: 1 }), factorOf(problem));
      const state = rule.init(startFor(problem));
      const after = rule.iterate(rule.step(state, problem.gradient(rule.query(state))));
      const condition = problem.most / problem.least;
      expect(distance(after, problem.minimizer), problem.label).to.be.below(1e-14 * condition);
    }
  });

  it('is theta - eta A^-1 g around gradient descent', () => {
    for (const problem of quadratics) {
      const rule = preconditioned(projectedGradient({ stepSize: 0.3 }), factorOf(problem));
      const start = startFor(problem);
      const gradient = problem.gradient(start);
      const expected = addScaled(start, -0.3, solveBy(problem.matrix, gradient.values));
      const after = rule.iterate(rule.step(rule.init(start), gradient));
      const condition = problem.most / problem.least;
      expect(distance(after, expected), problem.label).to.be.below(1e-14 * condition);
    }
  });

  it('changes nothing for the identity', () => {
    const identity = cholesky(Float64Array.of(1, 0, 0, 1), 2)!;
    const plain = nesterov({ stepSize: 0.3, momentum: 0.5 });
    const rule = preconditioned(plain, identity);
    const [start, gradient] = [Float64Array.of(1, 2), { values: Float64Array.of(-3, 4), privacy: 'raw' } as const];
    expect(rule.step(rule.init(start), gradient)).to.deep.equal(plain.step(plain.init(start), gradient));
    expect(rule.name).to.equal('preconditioned nesterov');
  });

  it('asks where the inner rule looks, in the coordinates of theta', () => {
    const rule = preconditioned(nesterov({ stepSize: 0.3, momentum: 0.5 }), factor);
    const [start, gradient] = [Float64Array.of(1, 2, 3), { values: Float64Array.of(1, 0, 2), privacy: 'raw' } as const];
    const state = rule.step(rule.init(start), gradient);
    const moved = rule.iterate(state);
    const ahead = addScaled(moved, 0.5, addScaled(moved, -1, start));
    expect(norm(addScaled(moved, -1, start))).to.be.above(0.1);
    expect(distance(rule.query(state), ahead)).to.be.below(1e-14);
  });

  it('refuses starts and gradients of another length than the factor', () => {
    const rule = preconditioned(projectedGradient({ stepSize: 1 }), factor);
    expect(() => rule.init(zeros(2))).to.throw(ArgumentError, 'the length of start must be 3, got 2');
    expect(() => rule.step(rule.init(zeros(3)), { values: zeros(2), privacy: 'raw' })).to.throw(
      ArgumentError,
      'the length of gradient must be 3, got 2',
    );
  });
});
