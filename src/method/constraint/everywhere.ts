import { refuse, requireVector } from '../../errors.ts';
import type { Constraint } from './constraint.ts';

/** No constraint: R^p. */
export const everywhere = (): Constraint =>
  Object.freeze<Constraint>({
    name: 'everywhere',
    diameter: Infinity,
    strongConvexity: 0,
    contains: point => point.every(Number.isFinite),
    project: point => requireVector('point', point).slice(),
    minimizeLinear: () => refuse('constraint', 'be bounded for a linear minimiser', 'everywhere', 'use l2Ball(radius)'),
  });
