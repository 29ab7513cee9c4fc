import { acceleratedContraction, acceleratedStep } from '../../method/rule/acceleratedFrankWolfe.ts';
import { type HeavyTailed, medianChunks } from './medianChunks.ts';
import { type Condition, type Prescription, prescription, stepsToShrink } from './prescription.ts';

/**
 * Accelerated Frank-Wolfe with G_MOM: what theorems ACCFWROB and ACCFW_lambda=0 share once C, u, tau_u and gamma are
 * known.
 */
export function acceleratedMedian(
  problem: HeavyTailed,
  {
    smoothness,
    shrinkage,
    radius,
    gradientFloor,
    conditions,
    ...stated
  }: Pick<Prescription, 'theorem' | 'claim' | 'penalty'> & {
    readonly radius: number;
    readonly gradientFloor: number;
    readonly smoothness: number;
    /** T is the number of steps in which the contraction shrinks an error this many times. */
    readonly shrinkage: number;
    readonly conditions: readonly Condition[];
  },
): Prescription {
  const usable = radius > 0 && gradientFloor > 0;
  const acceleration = { strongConvexity: 1 / radius, gradientFloor, smoothness };
  const contraction = usable ? acceleratedContraction(acceleration) : 1;
  const steps = stepsToShrink(contraction, shrinkage);
  const { mode, chunkRows, estimator, enoughRows } = medianChunks(problem, steps);
  return prescription({
    ...stated,
    rule: 'accelerated-frank-wolfe',
    mode,
    steps,
    chunkRows,
    stepSize: usable ? acceleratedStep(acceleration) : 0,
    radius,
    gradientFloor,
    contraction,
    estimator,
    conditions: [enoughRows, ...conditions],
  });
}
