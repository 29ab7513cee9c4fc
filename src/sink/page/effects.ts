import { INTERCEPT, type Model } from '../../model/model.ts';

/** A coefficient and what is known about it. */
export interface Effect {
  readonly name: string;
  readonly estimate: number;
  /** Whether it was not estimated, because its column is collinear with others or constant. */
  readonly isLeftOut: boolean;
  readonly known: {
    readonly error: number;
    readonly interval: readonly [low: number, high: number];
    /** At the same level for all coefficients jointly, so wider. */
    readonly joint: readonly [low: number, high: number];
    /** Whether its sign is clear even when all coefficients are judged jointly. */
    readonly clear: boolean;
  } | null;
}

/** The coefficients in the model's order, an intercept last. */
export function effectsOf({ features, coefficients, intercept, uncertainty, leftOut = [] }: Model): readonly Effect[] {
  const entries: (readonly [string, number])[] = features.map(name => [name, coefficients[name]!]);
  if (intercept !== null) entries.push([INTERCEPT, intercept]);
  return entries.map(([name, estimate]) => {
    const isLeftOut = leftOut.includes(name);
    // A column may have the name of something that every object has, such as constructor.
    const isKnown = uncertainty !== undefined && Object.hasOwn(uncertainty.errors, name);
    const error = isKnown ? uncertainty.errors[name] : undefined;
    const interval = isKnown ? uncertainty.intervals[name] : undefined;
    // A model file has null where a number was infinite.
    if (!Number.isFinite(error) || !interval?.every(Number.isFinite)) return { name, estimate, isLeftOut, known: null };
    const reach = uncertainty!.radius * error!;
    const joint = [estimate - reach, estimate + reach] as const;
    const clear = Math.abs(estimate) > reach;
    return { name, estimate, isLeftOut, known: { error: error!, interval, joint, clear } };
  });
}
