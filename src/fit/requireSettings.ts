import { ArgumentError, refuse, requireChoice, requireNonNegative, requireVector } from '../errors.ts';
import { zeros } from '../math/vector.ts';
import { acceptedTargets } from '../method/loss/acceptedTargets.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import { METHODS } from '../method/rule/updateRule.ts';
import { estimationOf } from '../plan/planFit.ts';
import type { StepSettings } from '../plan/stepSettings.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { counted } from '../words.ts';
import { requireRule } from './ruleOf.ts';

/** Refuses settings that are wrong for any rows, before any are read. */
export function requireSettings(
  settings: Omit<StepSettings, 'layout'> & {
    readonly penalty?: number;
    readonly failureProbability: number;
  },
  features: number,
): void {
  const { method, constraint, intercept, start, penalty, aggregate, failureProbability } = settings;
  requireChoice('method', method, METHODS);
  if (start !== undefined) requireVector('start', start, intercept ? features + 1 : features);
  if (penalty !== undefined) requireNonNegative('penalty', penalty);
  if (typeof aggregate === 'string') requireChoice('aggregate', aggregate, ['auto', 'mean', 'median-of-means']);
  else estimationOf(aggregate, failureProbability);
  requireRule(settings);
  if (constraint === undefined) return;
  try {
    constraint.project(zeros(features));
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    refuse('constraint', `be a set for the ${features} coefficients of the features`, constraint.name, error.message);
  }
}

/**
 * Refuses targets outside the domain of the loss, where it has no minimum: steps would go on for ever, or reject every
 * row. Rows of weight 0 are skipped, and values that are not finite are refused elsewhere.
 */
export function requireTargets({ rows, target, weights }: SampleBatch, loss: NamedLoss | 'auto'): void {
  const rule = loss === 'auto' ? null : acceptedTargets(loss);
  if (rule === null) return;
  const isOdd = (i: number): boolean => weights?.[i] !== 0 && Number.isFinite(target[i]) && !rule.accepts(target[i]!);
  let [odd, first] = [0, Number.NaN];
  for (let i = 0; i < rows; i++) if (isOdd(i) && odd++ === 0) first = target[i]!;
  if (odd === 0) return;
  const others = odd === 1 ? '' : ` and ${odd - 1} more`;
  throw new ArgumentError(
    `${rule.needs}, got ${first}${others} in ${counted(rows, 'row')} of the pilot; choose a loss for such targets, fix them, or give their rows weight 0`,
  );
}
