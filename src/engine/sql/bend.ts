import type { Loss } from '../../method/loss/loss.ts';
import type { Arithmetic } from './arithmetic.ts';
import { slopeOf } from './slopes.ts';

/** The second derivative of a loss by a difference of slopes, as `slopeOfSlope` in method/loss has it. */
export function bendOf(loss: Loss): <N>(arithmetic: Arithmetic<N>, score: N, target: N) => N {
  const slope = slopeOf(loss);
  const parameter = loss.kernel?.parameter;
  const isOfResidual = loss.kernel !== undefined && loss.targets.least === -Infinity;
  return (arithmetic, score, target) => {
    const { constant, plus, minus, times, over, size, ifBelow, named } = arithmetic;
    const one = constant(1);
    const unit = parameter ? constant(parameter) : ifBelow(one, size(score), size(score), one);
    const h = named(times(constant(1e-5), unit));
    const at = isOfResidual ? named(minus(score, target)) : score;
    const y = isOfResidual ? constant(0) : target;
    const ahead = slope(arithmetic, named(plus(at, h)), y);
    const behind = slope(arithmetic, named(minus(at, h)), y);
    return over(minus(ahead, behind), times(constant(2), h));
  };
}
