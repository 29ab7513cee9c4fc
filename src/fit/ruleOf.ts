import { ArgumentError, refuse } from '../errors.ts';
import type { PilotBlend } from '../inference/pilot/blend/pilotBlend.ts';
import { type ConstrainedPilot, constrainedPilot } from '../inference/pilot/constrainedPilot.ts';
import type { Pilot } from '../inference/pilot/studyPilot.ts';
import { subtract, type Vector } from '../math/vector.ts';
import { mean } from '../method/aggregate/mean.ts';
import { medianIn } from '../method/aggregate/medianIn.ts';
import { allButLast } from '../method/constraint/allButLast.ts';
import type { Constraint } from '../method/constraint/constraint.ts';
import { everywhere } from '../method/constraint/constraint.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { averaged } from '../method/rule/averaged.ts';
import { blended, still } from '../method/rule/blended.ts';
import { centred } from '../method/rule/centred.ts';
import { frankWolfe } from '../method/rule/frankWolfe.ts';
import { inCoordinates } from '../method/rule/inCoordinates.ts';
import { nesterov } from '../method/rule/nesterov.ts';
import { lengthIn, newton } from '../method/rule/newton.ts';
import { projectedGradient } from '../method/rule/projectedGradient.ts';
import type { UpdateRule } from '../method/rule/updateRule.ts';
import type { Aggregate } from '../plan/planFit.ts';
import { isFrankWolfe, type StepSettings, stepsByCurvature } from '../plan/stepSettings.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';

/**
 * The update rule of a fit. `constrained` is the pilot over a set, where there is one and its curvature makes the steps.
 */
export function ruleOf(settings: StepSettings, pilot: Pilot | null, constrained: ConstrainedPilot | null): UpdateRule {
  const given = requireRule(settings);
  if (given !== null) return given;
  if (pilot === null) return refuse('stepSize', 'be given where no pilot is read', undefined);
  if (pilot.estimate.blend !== null) return ruleOfBlend(settings, pilot, pilot.estimate.blend);
  return constrained === null ? ruleInCoordinates(settings, pilot) : ruleOverSet(settings, constrained);
}

type Asked = Omit<StepSettings, 'layout'>;

/**
 * The rule where it does not depend on a pilot, otherwise null; refuses what is wrong for any pilot, so that it can be
 * called before any row is read.
 */
export function requireRule(settings: Asked): UpdateRule | null {
  const { method, momentum, stepSize } = settings;
  if (momentum !== undefined && method !== 'nesterov')
    conflict(['momentum', 'method'], `momentum is a part of method nesterov, got method ${method}; use nesterov`);
  if (isFrankWolfe(method)) return frankWolfeRule(settings);
  if (stepSize !== undefined) return ruleOfGivenSize(settings, stepSize);
  // With any step size, to check momentum and constraint.
  if (method === 'nesterov') ruleOfGivenSize(settings, 1);
  return null;
}

function conflict(names: readonly string[], problem: string): never {
  throw new ArgumentError(problem, 'ERR_CONFLICT', { arguments: names });
}

function frankWolfeRule({ method, constraint, intercept, stepSize }: Asked): UpdateRule {
  if (constraint === undefined)
    conflict(['method', 'constraint'], `method ${method} needs a bounded constraint; use l2Ball, l1Ball or box`);
  if (intercept) conflict(['method', 'intercept'], `method ${method} has no free coordinate; set intercept to false`);
  if (method === 'frank-wolfe') return frankWolfe({ constraint });
  if (stepSize === undefined) {
    conflict(
      ['method', 'stepSize'],
      'method accelerated-frank-wolfe needs its constant stepSize; theorems.accFwRob has one',
    );
  }
  return { ...frankWolfe({ constraint, stepSize }), name: method };
}

function ruleOfGivenSize(
  { method, constraint: given, intercept, momentum = 'increasing' }: Asked,
  stepSize: number,
): UpdateRule {
  if (method === 'nesterov') {
    if (given !== undefined)
      conflict(['method', 'constraint'], 'method nesterov works over all of R^p; leave constraint out');
    return nesterov({ stepSize, momentum });
  }
  const constraint = given === undefined ? everywhere() : intercept ? allButLast(given) : given;
  return projectedGradient({ stepSize, constraint });
}

/** In the pilot's coordinates, in which the risk has the same curvature in all directions. */
function ruleInCoordinates(settings: StepSettings, pilot: Pilot): UpdateRule {
  const { method, momentum = 0.1 } = settings;
  const { coordinates, noise } = pilot.estimate;
  if (method === 'nesterov') return inCoordinates(nesterov({ stepSize: 1, momentum }), coordinates);
  const steps = stepsBy(settings, pilot, { curvature: identity(coordinates.rank) });
  return inCoordinates(averaged(steps, { rows: rowsThatCount(settings, pilot), noise }), coordinates);
}

/**
 * Whether the settings let two fits be blended: both take Newton steps of their own, whose means are compared row by
 * row. What only one fit can be held to, a set or steps of a given kind, is done by the fit that would have more weight.
 * So is a ridge: by one penalty, losses of different curvature are shrunk differently, and their mean by neither.
 */
export const isBlendable = ({
  method,
  constraint,
  stepSize,
  aggregate,
  penalty = 0,
}: StepSettings & { readonly penalty?: number }): boolean =>
  method === 'auto' &&
  penalty === 0 &&
  constraint === undefined &&
  stepSize === undefined &&
  typeof aggregate === 'string';

/**
 * Steps over rows that the pilot has seen all of. A blend begins where both fits are within a fraction of a standard error
 * of their minima over all rows: after two steps over these, what is left of that is a hundredth of one.
 */
export const BLENDED_STEPS = 2;

/**
 * Newton steps for Huber's fit, from a given start if there is one; for the bisquare fit, which has several minima and
 * whose curvature may be negative, steps by a bounded one from the pilot's estimate. That is a mean over halves, and a
 * step would choose one of several minima for it: so it moves by the share of the run's rows that the halves did not have.
 */
function ruleOfBlend(settings: StepSettings, pilot: Pilot, { fits, rowsHeld }: PilotBlend): UpdateRule {
  const { layout } = settings;
  const all = layout.sharesPilot ? layout.pilotRows : layout.pilotRows + layout.rows;
  // Halves have no rows of weight 0.
  const counting = pilot.rows.positiveWeight / pilot.rows.count;
  const step = Math.max(0, 1 - rowsHeld / (all * counting));
  const rows = rowsThatCount(settings, pilot);
  const [huber, bisquare] = fits;
  const steps = {
    huber: stepsBy(settings, pilot, { curvature: identity(huber.coordinates.rank) }),
    bisquare: step > 0 ? projectedGradient({ stepSize: step }) : still,
  };
  const part = (rule: UpdateRule, start: Vector, { coordinates, noise, loss, share }: PilotBlend['fits'][number]) => ({
    rule: inCoordinates(averaged(rule, { rows, noise }), coordinates),
    start,
    loss: loss.loss,
    share,
  });
  const start = settings.start ?? huber.theta;
  return blended([part(steps.huber, start, huber), part(steps.bisquare, bisquare.theta, bisquare)]);
}

function ruleOverSet(settings: StepSettings, { pilot, curvature, centres, constraint }: ConstrainedPilot): UpdateRule {
  const steps = stepsBy(settings, pilot, { curvature, constraint });
  const rule = averaged(steps, {
    rows: rowsThatCount(settings, pilot),
    noise: pilot.estimate.noise,
    distance: (a: Vector, b: Vector) => lengthIn(curvature, subtract(a, b)),
  });
  return settings.intercept ? centred(rule, centres) : rule;
}

/**
 * The step size of gradient descent that suits unit curvature is 1. A Newton step is the same, and goes back where the
 * curvature proves too small.
 */
function stepsBy(
  { method, layout }: StepSettings,
  { estimate, rows }: Pilot,
  known: { readonly curvature: Float64Array; readonly constraint?: Constraint },
): UpdateRule {
  if (method === 'gradient') return projectedGradient({ stepSize: 1, ...known });
  // The distance from the pilot's estimate to that of a chunk of about the same size.
  const usual = layout.schedule === null ? 0 : Math.sqrt((2 * estimate.noise) / rows.count);
  return newton({ noise: usual, ...known });
}

function identity(size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) matrix[i * (size + 1)] = 1;
  return matrix;
}

/**
 * The weights of the start and of every step in the estimate. Where all steps see all rows, only the last one counts.
 */
function rowsThatCount(settings: StepSettings, pilot: Pilot): readonly number[] {
  const { layout, start } = settings;
  const { schedule, sharesPilot, steps, blocks } = layout;
  const pilotRows = pilot.estimate.isMinimum && start === undefined && !sharesPilot ? pilot.rows.count : 0;
  const used = (size: number): number => blocks * Math.floor(size / blocks);
  if (schedule !== null) return [pilotRows, ...schedule.chunks.map(used)];
  const seen = countsRest(settings, pilot) ? layout.rows : used(layout.rows);
  return [pilotRows, ...Array.from({ length: steps }, (_, t) => (t === steps - 1 ? seen : 0))];
}

/** Whether rows that do not fill a block count too. */
function countsRest(settings: StepSettings, pilot: Pilot): boolean {
  const aggregate = aggregateOf(settings, pilot);
  return typeof aggregate === 'object' && 'countsRest' in aggregate && aggregate.countsRest === true;
}

/** What is made of the blocks of a step. */
export function aggregateOf(settings: StepSettings, pilot: Pilot | null): Aggregate {
  const { aggregate } = settings;
  if (aggregate === 'auto') return pilot === null ? 'median-of-means' : mean();
  if (aggregate === 'mean') return mean();
  if (aggregate === 'median-of-means' && pilot !== null && stepsByCurvature(settings))
    return medianIn((pilot.estimate.blend ?? pilot.estimate).coordinates);
  return aggregate;
}

interface SetSettings extends StepSettings {
  readonly loss: NamedLoss | 'auto';
  readonly penalty?: number;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
}

/** The pilot over a set, where its curvature makes the steps. */
export function constrainPilot(batch: SampleBatch, pilot: Pilot, settings: SetSettings): ConstrainedPilot | null {
  const { constraint, method, stepSize, penalty, intercept, loss } = settings;
  if (constraint === undefined || stepSize !== undefined || isFrankWolfe(method)) return null;
  refuseDropped(pilot.columns, settings);
  return constrainedPilot(batch, pilot, {
    constraint,
    intercept,
    isLossOpen: loss === 'auto',
    ...(penalty !== undefined && { penalty }),
  });
}

function refuseDropped({ dropped }: Pilot['columns'], { names = [] }: SetSettings): void {
  if (dropped.length === 0) return;
  const listed = dropped.map(({ column }) => JSON.stringify(names[column] ?? column)).join(', ');
  throw new ArgumentError(
    `over a set no feature may be constant or a combination of others, but in the pilot rows ${listed} ${dropped.length === 1 ? 'is' : 'are'}; leave ${dropped.length === 1 ? 'it' : 'them'} out of the features, or add a ridge penalty`,
    'ERR_CONFLICT',
    { arguments: ['set', 'features'], columns: dropped },
  );
}
