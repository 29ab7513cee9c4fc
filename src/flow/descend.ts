import { Observable, type OperatorFunction, Subject } from 'rxjs';
import { ArgumentError, requireMembers } from '../errors.ts';
import type { Vector } from '../math/vector.ts';
import { type Plan, requirePlan, rowsUsed, type Steps, stepOf } from '../plan/plan.ts';
import { nonPrivateEvent, type PrivacyEvent } from '../privacy/event.ts';
import { ledger, type PrivacyLedger } from '../privacy/ledger.ts';
import type { Chunk } from '../sample/chunk.ts';
import type { Gradient } from '../sample/gradientSums.ts';
import { counted } from '../words.ts';
import { chunkCheck } from './chunkPass.ts';
import type { Iterate } from './iterate.ts';
import { type AnyStage, checkStages, type Flowing, type Step } from './stage.ts';

/**
 * The descent as an operator: one iterate per chunk.
 *
 *   split(...)   0-------1-------2|
 *   stages        s--s-g  s--s-g  s--s-g       one step at a time; the next chunk waits for the last gradient
 *   descend      -------1-------2-------3|
 *
 * Stages are subscribed once, so a stage may keep state from step to step. Their order is checked here, when the
 * pipeline is composed; that a chunk is the one its step was planned for, when it comes (`chunkPass.ts`). Noise is
 * charged to the ledger before the step that draws it begins. A private descent can be subscribed to once, because every
 * subscription releases again: `retry` and `repeat` are refused.
 *
 * A plan may be endless. Then its chunks are held in memory one at a time, a rule may ask again about the same one before
 * its step is done (`UpdateRule.again`), and a run may go on from the state of an earlier one (`from`).
 *
 * @example
 * const [x, y] = [Float64Array.of(1, 2, 3, 4), Float64Array.of(2, 4, 6, 8)];
 * const plan = planFit({ rows: 4, features: 1, loss: squared(), rule: projectedGradient({ stepSize: 0.1 }), steps: 20, mode: 'full', aggregate: 'mean' });
 * const iterates = passes(samplesOf(sampleBatch([x], y)), 20).pipe(descend(plan, blockSums(plan), mean()));
 * (await lastValueFrom(iterates)).theta; // [2]
 */
export function descend(
  plan: Pick<Plan<Steps>, 'rule' | 'start' | 'loss' | 'intercept' | 'steps' | 'privacy'> & Continuation,
  ...stages: readonly AnyStage[]
): OperatorFunction<Chunk, Iterate> {
  requirePlan(plan, 'rule start steps');
  for (const [k, stage] of stages.entries())
    requireMembers(`stage ${k}`, 'be a stage, such as `blockSums(plan)`', stage, 'name run');
  checkStages(stages, plan);
  const { rule, start, steps, from } = plan;
  if (plan.privacy !== null && rule.again !== undefined) {
    throw new ArgumentError(
      `the rule ${rule.name} may ask about the same rows again, which a private plan does not charge for; use a rule that asks once`,
      'ERR_NOT_PRIVATE',
      { rule: rule.name },
    );
  }
  const noise = stages.find(({ kind }) => kind === 'perturb');
  const charge = (step: Step): PrivacyEvent | null =>
    noise?.event !== undefined
      ? noise.event(step)
      : nonPrivateEvent({ chunk: steps.at(step.index)!.chunk, reason: 'no noise' });

  return chunks => {
    let hasBegun = false;
    return new Observable(subscriber => {
      if (hasBegun && plan.privacy !== null) {
        throw new ArgumentError(
          'this private descent has been subscribed to before, and a second run would release more than its ledger says; share one subscription, or plan and account for another run',
          'ERR_NOT_PRIVATE',
          { argument: 'descend' },
        );
      }
      hasBegun = true;
      const questions = new Subject<Step>();
      const waiting: Chunk[] = [];
      const check = chunkCheck(plan);
      let state = from === undefined ? rule.init(start) : from.state;
      let spent = plan.spent ?? ledger();
      let index = from?.step ?? 0;
      let asked: Step | undefined;
      let repeats = false;
      let settling = false;
      let ended = false;
      let asking = false;

      // A loop, not a recursion: synchronous stages answer inside `next`, thousands of steps deep.
      const proceed = (): void => {
        if (asking) return;
        asking = true;
        while (asked === undefined && !settling && waiting.length > 0 && !subscriber.closed) ask(waiting[0]!);
        asking = false;
        if (ended && asked === undefined && !settling && waiting.length === 0) subscriber.complete();
      };
      const ask = (chunk: Chunk): void => {
        try {
          check(chunk, index);
          asked = { ...(rule.question?.(state) ?? { at: rule.query(state) }), index, chunk };
          // One entry says all of an endless run without noise: another for each chunk would only take memory.
          const known = repeats || (noise === undefined && steps.length === Infinity && !spent.isPrivate);
          const event = known ? null : charge(asked);
          if (event !== null) spent = spent.charge(event);
        } catch (error) {
          subscriber.error(error);
          return;
        }
        // Not sooner, so that after an error above there is still a chunk to release.
        waiting.shift();
        questions.next(asked);
      };
      const answer = (gradient: Gradient): void => {
        if (asked === undefined) {
          subscriber.error(
            new ArgumentError('the stages gave a second gradient for a step; each must give one', 'ERR_CONFLICT', {
              stages: stages.map(({ name }) => name),
            }),
          );
          return;
        }
        const { at, chunk, index: answered } = asked;
        const slope = rule.question === undefined ? penalize(gradient, at, plan) : gradient;
        if (answered > 0) requireNumbers(slope.values, `the gradient of step ${answered + 1} is`, answered + 1);
        state = rule.step(state, slope);
        asked = undefined;
        repeats = rule.again?.(state) ?? false;
        if (repeats) {
          waiting.unshift(chunk);
          proceed();
          return;
        }
        index = answered + 1;
        const rows = rowsUsed(stepOf(steps.at(answered)!, chunk.rows));
        const behind = rule.rowsBehind?.(state);
        const parts = rule.parts?.(state);
        const iterate: Iterate = {
          step: index,
          // A copy: rules continue from what they return, and a subscriber may write to it.
          theta: requireNumbers(rule.iterate(state), `after step ${index} coefficients are`, index).slice(),
          gradient: slope,
          rows,
          ...(behind !== undefined && { rowsBehind: behind }),
          ...(parts !== undefined && { parts }),
          state,
          ledger: spent,
        };
        settling = plan.settle !== undefined;
        subscriber.next(iterate);
        const goOn = (): void => {
          settling = false;
          chunk.done?.();
          proceed();
        };
        if (plan.settle === undefined) goOn();
        else plan.settle(iterate).then(goOn, error => subscriber.error(error));
      };

      subscriber.add(() => {
        // Unsubscribing early releases the files behind the current chunk.
        (asked?.chunk ?? waiting[0])?.release().catch(() => {});
      });
      const gradients = stages.reduce((flow: Observable<unknown>, { run }) => flow.pipe(run), questions) as Observable<
        Flowing['gradient']
      >;
      subscriber.add(
        gradients.subscribe({
          next: gradient => {
            try {
              answer(gradient);
            } catch (error) {
              subscriber.error(error);
            }
          },
          error: error => subscriber.error(error),
          complete: () =>
            subscriber.error(
              new ArgumentError(`the stages ended after ${counted(index, 'step')}`, 'ERR_CONFLICT', { steps: index }),
            ),
        }),
      );
      subscriber.add(
        chunks.subscribe({
          next: chunk => {
            waiting.push(chunk);
            proceed();
          },
          error: error => subscriber.error(error),
          complete: () => {
            ended = true;
            proceed();
          },
        }),
      );
    });
  };
}

/** Where a run begins that is not the first, and what it waits for. */
export interface Continuation {
  /** What was released before the first step; nothing unless given. */
  readonly spent?: PrivacyLedger;
  /** The state after `step` steps of an earlier run of the same plan, from which this one goes on. */
  readonly from?: { readonly state: unknown; readonly step: number };
  /** Awaited after every iterate, before the next chunk is taken: a checkpoint is written, outputs are published. */
  readonly settle?: (iterate: Iterate) => Promise<void>;
}

/** Steps that are far too long overflow, and nothing good follows. At the start, rows are to blame. */
function requireNumbers(values: Vector, what: string, step: number): Vector {
  if (values.every(Number.isFinite)) return values;
  throw new ArgumentError(
    `the steps diverged: ${what} not finite; use shorter steps, or scale the features`,
    'ERR_DIVERGED',
    { step },
  );
}

/** Ridge: gamma theta holds no data, so it is added to whatever was estimated. An intercept is not penalised. */
export function penalize(
  { values, privacy }: Gradient,
  at: Vector,
  { loss, intercept }: Pick<Plan, 'loss' | 'intercept'>,
): Gradient {
  if (loss.penalty === 0) return { values, privacy };
  const free = intercept ? values.length - 1 : values.length;
  return { values: values.map((value, j) => (j === free ? value : value + loss.penalty * at[j]!)), privacy };
}
