import { concatMap, map } from 'rxjs';
import { informationSummer } from '../engine/kernel/informationSummer.ts';
import { type RiskTile, riskTile } from '../engine/kernel/riskTile.ts';
import type { InformationQuestion } from '../method/rule/informationQuestion.ts';
import type { OnlinePlan } from '../plan/online/planOnline.ts';
import type { Gradient } from '../sample/gradientSums.ts';
import { sumChunk } from './blockSums.ts';
import { type Stage, type Step, trusted } from './stage.ts';

/**
 * The estimate stage of the online estimator: what its rule asks about the step's chunk, as one vector. The rule may ask
 * again about the same rows, so they must be held, as those of an endless `split` are (`onlineChunks`).
 */
export function informationSums({ features, learnsScale }: OnlinePlan): Stage<'step', 'gradient'> {
  let tile: RiskTile | undefined;
  return trusted({
    name: 'informationSums',
    kind: 'estimate',
    from: 'step',
    to: 'gradient',
    run: concatMap((step: Step) => {
      tile ??= riskTile(features);
      const question = step as Step & InformationQuestion;
      const summer = informationSummer({ question, rows: step.chunk.rows, tile, withDeviation: learnsScale });
      return sumChunk(step, summer).pipe(map((values): Gradient => ({ values, privacy: 'raw' })));
    }),
  });
}
