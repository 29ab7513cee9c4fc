import { concatMap, Observable } from 'rxjs';
import { type BlockRequest, type BlockSummer, together } from '../engine/kernel/blockSummer.ts';
import { withRest } from '../engine/kernel/huberEstimator.ts';
import { fastSummer } from '../engine/kernel/wasmSummer.ts';
import { type Plan, requirePlan, type Steps, stepOf } from '../plan/plan.ts';
import type { BlockSums } from '../sample/gradientSums.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { type Stage, type Step, trusted } from './stage.ts';

/** Makes the summer of one step: the reference kernel, or a faster one with the same results. */
export type Kernel = (request: BlockRequest) => BlockSummer;

/**
 * The estimate stage: per block of the step's chunk, the sum of its rows' gradients. Where a step asks for those of
 * several fits, its rows are read once for all of them, and the sums of a block stand one behind the other.
 */
export function blockSums(
  plan: Pick<Plan<Steps>, 'loss' | 'intercept' | 'steps'>,
  kernel: Kernel = fastSummer,
): Stage<'step', 'sums'> {
  const { loss, intercept, steps } = requirePlan(plan, 'loss steps');
  return trusted({
    name: 'blockSums',
    kind: 'estimate',
    from: 'step',
    to: 'sums',
    run: concatMap((step: Step) => {
      const { blocks, rowsPerBlock, rest = 0 } = stepOf(steps.at(step.index)!, step.chunk.rows);
      const fits = step.fits ?? [{ at: step.at, loss }];
      return sumChunk(
        step,
        together(fits.map(fit => withRest(kernel, { ...fit, intercept, blocks, rowsPerBlock }, rest))),
      );
    }),
  });
}

/** Pulls the chunk's batches into the summer; unsubscribing ends the pull after the batch under way. */
export function sumChunk<Sums = BlockSums<'raw'>>(
  { chunk }: Pick<Step, 'chunk'>,
  summer: { add(batch: SampleBatch): unknown; finish(): Sums },
): Observable<Sums> {
  return new Observable(subscriber => {
    const pull = async (): Promise<void> => {
      for await (const batch of chunk.batches) {
        if (subscriber.closed) return;
        summer.add(batch);
      }
      subscriber.next(summer.finish());
      subscriber.complete();
    };
    pull().catch(error => subscriber.error(error));
  });
}
