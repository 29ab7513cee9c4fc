/**
 * Which rows a chunk shares with others, so that no row enters two steps of a fresh plan. A chunk that `split` made has
 * a part of one pass, in which no other chunk of that pass has a row; one that `passes` made has all rows again. Chunks
 * are marked where they are made, as stages of the library's own are (`trusted`): a copy, which may have been given
 * other rows, has no mark.
 */

import { ArgumentError } from '../math/check.ts';
import { counted } from '../math/counted.ts';
import type { Plan } from '../plan/plan.ts';
import type { Chunk } from '../sample/chunk.ts';

/** One pass that chunks share out among themselves, or all rows in each. */
type Pass = object | 'all rows';

const passes = new WeakMap<Chunk, Pass>();

/** Marks a chunk of the library's own. */
export function chunkOf(pass: Pass, made: Chunk): Chunk {
  passes.set(made, pass);
  return Object.freeze(made);
}

/**
 * What one run asks of its chunks, each in turn, before its step is charged: that it is the one its step was planned
 * for, and that a fresh step has rows of which no other step has any. A plan that is private takes nobody's word for
 * that; otherwise a chunk without a mark is for whoever made it to answer for.
 */
export function chunkCheck({
  steps,
  privacy,
}: Pick<Plan, 'steps' | 'privacy'>): (chunk: Chunk, index: number) => void {
  let common: Pass | undefined;
  return (chunk, index) => {
    const step = steps[index];
    if (step === undefined)
      throw new ArgumentError(`the plan has ${counted(steps.length, 'step')}, but chunk ${index} came`);
    if (chunk.index !== index) {
      throw new ArgumentError(
        `chunk ${chunk.index} came for step ${index}; give every chunk of one split once, in order`,
      );
    }
    if (chunk.rows !== step.rows) {
      throw new ArgumentError(
        `chunk ${index} must have the ${counted(step.rows, 'row')} that its step was planned for, got ${chunk.rows}; ${WAYS}`,
      );
    }
    const pass = passes.get(chunk);
    if (pass === undefined && privacy !== null) {
      throw new ArgumentError(
        `chunk ${index} comes from neither split nor passes, so nobody knows that the run is private; ${WAYS}, and change rows before that, by mapSamples`,
      );
    }
    if (pass === undefined || step.chunk === 'all') return;
    common ??= pass;
    if (pass === 'all rows' || pass !== common) {
      throw new ArgumentError(
        `chunk ${index} may have rows of another step, but the plan is for steps on fresh rows; ${WAYS}, in one pass`,
      );
    }
  };
}

const WAYS = "use split by the rows of plan.steps for `mode: 'fresh'`, and passes for `mode: 'full'`";
