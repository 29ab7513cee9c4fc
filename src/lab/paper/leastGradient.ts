import { symmetricEigen } from '../../math/symmetricEigen.ts';
import { dot, norm, type Vector } from '../../math/vector.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';

/**
 * The condition of theorem UPRidge on given rows: inf over C = B2(D) of alpha_C ||gradient|| / beta_L, which must be at
 * least S1, for the squared loss.
 *
 * With A = X'X and b = X'y it is ||A theta - b|| / (D lambda_max(A)) at its minimum; n cancels. In the eigenbasis of A
 * the minimiser is theta_i = lambda_i b_i / (lambda_i^2 + mu), with the multiplier mu >= 0 that puts it in the ball.
 *
 *   D -> radius
 */
export function leastGradient({ columns, target }: SampleBatch, radius: number): number {
  const size = columns.length;
  const gram = Float64Array.from({ length: size * size }, (_, at) =>
    dot(columns[Math.floor(at / size)]!, columns[at % size]!),
  );
  const moment = Float64Array.from(columns, column => dot(column, target));
  const pairs = symmetricEigen(gram, size).map(({ value, vector }) => ({ value, b: dot(vector, moment) }));
  const largest = pairs[0]!.value;
  const minimiser = (mu: number): Vector =>
    Float64Array.from(pairs, ({ value, b }) => (value * b) / (value ** 2 + mu));
  // For mu this large, the minimiser is shorter than the radius.
  let [outside, inside] = [0, (largest * norm(moment)) / radius];
  for (let halving = 0; halving < 200; halving++) {
    const middle = (inside + outside) / 2;
    if (norm(minimiser(middle)) > radius) outside = middle;
    else inside = middle;
  }
  const theta = minimiser(inside);
  const gradient = Float64Array.from(pairs, ({ value, b }, i) => value * theta[i]! - b);
  return norm(gradient) / (radius * largest);
}
