import { filter, map, merge, share, tap } from 'rxjs';
import { type Flowing, type Stage, type Step, trusted } from './stage.ts';

/** What the estimate stage of a run answered to its steps, from the first on, kept by an earlier process. */
export interface Answers {
  /** Steps that are answered already. */
  readonly known: number;
  at(step: number): unknown;
  /** Keeps the answer to a step that was not known. */
  keep(step: number, answer: unknown): unknown;
}

/**
 * The same estimate stage, which answers steps that an earlier process has done from what that one kept, without reading
 * their rows, and keeps every other answer.
 *
 *   steps     0--1--2--3--        with two known
 *   read            2--3--
 *   answers   a--b--c--d--
 *
 * Whatever follows, rules and those who watch, goes through the same steps to the same bits, because it sees the same
 * answers: nothing else of a run has to be stored.
 */
export function remembered<B extends 'sums' | 'gradient'>(stage: Stage<'step', B>, answers: Answers): Stage<'step', B> {
  const { known } = answers;
  return trusted({
    ...stage,
    run: steps => {
      const asked = steps.pipe(share());
      let next = known;
      return merge(
        asked.pipe(
          filter(({ index }: Step) => index < known),
          map(({ index }) => answers.at(index) as Flowing[B]),
        ),
        asked.pipe(
          filter(({ index }: Step) => index >= known),
          stage.run,
          tap(answer => answers.keep(next++, answer)),
        ),
      );
    },
  });
}
