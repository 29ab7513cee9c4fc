import { ArgumentError, refuse, requireVector } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import { everywhere } from '../../method/constraint/constraint.ts';
import { l2Ball } from '../../method/constraint/l2Ball.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { ridge } from '../../method/loss/ridge.ts';
import { frankWolfe } from '../../method/rule/frankWolfe.ts';
import { nesterov } from '../../method/rule/nesterov.ts';
import { projectedGradient } from '../../method/rule/projectedGradient.ts';
import type { UpdateRule } from '../../method/rule/updateRule.ts';
import type { Calibration, Plan } from '../plan.ts';
import { assemblePlan, type FitOptions, planFit } from '../planFit.ts';
import { type Schedule, uniformChunks } from '../schedule.ts';
import type { Prescription } from './prescription.ts';

/** What a plan by a theorem needs besides the prescription. */
export interface TheoremOptions {
  /** Rows of the whole run. */
  readonly rows: number;
  /** The number of features. */
  readonly features: number;
  /** Without a penalty: the prescription adds its own. */
  readonly loss: Loss;
  /** Where the first step begins; at 0 unless given. */
  readonly start?: Vector;
  /** theta_0 of Nesterov's method, whose `start` is theta_1; the start itself unless given. */
  readonly before?: Vector;
  /** `paper`, or a sharper calibration of the same guarantee. */
  readonly calibration?: Calibration;
  /**
   * Statements of required conditions that may be unmet: a run outside the theorem, like some of the paper's figures.
   */
  readonly despite?: readonly string[];
}

/** Turns what a theorem prescribes into a frozen Plan. */
export function planTheorem(given: Prescription, options: TheoremOptions): Plan {
  const { rows, features, loss, start, before, calibration = 'paper', despite = [] } = options;
  requireFeasible(given, despite);
  if (before !== undefined) requireVector('before', before, features);
  // Nesterov's theta_T needs T - 1 gradients after its two given points; T still determines the chunks.
  const steps = given.rule === 'nesterov' ? Math.max(1, given.steps - 1) : given.steps;
  const fit = {
    rows,
    features,
    loss: given.penalty > 0 ? ridge(loss, given.penalty) : loss,
    rule: ruleOf(given, before),
    mode: given.mode,
    steps,
    ...(given.mode === 'fresh' ? { schedule: firstChunks(rows, given.steps, steps) } : {}),
    ...estimatorOptions(given, steps),
    ...(start === undefined ? {} : { start }),
  };
  requireSameRows(given, rows);
  const { privacy } = given;
  if (privacy === null) return planFit(fit);
  const { epsilon, delta, lipschitz, sigma } = privacy;
  if (calibration !== 'paper') return planFit({ ...fit, privacy: { epsilon, delta, lipschitz, calibration } });
  if (sigma === null) refuse('calibration', 'not be "paper", whose formula gives no noise here', calibration);
  const target = Object.freeze({ calibration, epsilon, delta, lipschitz });
  return assemblePlan(fit, { target, sigma: () => sigma });
}

function requireFeasible(given: Prescription, despite: readonly string[]): void {
  const unmet = given.conditions.filter(
    ({ met, kind, statement }) => !met && kind === 'required' && !despite.includes(statement),
  );
  if (unmet.length === 0) return;
  const shown = unmet.map(({ statement, numbers }) => `${statement} with ${JSON.stringify(numbers)}`);
  throw new ArgumentError(
    `theorem ${given.theorem} does not hold for these numbers: ${shown.join('; ')}`,
    'ERR_CONFLICT',
    { theorem: given.theorem, conditions: shown },
  );
}

/** The paper's noise is for the rows it was computed with: over fewer rows it would protect less than claimed. */
function requireSameRows({ mode, steps, chunkRows, theorem }: Prescription, rows: number): void {
  const found = mode === 'full' ? rows : Math.floor(rows / steps);
  if (found !== chunkRows) {
    refuse('rows', `give the ${chunkRows} rows per step that theorem ${theorem} was evaluated for`, rows);
  }
}

function firstChunks(rows: number, chunks: number, steps: number): Pick<Schedule, 'chunks'> {
  return { chunks: uniformChunks({ rows, steps: chunks }).chunks.slice(0, steps) };
}

function ruleOf({ rule, radius, stepSize, momentum, theorem }: Prescription, before?: Vector): UpdateRule {
  const constraint = radius === null ? everywhere() : l2Ball(radius);
  if (rule === 'frank-wolfe') return frankWolfe({ constraint });
  if (typeof stepSize !== 'number') refuse('prescription', 'have a chunk pipeline', theorem, 'use privateSgd');
  if (rule === 'projected-gradient') return projectedGradient({ stepSize, constraint });
  if (rule === 'nesterov') {
    return nesterov({ stepSize, momentum: momentum ?? 0, ...(before === undefined ? {} : { before }) });
  }
  return { ...frankWolfe({ constraint, stepSize }), name: rule };
}

function estimatorOptions(
  { estimator, theorem }: Prescription,
  steps: number,
): Pick<FitOptions, 'aggregate' | 'blocks' | 'failureProbability'> {
  switch (estimator.kind) {
    case 'mean':
      return { aggregate: 'mean' };
    case 'median-of-means':
      return { aggregate: 'median-of-means', blocks: estimator.blocks };
    case 'huber':
      return {
        aggregate: { huber: estimator.contamination },
        failureProbability: estimator.failureProbability * steps,
      };
    case 'single-row':
      return refuse('prescription', 'have a chunk pipeline', theorem, 'use privateSgd');
  }
}
