import { middle, spread } from './standardized.ts';

export interface TargetsApart {
  readonly centre: number;
  /** How far targets are from each other: a robust scale around their centre. */
  readonly apart: number;
}

/** Of all targets, as often as they count; alike unless weights say otherwise. */
export function targetsApart(target: Float64Array, weights?: Float64Array): TargetsApart {
  const centre = middle(target.slice(), weights);
  const apart = spread(
    target.map(value => value - centre),
    weights,
  );
  return { centre, apart };
}
