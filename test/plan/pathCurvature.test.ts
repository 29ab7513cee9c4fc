import { expect } from 'chai';
import { ArgumentError } from '../../src/math/check.ts';
import { type PathPoint, pathCurvatures, SURE } from '../../src/plan/pathCurvature.ts';
import { normal } from '../../src/random/normal.ts';
import { seeded } from '../../src/random/seeded.ts';
import { expectClose } from '../support/close.ts';

/** Gradient descent of step 1 over c (theta - 1)^2 / 2 from 0, with noise. */
function descent(c: number, sigma: number, steps: number, seed: number): PathPoint[] {
  const random = seeded(seed, 'path');
  let at = 0;
  return Array.from({ length: steps }, () => {
    const point = {
      at: Float64Array.of(at),
      gradient: Float64Array.of(c * (at - 1) + sigma * normal(random)),
    };
    at -= point.gradient[0]!;
    return point;
  });
}

describe('pathCurvatures', () => {
  it('finds the curvature of a path without noise, less SURE errors of the noise that it is told', () => {
    const path = descent(0.3, 0, 20, 0);
    const mean = path.reduce((sum, { at }) => sum + at[0]! / 20, 0);
    const squares = path.reduce((sum, { at }) => sum + (at[0]! - mean) ** 2, 0);
    expectClose(pathCurvatures(path, 1e-9)[0]!, 0.3, 1e-6);
    expectClose(pathCurvatures(path, 1e-3)[0]!, 0.3 - (SURE * 1e-3) / Math.sqrt(squares), 1e-9);
  });

  it('is seldom more than the curvature, whatever that is, and nothing where the path is of noise alone', () => {
    // One in a hundred would be expected of a random walk, fewer of others: 25 or more of 1,000 with a probability below 1e-4.
    for (const c of [0, 0.01, 0.1, 0.5]) {
      let beyond = 0;
      for (let seed = 0; seed < 1000; seed++)
        if (pathCurvatures(descent(c, 0.02, 30, seed), 0.02)[0]! > c) beyond++;
      expect(beyond, `${c}`).to.be.below(25);
    }
  });

  it('is 0 where nothing moved, and refuses noise that is none', () => {
    const still = [0, 1].map(() => ({ at: Float64Array.of(1), gradient: Float64Array.of(2) }));
    expect([...pathCurvatures(still, 1)]).to.deep.equal([0]);
    expect(() => pathCurvatures(still, 0)).to.throw(ArgumentError, 'sigma');
  });
});
