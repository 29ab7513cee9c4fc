/**
 * F(theta) = 1/2 (theta - m)' A (theta - m) with a known spectrum: exact gradients, and minima over balls by the
 * secular equation in the eigenbasis, which shares nothing with the rules under test.
 */

import { uniform } from '../../src/math/random/random.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { addScaled, dot, norm, subtract, type Vector, zeros } from '../../src/math/vector.ts';
import type { Gradient } from '../../src/sample/gradientSums.ts';
import { direction, orthogonal, type Rows, times, withSpectrum } from './linearAlgebra.ts';

export interface Quadratic {
  readonly label: string;
  readonly size: number;
  /** tau_l and tau_u. */
  readonly least: number;
  readonly most: number;
  readonly matrix: Rows;
  readonly minimizer: Vector;
  value(theta: Vector): number;
  gradient(theta: Vector): Gradient<'raw'>;
  /** The minimiser over the l2 ball. */
  minimizerIn(radius: number): Vector;
  /** The least norm of a gradient over the l2 ball. */
  gradientFloor(radius: number): number;
}

/** One quadratic per size and condition number, with its minimum at distance 1 from 0. */
export const quadratics: readonly Quadratic[] = [1, 2, 5, 20].flatMap(size =>
  [1, 1.5, 10, 100, 1e4].map(condition => quadratic(size, condition)),
);

function quadratic(size: number, condition: number): Quadratic {
  const random = seeded(1, `quadratic ${size} ${condition}`);
  const most = 0.1 + 3 * uniform(random);
  // In one dimension the spectrum is one number, and the condition says how loosely it is known.
  const spectrum = Array.from({ length: size }, (_, k) => most * condition ** (size === 1 ? -1 : -k / (size - 1)));
  const axes = orthogonal(random, size);
  const matrix = withSpectrum(spectrum, axes);
  const minimizer = direction(random, size);
  const values = (theta: Vector) => times(matrix, subtract(theta, minimizer));

  /**
   * argmin over the ball of sum_k w_k (theta_k - m_k)^2, in the basis of the axes: theta_k = w_k m_k / (w_k + lambda).
   */
  const leastIn = (weights: readonly number[], radius: number): Vector => {
    const target = times(axes, minimizer);
    const at = (lambda: number) => target.map((value, k) => (weights[k]! * value) / (weights[k]! + lambda));
    let [low, high] = [0, (Math.max(...weights) * norm(minimizer)) / radius];
    if (norm(at(0)) <= radius) high = 0;
    for (let i = 0; i < 200; i++) {
      const middle = (low + high) / 2;
      if (norm(at(middle)) > radius) low = middle;
      else high = middle;
    }
    return at(high).reduce((sum, value, k) => addScaled(sum, value, axes[k]!), zeros(size));
  };

  return {
    label: `p = ${size}, condition ${condition}`,
    size,
    least: most / condition,
    most,
    matrix,
    minimizer,
    value: theta => dot(subtract(theta, minimizer), values(theta)) / 2,
    gradient: theta => ({ values: values(theta), privacy: 'raw' }),
    minimizerIn: radius => leastIn(spectrum, radius),
    gradientFloor: radius =>
      norm(
        values(
          leastIn(
            spectrum.map(value => value ** 2),
            radius,
          ),
        ),
      ),
  };
}

/** A start at distance 1 from the minimiser, in a random direction. */
export const startFor = ({ size, minimizer, label }: Quadratic): Vector =>
  addScaled(minimizer, 1, direction(seeded(1, `start of ${label}`), size));
