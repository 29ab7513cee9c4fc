/**
 * A private run as a theorem prescribes it: the flags a user would give for the theorem's set, rule, steps and noise.
 * Gradients are clipped to the theorem's L2, for which its noise is calibrated; where loss and bounds allow longer ones
 * the theorem does not hold, and the run is refused.
 */
import { ArgumentError, type Prescription, type Scaling } from '../../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { type PrivateRequest, privateRequest } from './privateRequest.ts';
import { requireFeasible, type TheoremRequest, theoremRecord } from './theoremRequest.ts';

export const privateTheorem =
  (asked: TheoremRequest): typeof privateRequest =>
  (flags, rows, features, rereadable) => {
    const prescription = asked.prescribe(rows, features.length);
    requireFeasible(prescription);
    requireBounded(prescription, flags);
    const settled = flagsFor(prescription, flags);
    const { scaling, plan } = privateRequest(settled, rows, features, rereadable);
    requireOwnUnits(prescription, scaling);
    const { lipschitz } = prescription.privacy!;
    const found = plan.plan.privacy!.lipschitz;
    if (found > lipschitz * (1 + 1e-9)) {
      throw new ArgumentError(
        `theorem ${prescription.theorem} assumes gradients of norm at most ${lipschitz}, but the ${flags.loss} loss on rows within these bounds has norms up to ${found}; declare tighter bounds, or give arguments that allow a larger L2`,
      );
    }
    const request = privateRequest({ ...settled, clip: String(lipschitz) }, rows, features, rereadable);
    return {
      ...(prescription.rule === 'nesterov' ? withoutLastStep(request) : request),
      theorem: theoremRecord(asked, prescription),
    };
  };

const METHODS = {
  'projected-gradient': 'gradient',
  nesterov: 'nesterov',
  'frank-wolfe': 'frank-wolfe',
  'accelerated-frank-wolfe': 'accelerated-frank-wolfe',
} as const;

function flagsFor(
  { rule, mode, steps, stepSize, momentum, radius }: Prescription,
  flags: FitFlags,
): FitFlags {
  if (rule === 'private-sgd') throw new Error('private SGD is not a pipeline of chunks');
  return {
    ...flags,
    mode,
    steps: String(steps),
    tail: '1',
    rowLength: 'none',
    ...(mode === 'fresh' && { schedule: 'uniform' }),
    method: METHODS[rule],
    calibration: flags.calibration ?? 'paper',
    ...(typeof stepSize === 'number' && { step: String(stepSize) }),
    ...(momentum !== null && { momentum: String(momentum) }),
    ...(radius !== null && { set: 'l2', radius: String(radius) }),
  };
}

function requireBounded({ radius, theorem }: Prescription, { loss }: FitFlags): void {
  if (radius !== null || (loss !== 'squared' && loss !== 'poisson')) return;
  throw new ArgumentError(
    `theorem ${theorem} works over all of R^p, where gradients of the ${loss} loss are unbounded; give --loss pseudo-huber:q or logistic`,
  );
}

function requireOwnUnits({ theorem }: Prescription, { features }: Scaling): void {
  if (features.every(({ centre, scale }) => centre === 0 && scale === 1)) return;
  throw new ArgumentError(
    `theorem ${theorem} is stated in the units of the data, but these bounds would rescale the rows; scale them beforehand, and declare -1..1 for every feature, or --norm-bound 1`,
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
