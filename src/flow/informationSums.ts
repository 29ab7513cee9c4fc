import { concatMap, map } from 'rxjs';
import { informationSummer } from '../engine/kernel/informationSummer.ts';
import { type RiskTile, riskTile } from '../engine/kernel/riskTile.ts';
import { withoutWild } from '../engine/kernel/wildRows.ts';
import type { Vector } from '../math/vector.ts';
import { COLUMNS, type InformationQuestion, SUMS } from '../method/rule/informationQuestion.ts';
import type { OnlinePlan } from '../plan/online/planOnline.ts';
import type { Chunk } from '../sample/chunk.ts';
import type { Gradient } from '../sample/gradientSums.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { sumChunk } from './blockSums.ts';
import { type Stage, type Step, trusted } from './stage.ts';

/**
 * The estimate stage of the online estimator: what its rule asks about the step's chunk, as one vector. The rule may ask
 * again about the same rows, so they must be held, as those of an endless `split` are (`onlineChunks`). Wild rows are
 * found once for each chunk, so that all questions about it are about the same rows.
 */
export function informationSums({ features, learnsScale }: OnlinePlan): Stage<'step', 'gradient'> {
  let tile: RiskTile | undefined;
  let seen:
    | { readonly chunk: Chunk; readonly given: SampleBatch; readonly batch: SampleBatch; readonly wild: number }
    | undefined;
  return trusted({
    name: 'informationSums',
    kind: 'estimate',
    from: 'step',
    to: 'gradient',
    run: concatMap((step: Step) => {
      tile ??= riskTile(features);
      const question = step as Step & InformationQuestion;
      const summer = informationSummer({ question, rows: step.chunk.rows, tile, withDeviation: learnsScale });
      let wild = 0;
      const add = (given: SampleBatch): void => {
        if (seen?.chunk !== step.chunk || seen.given !== given) {
          const isKnown = step.index > 0 && question.asks === 'information';
          seen = { chunk: step.chunk, given, ...withoutWild(given, { ...question, isKnown }) };
        }
        wild += seen.wild;
        summer.add(seen.batch);
      };
      const finish = (): Vector => {
        const values = summer.finish();
        if (question.asks !== 'trial') values[question.asks === 'columns' ? COLUMNS.wild : SUMS.wild] = wild;
        return values;
      };
      return sumChunk(step, { add, finish }).pipe(map((values): Gradient => ({ values, privacy: 'raw' })));
    }),
  });
}
