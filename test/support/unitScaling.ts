import { type Scaling, type ScalingOptions, scalingOf } from '../../src/sample/transform/scaling.ts';

/** Of features and a target that are declared to be within [-1, 1], with an intercept, unless other things are said. */
export const unitScaling = (features: number, options: Partial<ScalingOptions> = {}): Scaling =>
  scalingOf({
    features,
    bounds: { intervals: Array(features).fill({ least: -1, most: 1 }) },
    target: { least: -1, most: 1 },
    intercept: true,
    scalesTarget: true,
    ...options,
  });
