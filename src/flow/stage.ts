import type { OperatorFunction } from 'rxjs';
import { ArgumentError, refuse, requireFunction, requireKnown } from '../errors.ts';
import type { Question } from '../method/rule/updateRule.ts';
import type { Plan, Steps } from '../plan/plan.ts';
import type { PrivacyEvent } from '../privacy/event.ts';
import type { Chunk } from '../sample/chunk.ts';
import type { BlockSums, Gradient } from '../sample/gradientSums.ts';

/** One step's question: the gradient at `at`, from the rows of `chunk`. */
export interface Step extends Question {
  readonly index: number;
  readonly chunk: Chunk;
}

/** The kinds of value that flow between stages, by name. */
export interface Flowing {
  readonly step: Step;
  readonly sums: BlockSums;
  readonly gradient: Gradient;
}

/** What a stage does: estimates from rows, adds noise, aggregates blocks, or changes what was estimated. */
export type StageKind = 'estimate' | 'perturb' | 'aggregate' | 'post';

/** A named RxJS operator between two kinds of value; `stage` makes one, `descend` chains them. */
export interface Stage<A extends keyof Flowing = keyof Flowing, B extends keyof Flowing = keyof Flowing> {
  readonly name: string;
  readonly kind: StageKind;
  readonly from: A;
  readonly to: B;
  /** Subscribed once a run: one value in, one value out, for every step in turn. */
  readonly run: OperatorFunction<Flowing[A], Flowing[B]>;
  /** For `perturb`: what the step's release costs, charged before the stage runs; null where it is charged already. */
  readonly event?: (step: Step) => PrivacyEvent | null;
  /** For `perturb`: the steps that its noise was planned for. */
  readonly steps?: Steps;
  /** For `perturb`: the index of the first step that it will see; 0 unless given. */
  readonly first?: number;
}

/** A stage whatever it takes and gives; whether stages fit together is checked at run time. */
// biome-ignore lint/suspicious/noExplicitAny: an operator's input is contravariant, so no narrower type covers every stage
export type AnyStage = Stage<any, any>;

/**
 * A stage is a named RxJS operator between two kinds of value. Declaring them lets `descend` check a pipeline when it
 * is composed, before any row is read.
 *
 *   estimate    step -> sums, or step -> gradient
 *   perturb     sums -> sums, and from raw to released
 *   aggregate   sums -> gradient
 *   post        sums -> sums, or gradient -> gradient: anything a user likes to do to what was estimated
 *
 * A custom stage. In a private plan it may stand only after `perturb`.
 */
export function stage<A extends keyof Flowing, B extends keyof Flowing>(definition: {
  readonly name: string;
  readonly from: A;
  readonly to: B;
  readonly run: OperatorFunction<Flowing[A], Flowing[B]>;
}): Stage<A, B> {
  requireKnown(definition, 'from name run to');
  const { name, from, to, run } = definition;
  if (typeof name !== 'string' || name === '') refuse('name', 'be a non-empty string', name);
  const kind = `${from} -> ${to}`;
  const kinds: Record<string, StageKind> = {
    'step -> sums': 'estimate',
    'step -> gradient': 'estimate',
    'sums -> gradient': 'aggregate',
    'sums -> sums': 'post',
    'gradient -> gradient': 'post',
  };
  const known = kinds[kind] ?? refuse('from and to', `be one of ${Object.keys(kinds).join(', ')}`, kind);
  requireFunction('run', run);
  return Object.freeze({ name, kind: known, from, to, run });
}

const own = new WeakSet<object>();

/** Marks a stage of the library: one that reads rows only as the privacy analysis assumes. */
export function trusted<S extends object>(made: S): S {
  own.add(made);
  return Object.freeze(made);
}

/**
 * Throws where stages do not fit together, or where a private run would release what is not noised, or noised for the
 * steps of another plan: those may share rows that this plan's steps do not, and would be charged as if they did not.
 */
export function checkStages(
  stages: readonly AnyStage[],
  { steps, privacy, from }: Pick<Plan<Steps>, 'steps' | 'privacy'> & { readonly from?: { readonly step: number } },
): void {
  const order = stages.map(({ name }) => name).join(', ');
  let at: keyof Flowing = 'step';
  for (const { name, from, to } of stages) {
    if (from !== at) {
      throw new ArgumentError(
        `stage ${name} takes ${from} but follows a ${at}, in the order ${order}; reorder the stages`,
        'ERR_CONFLICT',
        { stages: order },
      );
    }
    at = to;
  }
  if (at !== 'gradient') {
    throw new ArgumentError(
      `the stages must end in a gradient, got ${at} from ${order || 'no stage'}; add mean() or geometricMedian()`,
      'ERR_CONFLICT',
      { stages: order },
    );
  }
  const noise = stages.findIndex(({ kind }) => kind === 'perturb');
  if (stages.some(({ kind }, i) => kind === 'perturb' && i !== noise)) {
    throw new ArgumentError(`the stages must hold one perturb at most, got ${order}`, 'ERR_CONFLICT', {
      stages: order,
    });
  }
  if (privacy === null) {
    if (noise < 0) return;
    throw new ArgumentError(
      `the stages hold perturb, but the plan is not private, so nothing would check what reaches the noise; give descend the private plan, or leave perturb out of ${order}`,
      'ERR_CONFLICT',
      { stages: order },
    );
  }
  if (noise < 0)
    throw new ArgumentError(`the plan is private, so its stages must hold perturb, got ${order}`, 'ERR_NOT_PRIVATE', {
      stages: order,
    });
  if (stages[noise]!.steps !== steps || (stages[noise]!.first ?? 0) !== (from?.step ?? 0)) {
    throw new ArgumentError(
      'perturb was made for the steps of another plan, so its noise would be charged to the wrong rows; give perturb and descend the same plan',
      'ERR_NOT_PRIVATE',
      { stages: order },
    );
  }
  const early = stages.slice(0, noise + 1).find(made => !own.has(made));
  if (early !== undefined) {
    throw new ArgumentError(
      `stage ${early.name} reads rows before the noise, so the run would not be private; put it after perturb`,
      'ERR_NOT_PRIVATE',
      { stages: order, stage: early.name },
    );
  }
}
