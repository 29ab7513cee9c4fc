import { ArgumentError } from '../errors.ts';
import type { Samples } from './samples.ts';

/** Rejects rows that were opened for prediction, because their missing targets would be read as zeros. */
export function requireTarget({ hasTarget = true }: Pick<Samples, 'hasTarget'>): void {
  if (!hasTarget)
    throw new ArgumentError(
      'the rows must have a target, got none; open them with the name of the target column',
    );
}
