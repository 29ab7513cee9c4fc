import { medianOf, robustScale } from './standardized.ts';

export interface TargetScale {
  readonly centre: number;
  /** A robust scale around the centre. */
  readonly scale: number;
}

/** By weight. */
export function targetScale(target: Float64Array, weights?: Float64Array): TargetScale {
  const centre = medianOf(target.slice(), weights);
  const scale = robustScale(
    target.map(value => value - centre),
    weights,
  );
  return { centre, scale };
}
