import { Observable, type OperatorFunction } from 'rxjs';
import { ArgumentError } from '../errors.ts';
import type { Coordinates } from '../math/coordinates.ts';
import { norm, type Vector } from '../math/vector.ts';
import type { Plan, Steps } from '../plan/plan.ts';
import { requirePlan } from '../plan/plan.ts';
import type { PrivacyLedger } from '../privacy/ledger.ts';
import { counted } from '../words.ts';
import type { Iterate } from './iterate.ts';

/** What a run found and used. */
export interface Fit {
  readonly theta: Vector;
  readonly steps: readonly StepSummary[];
  readonly rows: { readonly used: number; readonly leftOver: number };
  /** Rows that theta rests on, where the rule brings several steps to bear on it. */
  readonly rowsBehind?: number;
  /** The fits that theta is a weighted mean of, where the rule has several. */
  readonly parts?: readonly Vector[];
  readonly ledger: PrivacyLedger;
}

/** What one step did: its rows, the norm of its gradient, and the noise in it. */
export interface StepSummary {
  readonly step: number;
  readonly rows: number;
  /**
   * Of the gradient that the rule saw: aggregated, and noised where the plan is private; in the pilot's coordinates
   * where it steps in them, whatever units the features have.
   */
  readonly gradientNorm: number;
  readonly sigma: number | null;
}

/**
 * Waits for the last iterate and sums up the run: -1-2-3| becomes -----F|.
 *
 * @example
 * const rows = samplesOf(sampleBatch([Float64Array.of(1, 2, 3, 4)], Float64Array.of(2, 4, 6, 8)));
 * const plan = planFit({ rows: 4, features: 1, loss: squared(), rule: projectedGradient({ stepSize: 0.1 }), steps: 3, mode: 'full', aggregate: 'mean' });
 * const fit = await lastValueFrom(passes(rows, 3).pipe(descend(plan, blockSums(plan), mean()), summarize(plan)));
 * fit.steps.map(({ rows }) => rows); // [4, 4, 4]
 */
export function summarize(
  plan: Pick<Plan<Steps>, 'steps' | 'rows' | 'leftOver' | 'mode'>,
  coordinates?: Pick<Coordinates, 'ofGradient'>,
): OperatorFunction<Iterate, Fit> {
  const { steps, rows, leftOver, mode } = requirePlan(plan);
  const normOf = (gradient: Vector): number => norm(coordinates?.ofGradient(gradient) ?? gradient);
  return iterates =>
    new Observable(subscriber => {
      const done: StepSummary[] = [];
      let last: Iterate | undefined;
      return iterates.subscribe({
        next: iterate => {
          last = iterate;
          done.push({
            step: iterate.step,
            rows: iterate.rows,
            gradientNorm: iterate.gradient === null ? 0 : normOf(iterate.gradient.values),
            sigma: steps.at(iterate.step - 1)?.release?.sigma ?? null,
          });
        },
        error: error => subscriber.error(error),
        complete: () => {
          if (last === undefined || done.length < steps.length) {
            subscriber.error(
              new ArgumentError(
                `the run ended after ${done.length} of ${counted(steps.length, 'step')}`,
                'ERR_TOO_FEW_ROWS',
                { steps: done.length, expected: steps.length },
              ),
            );
            return;
          }
          const { theta, ledger, rowsBehind, parts } = last;
          const used = mode === 'full' ? rows - leftOver : done.reduce((sum, step) => sum + step.rows, 0);
          subscriber.next(
            Object.freeze({
              theta,
              steps: done,
              rows: { used, leftOver: rows - used },
              ...(rowsBehind !== undefined && { rowsBehind }),
              ...(parts !== undefined && { parts }),
              ledger,
            }),
          );
          subscriber.complete();
        },
      });
    });
}
