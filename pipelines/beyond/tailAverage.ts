import { addScaled, type Vector } from '../../src/method/index.ts';

/**
 * The mean of the last half of the iterates. It is made of what was released, so that a private run may take it for
 * nothing.
 */
export function tailAverage(thetas: readonly Vector[]): Vector {
  const last = thetas.slice(Math.floor(thetas.length / 2));
  return last.reduce(
    (sum, theta) => addScaled(sum, 1 / last.length, theta),
    last[0]!.map(() => 0),
  );
}
