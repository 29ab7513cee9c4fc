import type { Vector } from '../math/vector.ts';
import type { Constraint } from '../method/constraint/constraint.ts';
import type { Momentum } from '../method/rule/nesterov.ts';
import type { Method } from '../method/rule/updateRule.ts';
import type { Layout } from './layout.ts';
import type { Aggregate } from './planFit.ts';

/** What decides how a fit goes from step to step. */
export interface StepSettings {
  readonly layout: Layout;
  readonly intercept: boolean;
  readonly method: Method;
  readonly constraint?: Constraint;
  /** Without it the step comes from the pilot's curvature. */
  readonly stepSize?: number;
  readonly momentum?: Momentum;
  readonly start?: Vector;
  /** `auto`: the mean of the blocks where a pilot chose loss and curvature, otherwise their geometric median. */
  readonly aggregate: Aggregate | 'auto';
}

/** Whether steps are taken in the pilot's coordinates, so that gradients may be compared in them too. */
export const stepsByCurvature = ({ method, stepSize }: Pick<StepSettings, 'method' | 'stepSize'>): boolean =>
  stepSize === undefined && !isFrankWolfe(method);

export const isFrankWolfe = (method: Method): boolean =>
  method === 'frank-wolfe' || method === 'accelerated-frank-wolfe';
