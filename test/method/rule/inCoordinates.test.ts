import { expect } from 'chai';
import { cholesky } from '../../../src/math/cholesky.ts';
import type { Coordinates } from '../../../src/math/coordinates.ts';
import { distance, zeros } from '../../../src/math/vector.ts';
import { averaged } from '../../../src/method/rule/averaged.ts';
import { inCoordinates } from '../../../src/method/rule/inCoordinates.ts';
import { nesterov } from '../../../src/method/rule/nesterov.ts';
import { newton } from '../../../src/method/rule/newton.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { gradientOf } from '../../support/descentFixtures.ts';
import { flat } from '../../support/linearAlgebra.ts';
import { quadratics, startFor } from '../../support/quadratics.ts';

/** theta = start + (2 phi_0, phi_0 + 3 phi_1, 0): the last coordinate is out of reach. */
const slanted: Coordinates = {
  size: 3,
  rank: 2,
  toTheta: phi => Float64Array.of(2 * phi[0]!, phi[0]! + 3 * phi[1]!, 0),
  ofGradient: g => Float64Array.of(2 * g[0]! + g[1]!, 3 * g[1]!),
};

checkRule('inCoordinates projectedGradient', () => inCoordinates(projectedGradient({ stepSize: 0.3 }), slanted), 3, {
  keepsStill: true,
});
checkRule(
  'inCoordinates nesterov',
  () => inCoordinates(nesterov({ stepSize: 0.3, momentum: 'increasing' }), slanted),
  3,
);
checkRule(
  'inCoordinates averaged newton',
  () =>
    inCoordinates(
      averaged(newton({ curvature: Float64Array.of(1, 0, 0, 1) }), { rows: new Array(20).fill(7), noise: 1 }),
      slanted,
    ),
  3,
);

describe('inCoordinates', () => {
  it("steps by P P' g, and leaves what P does not reach", () => {
    const rule = inCoordinates(projectedGradient({ stepSize: 1 }), slanted);
    const state = rule.step(rule.init(Float64Array.of(10, 20, 30)), gradientOf(1, 2, 5));
    // P'g = (4, 6)
    expect(rule.iterate(state)).to.deep.equal(Float64Array.of(10 - 8, 20 - 4 - 18, 30));
    expect(rule.query(state)).to.deep.equal(rule.iterate(state));
  });

  it('reaches the minimum of a quadratic in one step, where P makes its curvature the identity', () => {
    for (const problem of quadratics) {
      const factor = cholesky(flat(problem.matrix), problem.size)!;
      const rule = inCoordinates(projectedGradient({ stepSize: 1 }), {
        size: problem.size,
        rank: problem.size,
        toTheta: factor.solveTransposed,
        ofGradient: factor.solveFactor,
      });
      const state = rule.init(startFor(problem));
      const after = rule.iterate(rule.step(state, problem.gradient(rule.query(state))));
      const condition = problem.most / problem.least;
      expect(distance(after, problem.minimizer), problem.label).to.be.below(1e-14 * condition);
    }
  });

  it('has the name of its rule, and tells the rows behind where that does', () => {
    const plain = inCoordinates(projectedGradient({ stepSize: 1 }), slanted);
    expect(plain.name).to.equal(projectedGradient({ stepSize: 1 }).name);
    expect(plain).not.to.have.property('rowsBehind');
    const rule = inCoordinates(averaged(projectedGradient({ stepSize: 1 }), { rows: [5, 6], noise: 1 }), slanted);
    expect(rule.rowsBehind!(rule.init(zeros(3)))).to.equal(5);
  });
});
