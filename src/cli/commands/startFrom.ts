import { ArgumentError, type Vector } from '../../index.ts';
import type { FitRequest } from '../flags/fitRequest.ts';
import { readModel } from './openForModel.ts';

/** The coefficients of a model file, in the order of the design's features, as a starting point. */
export async function startFrom(
  path: string,
  features: readonly string[],
  { estimate }: FitRequest,
): Promise<Vector> {
  const { features: known, coefficients, intercept } = await readModel(path);
  const missing = features.filter(name => !known.includes(name));
  const extra = known.filter(name => !features.includes(name));
  if (missing.length + extra.length > 0) {
    const list = (names: readonly string[]): string => names.join(', ') || 'none';
    throw new ArgumentError(
      `--start ${path} has different features from this fit (missing: ${list(missing)}; extra: ${list(extra)}); ` +
        'choose the same with --features and --categorical',
    );
  }
  if (estimate.intercept && intercept === null) {
    throw new ArgumentError(
      `--start ${path} has no intercept, but this fit has one; give --no-intercept, or another start`,
    );
  }
  if (!estimate.intercept && intercept !== null) {
    throw new ArgumentError(
      `--start ${path} has an intercept, but this fit has none; leave --no-intercept out, or give another start`,
    );
  }
  const slopes = features.map(name => coefficients[name]!);
  return Float64Array.from(intercept === null ? slopes : [...slopes, intercept]);
}
