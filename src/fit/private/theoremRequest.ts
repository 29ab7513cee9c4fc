import { ArgumentError } from '../../errors.ts';
import { namedLossOf } from '../../method/loss/namedLossOf.ts';
import type { Prescription } from '../../plan/theorem/prescription.ts';
import type { Scaling } from '../../sample/transform/scaling.ts';
import type { DesignColumn } from '../../source/design/design.ts';
import { type PrivateRequest, type PrivateRequestOptions, privateRequest } from './privateRequest.ts';

/**
 * A private run as a theorem prescribes it: its set, rule, steps and noise in place of what is planned otherwise.
 * Gradients are clipped to the theorem's L2, for which its noise is calibrated; where loss and bounds allow longer ones
 * the theorem does not hold, and the run is refused.
 */
export function theoremRequest(
  prescription: Prescription,
  options: PrivateRequestOptions,
  rows: number,
  features: readonly Pick<DesignColumn, 'name' | 'level' | 'field'>[],
): PrivateRequest {
  const { theorem } = prescription;
  requireBounded(prescription, options);
  const settled = settledBy(prescription, options);
  const keepsUnits = true;
  const { plan } = privateRequest(settled, rows, features, { keepsUnits });
  requireOwnUnits(prescription, plan.scaling);
  const { lipschitz } = prescription.privacy!;
  const found = plan.plan.privacy!.lipschitz;
  if (found > lipschitz * (1 + ROUNDING)) {
    throw new ArgumentError(
      `theorem ${theorem} assumes gradients of norm at most ${lipschitz}, but the ${nameOf(options)} loss on rows within these bounds has norms up to ${found}; declare tighter bounds, or give arguments that allow a larger L2`,
      'ERR_CONFLICT',
      { arguments: ['theorem', 'bounds'], norm: found },
    );
  }
  const request = privateRequest({ ...settled, clip: lipschitz }, rows, features, { keepsUnits });
  return prescription.rule === 'nesterov' ? withoutLastStep(request) : request;
}

const ROUNDING = 1e-9;

const nameOf = ({ loss = 'pseudo-huber' }: PrivateRequestOptions): string =>
  loss === 'auto' ? 'pseudo-huber' : namedLossOf(loss).name;

const METHODS = {
  'projected-gradient': 'gradient',
  nesterov: 'nesterov',
  'frank-wolfe': 'frank-wolfe',
  'accelerated-frank-wolfe': 'accelerated-frank-wolfe',
} as const;

function settledBy(
  { rule, mode, steps, stepSize, momentum, radius }: Prescription,
  options: PrivateRequestOptions,
): PrivateRequestOptions {
  if (rule === 'private-sgd') throw new Error('private SGD is not a pipeline of chunks');
  return {
    ...options,
    mode,
    steps,
    tail: 1,
    rowLength: Infinity,
    ...(mode === 'fresh' && { schedule: 'uniform' }),
    method: METHODS[rule],
    calibration: options.calibration ?? 'paper',
    ...(typeof stepSize === 'number' && { stepSize }),
    ...(momentum !== null && { momentum }),
    ...(radius !== null && { set: { kind: 'l2', radius } }),
  };
}

function requireBounded({ radius, theorem }: Prescription, options: PrivateRequestOptions): void {
  const loss = nameOf(options);
  if (radius !== null || (loss !== 'squared' && loss !== 'poisson')) return;
  throw new ArgumentError(
    `theorem ${theorem} works over all of R^p, where gradients of the ${loss} loss are unbounded; give \`loss: pseudoHuber(q)\` or logistic`,
    'ERR_CONFLICT',
    { arguments: ['theorem', 'loss'] },
  );
}

function requireOwnUnits({ theorem }: Prescription, { features }: Scaling): void {
  if (features.every(({ centre, scale }) => centre === 0 && scale === 1)) return;
  throw new ArgumentError(
    `theorem ${theorem} is stated in the units of the data, but these bounds would rescale the rows; scale them beforehand, and declare -1..1 for every feature, or \`normBound: 1\``,
    'ERR_CONFLICT',
    { arguments: ['theorem', 'bounds'] },
  );
}

/** Nesterov's theta_T needs T - 1 gradients after its two given points; T still determines chunks and noise. */
function withoutLastStep(request: PrivateRequest): PrivateRequest {
  const { plan } = request.plan;
  if (plan.steps.length === 1) return request;
  const steps = Object.freeze(plan.steps.slice(0, -1));
  const leftOver = plan.leftOver + plan.steps.at(-1)!.rows;
  return { ...request, plan: { ...request.plan, plan: Object.freeze({ ...plan, steps, leftOver }) } };
}
