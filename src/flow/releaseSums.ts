import { concatMap } from 'rxjs';
import type { BlockSummer } from '../engine/kernel/blockSummer.ts';
import { releaseSummer } from '../engine/kernel/releaseSummer.ts';
import { ArgumentError } from '../errors.ts';
import type { ReleaseQuestion } from '../method/rule/pooled.ts';
import type { PrivateOnlinePlan } from '../plan/online/planPrivateOnline.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { UnitTable } from '../sample/transform/unitTable.ts';
import { sumChunk } from './blockSums.ts';
import { type Stage, type Step, trusted } from './stage.ts';

/**
 * The estimate stage of private streams: what the rule asks about the step's chunk, as integers that one replaced row
 * moves by at most 2 sqrt(B2), whatever is asked (`releaseSummer.ts`).
 *
 * Where the plan protects units, the last column of the rows says whose they are, and rows of a unit that has had its
 * share are passed over, in their place. They are counted here, chunk by chunk, and not where rows are read: rows that
 * were read ahead of a crash have not been used.
 */
export function releaseSums(
  { steps, features, noise: { squaredNorm }, unit }: Pick<PrivateOnlinePlan, 'steps' | 'features' | 'noise' | 'unit'>,
  units?: UnitTable,
): Stage<'step', 'sums'> {
  const isWithin = units !== undefined && unit !== null && units.perChunk <= unit.perChunk && units.most <= unit.most;
  if (unit === null ? units !== undefined : !isWithin) {
    throw new ArgumentError(
      unit === null
        ? 'the plan protects rows, but a table of units is given; plan with `unit`, or leave the table out'
        : `the plan protects units with at most ${unit.perChunk} rows in a chunk and ${unit.most} in all, so it needs a table that counts them so; give unitTable({ key, perChunk: ${unit.perChunk}, most: ${unit.most} })`,
      'ERR_NOT_PRIVATE',
      { argument: 'unit' },
    );
  }
  return trusted({
    name: 'releaseSums',
    kind: 'estimate',
    from: 'step',
    to: 'sums',
    run: concatMap((step: Step) => {
      const { rows } = steps.at(step.index)!;
      const question = step as Step & ReleaseQuestion;
      const summer = releaseSummer({ question, features, rows, squaredNorm });
      return sumChunk(step, units === undefined ? summer : limited(summer, features, units));
    }),
  });
}

/** Takes the unit from the end of every row, and passes over rows of units that have had their share. */
const limited = (summer: BlockSummer, features: number, units: UnitTable): BlockSummer => ({
  add: (batch: SampleBatch) => {
    const ids = batch.columns[features]!;
    const weights = new Float64Array(batch.rows);
    for (let i = 0; i < batch.rows; i++)
      if (batch.weights === undefined || batch.weights[i]! > 0) weights[i] = units.take(ids[i]!) ? 1 : 0;
    return summer.add({ ...batch, columns: batch.columns.slice(0, features), weights });
  },
  finish: () => summer.finish(),
});
