import { medianOf, robustScale } from './standardized.ts';

export interface TargetScale {
  readonly centre: number;
  /** How far targets are from each other: a robust scale around their centre. */
  readonly scale: number;
}

/** Of all targets, as often as they count; alike unless weights say otherwise. */
export function targetScale(target: Float64Array, weights?: Float64Array): TargetScale {
  const centre = medianOf(target.slice(), weights);
  const scale = robustScale(
    target.map(value => value - centre),
    weights,
  );
  return { centre, scale };
}
