import { type Random, rademacher, uniform } from '../../math/random/random.ts';
import type { Vector } from '../../math/vector.ts';

/**
 * Figure plot1: x ~ U[-1, 1]^p given the margin |x.v*| >= sqrt(p)/2, v* = (1, ..., 1)/sqrt(p).
 *
 * Plain rejection keeps 1 draw in 202 at p = 10, and exponentially fewer as p grows. Instead, choose the side of
 * the margin first; on the positive one, with e_j = 1 - x_j, it reads e_1 + ... + e_p <= p/2. Draw e_j with density
 * proportional to exp(-lambda e) on [0, 2], whose mean is 1/2 where coth(lambda) - 1/lambda = 1/2, and keep the row
 * with probability exp(lambda (e_1 + ... + e_p - p/2)), which undoes the tilt exactly. That keeps 1 in 7 at p = 10,
 * and decreases only like 1/sqrt(p).
 *
 *   lambda -> TILT, e_1 + ... + e_p -> spent, p/2 -> budget
 */
const TILT = 1.796755984723713;
const LOST = Math.expm1(-2 * TILT);

export function separatedCube(random: Random, row: Vector): void {
  const side = rademacher(random);
  const budget = row.length / 2;
  for (;;) {
    let spent = 0;
    for (let j = 0; j < row.length && spent <= budget; j++) {
      const e = Math.min(2, -Math.log1p(uniform(random) * LOST) / TILT);
      row[j] = side * (1 - e);
      spent += e;
    }
    if (spent <= budget && uniform(random) < Math.exp(TILT * (spent - budget))) return;
  }
}
