import { fitPrivate, type PrivateRun } from '../../fit/private/fitPrivate.ts';
import type { Released } from '../../inference/intervals/private/privateUncertainty.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import type { Pipeline } from './observe.ts';

/** The pipeline of `fitPrivate`. */
export const privatePipeline =
  (plan: PrivatePlan, run: Omit<PrivateRun, 'wrap' | 'onIterate'> = {}): Pipeline =>
  async (samples, watch) => {
    const { fit, released, pull } = await fitPrivate(samples, plan, { ...run, wrap: watch });
    return { ...fit, disclosed: Float64Array.of(pull ?? 0, ...(released ? numbersOf(released) : [])) };
  };

const numbersOf = ({ whitening: { centre, axes }, curvature, rest }: Released): readonly number[] => [
  ...centre,
  ...axes.flatMap(({ direction, moment, floor, spread }) => [...direction, moment, floor, spread]),
  ...curvature.values,
  ...curvature.along,
  curvature.sigma,
  ...rest.mean,
  rest.variance,
];
