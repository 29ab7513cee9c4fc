/**
 * Which rows a chunk shares with others, so that no row enters two steps of a fresh plan. Chunks made by `split` are
 * disjoint parts of one pass; each made by `passes` has all rows. Chunks are marked where they are made, as the
 * library's stages are (`trusted`). A copy, which may have other rows, has no mark.
 */
import { ArgumentError } from '../errors.ts';
import type { Plan, Steps } from '../plan/plan.ts';
import type { Chunk } from '../sample/chunk.ts';
import { mostPerUnit, requireLimited } from '../sample/transform/perUnit.ts';
import { counted } from '../words.ts';

/** One pass divided among chunks, with `namesRows: true` if its errors may name rows; or all rows in each. */
type Pass = object | 'all rows';

interface Mark {
  readonly pass: Pass;
  readonly mostPerUnit: number | undefined;
  readonly endedEarly: boolean;
}

const marks = new WeakMap<Chunk, Mark>();

/** Marks a chunk made by the library, of these rows, and whether it has fewer than were asked for. */
export function chunkOf(pass: Pass, made: Chunk, rows?: object, endedEarly = false): Chunk {
  marks.set(made, { pass, mostPerUnit: rows && mostPerUnit(rows), endedEarly });
  return Object.freeze(made);
}

/**
 * Checks each chunk before its step is charged: it must be the one planned for the step, and a fresh step must have
 * rows that no other step has. A private plan requires the mark; otherwise an unmarked chunk is the caller's
 * responsibility.
 */
export function chunkCheck({
  steps,
  privacy,
}: Pick<Plan<Steps>, 'steps' | 'privacy'>): (chunk: Chunk, index: number) => void {
  let common: Pass | undefined;
  return (chunk, index) => {
    const step = steps.at(index);
    if (step === undefined)
      throw new ArgumentError(
        `the plan has ${counted(steps.length, 'step')}, but chunk ${index} came`,
        'ERR_CONFLICT',
        { chunk: index, steps: steps.length },
      );
    if (chunk.index !== index) {
      throw new ArgumentError(
        `chunk ${chunk.index} came for step ${index}; give every chunk of one split once, in order`,
        'ERR_CONFLICT',
        { chunk: chunk.index, step: index },
      );
    }
    const { pass, mostPerUnit, endedEarly } = marks.get(chunk) ?? {};
    // When rows come may depend on what they hold, so a chunk of a private run ends by its number of rows alone.
    if (chunk.rows !== step.rows && !(endedEarly && privacy === null && chunk.rows < step.rows)) {
      throw new ArgumentError(
        `chunk ${index} must have the ${counted(step.rows, 'row')} that its step was planned for, got ${chunk.rows}; ${WAYS}`,
        'ERR_CONFLICT',
        { chunk: index, rows: chunk.rows, expected: step.rows },
      );
    }
    if (pass === undefined && privacy !== null) {
      throw new ArgumentError(
        `chunk ${index} comes from neither split nor passes, so the run cannot be shown to be private; ${WAYS}, and change rows before that, by mapSamples`,
        'ERR_NOT_PRIVATE',
        { chunk: index },
      );
    }
    requireLimited(mostPerUnit, privacy?.unitRows);
    if (privacy !== null && typeof pass === 'object' && 'namesRows' in pass && pass.namesRows) {
      throw new ArgumentError(
        `chunk ${index} has rows whose errors may name what they hold, so the run would not be private; open them with \`forPrivate: true\``,
        'ERR_NOT_PRIVATE',
        { chunk: index },
      );
    }
    if (pass === undefined || step.chunk === 'all') return;
    common ??= pass;
    if (pass === 'all rows' || pass !== common) {
      throw new ArgumentError(
        `chunk ${index} may have rows of another step, but the plan is for steps on fresh rows; ${WAYS}, in one pass`,
        'ERR_CONFLICT',
        { chunk: index },
      );
    }
  };
}

const WAYS = "use split by the rows of plan.steps for `mode: 'fresh'`, and passes for `mode: 'full'`";
