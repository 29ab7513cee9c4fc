/** What the releases of a run are replaced by: an audit searches where they lead the run. */
import { integerBelow, type Random, rademacher } from '../../math/random/random.ts';
import type { Audit } from './audit.ts';
import type { Answer, Observation } from './observe.ts';

/**
 * Releases as drawn, or some of them moved far in a direction that all blocks share. Half of the moved runs go the same
 * way in all steps: a row that enters every step then meets coefficients far from it each time, where it moves the sums
 * furthest. Where second moments come first, half of the moved runs stand still instead: moments of many rows that
 * hardly vary, so that whitened rows are long, and gradients of 0, so that the last look is taken where the loss has
 * the largest curvature.
 */
export function steering(
  { random, declared }: Pick<Audit, 'random' | 'declared'>,
  isThrown: boolean,
): Answer {
  if (isThrown && declared.moments !== null && integerBelow(random, 2) === 0) return keepingStill(random);
  const isSteady = integerBelow(random, 2) === 0;
  const directions = new Map<number, Float64Array>();
  const turn = (size: number, rowsPerBlock: number): Float64Array => {
    const axis = integerBelow(random, size + 1);
    const reach = rowsPerBlock * [1, 30, 1e6][integerBelow(random, 3)]!;
    return Float64Array.from({ length: size }, (_, j) =>
      axis === size || axis === j ? reach * rademacher(random) : 0,
    );
  };
  return (_, { blocks, rowsPerBlock }, draw) => {
    const drawn = draw();
    if (!isThrown || (!isSteady && integerBelow(random, 3) === 0)) return drawn;
    const size = drawn.length / blocks;
    const known = isSteady ? directions.get(size) : undefined;
    const direction = known ?? turn(size, rowsPerBlock);
    directions.set(size, direction);
    return drawn.map((value, k) => value + direction[k % size]!);
  };
}

function keepingStill(random: Random): Answer {
  const many = [1e2, 1e3, 1e5][integerBelow(random, 3)]!;
  return (index, { rowsPerBlock }, draw) => {
    const still = draw().fill(0);
    // The total weight of the rows precedes the mean target.
    if (index === 0) still[still.length - 2] = many * rowsPerBlock;
    return still;
  };
}

/** The releases of another run, whatever these rows would have produced. */
export const replaying =
  ({ answers }: Pick<Observation, 'answers'>): Answer =>
  (index, _, draw) => {
    const drawn = draw();
    return answers[index] ?? drawn;
  };
