import { expect } from 'chai';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { norm, type Vector, zeros } from '../../../src/math/vector.ts';
import { averaged } from '../../../src/method/rule/averaged.ts';
import { newton } from '../../../src/method/rule/newton.ts';
import { projectedGradient } from '../../../src/method/rule/projectedGradient.ts';
import { checkRule } from '../../laws/checkRule.ts';
import { gradientOf } from '../../support/descentFixtures.ts';

const steps = projectedGradient({ stepSize: 1 });
const many = { rows: new Array<number>(20).fill(100), noise: 2 };
checkRule('averaged projectedGradient', () => averaged(steps, many), 3);
checkRule('averaged newton', () => averaged(newton({ curvature: Float64Array.of(2, 0, 0, 1) }), many), 2);
checkRule('averaged from no rows', () => averaged(steps, { ...many, rows: many.rows.with(0, 0) }), 2);

/** The rule after steps to these points, one coordinate. */
function stepped(rows: readonly number[], noise: number, points: readonly number[], start = 0) {
  const rule = averaged(steps, { rows, noise });
  let state = rule.init(Float64Array.of(start));
  for (const point of points) state = rule.step(state, gradientOf(rule.query(state)[0]! - point));
  return { estimate: rule.iterate(state)[0]!, behind: rule.rowsBehind!(state), query: rule.query(state)[0]! };
}

describe('averaged', () => {
  it('weighs the start and every iterate by their rows, and goes on from the last iterate', () => {
    // (10 * 0 + 30 * 1 + 60 * 2) / 100
    expect(stepped([10, 30, 60], 1e3, [1, 2])).to.deep.equal({ estimate: 1.5, behind: 100, query: 2 });
  });

  it('leaves out a start and iterates of no rows', () => {
    expect(stepped([0, 30, 30], 1e3, [1, 2])).to.deep.equal({ estimate: 1.5, behind: 60, query: 2 });
    expect(stepped([10, 0, 30], 1e3, [7, 4])).to.deep.equal({ estimate: 3, behind: 40, query: 4 });
    expect(stepped([10, 0, 0], 1e3, [7, 4])).to.deep.equal({ estimate: 0, behind: 10, query: 4 });
  });

  it('follows the iterates until one of them has rows', () => {
    expect(stepped([0, 0, 0], 1, [7, 4])).to.deep.equal({ estimate: 4, behind: 0, query: 4 });
    expect(stepped([0, 0, 50], 1, [7, 4])).to.deep.equal({ estimate: 4, behind: 50, query: 4 });
  });

  it('begins anew with an iterate that noise does not explain', () => {
    // Noise alone is 100 (1/100 + 1/100) = 2 squared, and 3 times its root is sqrt 18.
    expect(stepped([100, 100], 100, [4.2])).to.deep.equal({ estimate: 2.1, behind: 200, query: 4.2 });
    expect(stepped([100, 100], 100, [4.3])).to.deep.equal({ estimate: 4.3, behind: 100, query: 4.3 });
    const { estimate, behind } = stepped([100, 100, 300], 100, [50, 51]);
    expect(estimate).to.be.closeTo(50.75, 1e-12);
    expect(behind).to.equal(400);
  });

  it('says what all rows say together: Newton steps on disjoint chunks average to the mean of all', () => {
    const random = seeded('averaged', 'mean');
    const chunks = [40, 10, 30, 120].map(size => Array.from({ length: size }, () => 3 + normal(random)));
    const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
    const [first, ...rest] = chunks.map(mean);
    const { estimate, behind } = stepped([40, 10, 30, 120], 1, rest, first);
    expect(estimate).to.be.closeTo(mean(chunks.flat()), 1e-12);
    expect(behind).to.equal(200);
  });

  it('restarts less than once in a thousand steps by chance in 5 dimensions', () => {
    const random = seeded('averaged', 'chance');
    const around = (rows: number): Vector => zeros(5).map(() => normal(random) / Math.sqrt(rows));
    let restarts = 0;
    for (let i = 0; i < 5000; i++) {
      const rule = averaged(steps, { rows: [50, 200], noise: 5 });
      const start = around(50);
      const point = around(200);
      const state = rule.step(rule.init(start), {
        values: start.map((x, j) => x - point[j]!),
        privacy: 'raw',
      });
      if (rule.rowsBehind!(state) === 200) restarts++;
      else expect(norm(rule.iterate(state))).to.be.below(1);
    }
    // chi^2 of 5 degrees is above 45 once in 7e7; one in 5,000 comes by chance once in 14,000 times, two in 4e8.
    expect(restarts).to.be.at.most(1);
  });

  it('refuses counts and noise that are none, and steps it has no count for', () => {
    expect(() => averaged(steps, { rows: [1, -1], noise: 1 })).to.throw('rows must be a finite number of at least 0');
    expect(() => averaged(steps, { rows: [1], noise: NaN })).to.throw('noise must');
    expect(() => stepped([1, 1], 1, [1, 1])).to.throw('rows must have a count for step 2, got 2');
  });
});
