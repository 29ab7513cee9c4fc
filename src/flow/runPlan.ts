import { lastValueFrom, type Observable, tap } from 'rxjs';
import type { Coordinates } from '../math/coordinates.ts';
import type { Plan } from '../plan/plan.ts';
import type { Chunk } from '../sample/chunk.ts';
import type { BlockSums } from '../sample/gradientSums.ts';
import { aggregateBy } from './aggregateBy.ts';
import { blockSums, type Kernel } from './blockSums.ts';
import { descend } from './descend.ts';
import { gramSums, suitsGram } from './gramSums.ts';
import { huberGradient } from './huberGradient.ts';
import type { Iterate } from './iterate.ts';
import { type Answers, remembered } from './remembered.ts';
import { type Stage, trusted } from './stage.ts';
import { type Fit, summarize } from './summarize.ts';

/** How block sums are computed from chunks. */
export type Sums = (plan: Plan) => Stage<'step', 'sums'>;

export const defaultSums =
  (kernel?: Kernel): Sums =>
  plan =>
    suitsGram(plan) ? gramSums(plan) : blockSums(plan, kernel);

/** What may watch or change a run of `runPlan`. */
export interface RunOptions {
  /** Looks at block sums on their way. */
  readonly onSums?: (sums: BlockSums) => void;
  /** In which the Huber-contamination estimator compares rows, and gradients are measured; as they are unless given. */
  readonly coordinates?: Coordinates;
  /** Where answers to the steps are kept, so that a later process can go on; nowhere unless given. */
  readonly answers?: Answers;
}

/** The pipeline of a plan without noise, from chunks to a summary. */
export function runPlan(
  chunks: Observable<Chunk>,
  plan: Plan,
  sums: Sums,
  onIterate?: (iterate: Iterate) => void,
  { onSums, coordinates, answers }: RunOptions = {},
): Promise<Fit> {
  const { estimation } = plan;
  // The rows of the last step are looked at besides, so it is done again by a process that goes on.
  const others = answers && {
    ...answers,
    keep: (step: number, answer: unknown) => step < plan.steps.length - 1 && answers.keep(step, answer),
  };
  const kept = <B extends 'sums' | 'gradient'>(estimate: Stage<'step', B>): Stage<'step', B> =>
    others ? remembered(estimate, others) : estimate;
  const stages =
    estimation.kind === 'huber'
      ? [kept(huberGradient(plan, { ...estimation, ...(coordinates && { coordinates }) }))]
      : [kept(sums(plan)), ...(onSums ? [watching(onSums)] : []), aggregateBy(estimation.aggregator)];
  return lastValueFrom(
    chunks.pipe(
      descend(plan, ...stages),
      tap(iterate => onIterate?.(iterate)),
      summarize(plan, coordinates),
    ),
  );
}

const watching = (look: (sums: BlockSums) => void): Stage<'sums', 'sums'> =>
  trusted({ name: 'watching', kind: 'post', from: 'sums', to: 'sums', run: tap(look) });
