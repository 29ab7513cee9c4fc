import { requireInteger } from '../../errors.ts';
import { fitPrivate, type PrivateRun } from '../../fit/private/fitPrivate.ts';
import type { Released } from '../../inference/intervals/private/privateUncertainty.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import { integerRelease } from '../../privacy/integerNoise.ts';
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

/**
 * The same plan over about the given number of rows: its steps, blocks, rule and integer noise, in blocks of fewer
 * rows. Neither a record's effect on a block's sum nor the noise of the sum depends on how many rows the block has, so
 * an audit of the small plan applies to the large one. Rows that a step or the run leaves over are kept as one.
 */
export function smallPlan(made: PrivatePlan, rows: number): PrivatePlan {
  const { plan, noise } = made;
  requireInteger('rows', rows, 1);
  const chunks = plan.mode === 'full' ? 1 : plan.steps.length;
  const steps = plan.steps.map(step => {
    const wanted = Math.max(2, Math.ceil(rows / (chunks * step.blocks)));
    const rowsPerBlock = Math.min(step.rowsPerBlock, wanted);
    const spare = step.rows > step.blocks * step.rowsPerBlock ? 1 : 0;
    const release = integerRelease(noise, { chunk: step.chunk, rowsPerBlock });
    return Object.freeze({ ...step, rows: step.blocks * rowsPerBlock + spare, rowsPerBlock, release });
  });
  const total = (sizes: readonly number[]): number =>
    plan.mode === 'full' ? sizes[0]! : sizes.reduce((sum, size) => sum + size, 0);
  const isCovered = plan.rows === total(plan.steps.map(step => step.rows));
  const all = total(steps.map(step => step.rows)) + (isCovered ? 0 : 1);
  const used = total(steps.map(step => step.blocks * step.rowsPerBlock));
  return Object.freeze({
    ...made,
    plan: Object.freeze({ ...plan, rows: all, steps: Object.freeze(steps), leftOver: all - used }),
  });
}
