import { concatMap } from 'rxjs';
import { ArgumentError } from '../errors.ts';
import { mean } from '../method/aggregate/mean.ts';
import type { Plan, Steps } from '../plan/plan.ts';
import type { BlockSums, Gradient } from '../sample/gradientSums.ts';
import type { UnitTable } from '../sample/transform/unitTable.ts';
import { type Stage, trusted } from './stage.ts';

/** A release on its way, as plain data. */
export interface StoredRelease {
  /** The step that it answers, from 0. */
  readonly step: number;
  /** Sums with noise. */
  readonly sums: Float64Array;
  readonly rows: number;
}

/**
 * The stage after `perturb` in a run that can be resumed: it waits until a release is on disk before anything sees it.
 *
 * Guarantee. Nothing is made of a release that a crash could lose: to draw anew after looking at a value would select
 * among values, and cost more than was charged. Counts of units are stored with the release that used their rows, and
 * count for life only then. Edge cases. If `write` fails, the run ends with its error, and the release is never seen.
 */
export function stored(
  write: (release: StoredRelease, units: Uint8Array | null) => Promise<void>,
  { from }: Pick<Plan<Steps>, 'steps'> & { readonly from?: { readonly step: number } },
  units?: UnitTable,
): Stage<'sums', 'sums'> {
  const first = from?.step ?? 0;
  return trusted({
    name: 'stored',
    kind: 'post',
    from: 'sums',
    to: 'sums',
    run: concatMap(async (sums: BlockSums, count: number) => {
      if (sums.privacy !== 'released')
        throw new ArgumentError('only what was released may be stored; put stored after perturb', 'ERR_NOT_PRIVATE', {
          stage: 'stored',
        });
      await write({ step: first + count, sums: sums.sums, rows: sums.rowsPerBlock }, units?.pending() ?? null);
      units?.commit();
      return sums;
    }),
  });
}

/** What the stages made of a release before the run was stopped: the rule's next answer, to the bit, without new noise. */
export const answerOf = ({ sums, rows }: StoredRelease): Gradient =>
  mean().aggregate({ sums, blocks: 1, rowsPerBlock: rows, privacy: 'released' });
