import { ArgumentError } from '../math/check.ts';
import type { Samples } from './samples.ts';

/** Refuses rows that were opened for predictions, whose targets would be taken for zeros. */
export function requireTarget({ hasTarget = true }: Pick<Samples, 'hasTarget'>): void {
  if (!hasTarget)
    throw new ArgumentError('the rows must have a target, got none; open them with the name of its column');
}
