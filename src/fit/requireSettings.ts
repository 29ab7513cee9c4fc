import { ArgumentError, refuse, requireChoice, requireNonNegative, requireVector } from '../errors.ts';
import { zeros } from '../math/vector.ts';
import { METHODS } from '../method/rule/methods.ts';
import { estimationOf } from '../plan/planFit.ts';
import type { StepSettings } from '../plan/stepSettings.ts';
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
  if (typeof aggregate === 'string')
    requireChoice('aggregate', aggregate, ['auto', 'mean', 'median-of-means']);
  else estimationOf(aggregate, failureProbability);
  requireRule(settings);
  if (constraint === undefined) return;
  try {
    constraint.project(zeros(features));
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    refuse(
      'constraint',
      `be a set for the ${features} coefficients of the features`,
      constraint.name,
      error.message,
    );
  }
}
