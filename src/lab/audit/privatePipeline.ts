import { fitPrivate, type PrivateRun } from '../../fit/private/fitPrivate.ts';
import type { Released } from '../../inference/intervals/private/privateUncertainty.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import type { Samples } from '../../sample/samples.ts';
import { mapSamples } from '../../sample/transform/mapSamples.ts';
import { perUnit } from '../../sample/transform/perUnit.ts';
import type { Pipeline } from './observe.ts';

/** The pipeline of `fitPrivate`. */
export const privatePipeline =
  (plan: PrivatePlan, run: Omit<PrivateRun, 'wrap' | 'onIterate'> = {}): Pipeline =>
  async (samples, watch) => {
    const rows = ofUnits(samples, plan.plan.privacy?.unitRows);
    const { fit, released, pull } = await fitPrivate(rows, plan, { ...run, wrap: watch });
    return { ...fit, disclosed: Float64Array.of(pull ?? 0, ...(released ? numbersOf(released) : [])) };
  };

/** An audit replaces as many rows as a unit may have, wherever they are: here each may be of a unit of its own. */
function ofUnits(samples: Samples, unitRows: number | undefined): Samples {
  if (unitRows === undefined) return samples;
  let next = 0;
  const numbered = mapSamples(
    samples,
    batch => ({ ...batch, columns: [...batch.columns, Float64Array.from(batch.target, () => next++)] }),
    samples.features + 1,
  );
  return perUnit(numbered, unitRows);
}

const numbersOf = ({ whitening: { centre, axes }, curvature, rest }: Released): readonly number[] => [
  ...centre,
  ...axes.flatMap(({ direction, moment, floor, spread }) => [...direction, moment, floor, spread]),
  ...curvature.values,
  ...curvature.along,
  curvature.sigma,
  ...rest.mean,
  rest.variance,
];
