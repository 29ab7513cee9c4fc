import { concatMap, defer, Observable, type Subscriber } from 'rxjs';
import { type GramSummer, gramFits, gramSummer } from '../engine/kernel/gramSummer.ts';
import { ArgumentError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import type { Chunk } from '../sample/chunk.ts';
import type { BlockSums } from '../sample/gradientSums.ts';
import { type Stage, type Step, trusted } from './stage.ts';

/**
 * The estimate stage for the squared loss in full mode: the first step reads the rows and keeps each block's X'X and
 * X'y, from which every later step is computed without reading.
 */
export function gramSums(plan: Plan): Stage<'step', 'sums'> {
  if (!suitsGram(plan)) {
    throw new ArgumentError(
      'gramSums is for the squared loss in full mode, with few features; use blockSums',
      'ERR_CONFLICT',
      { stage: 'gramSums' },
    );
  }
  const { intercept, start, steps } = plan;
  const { blocks, rowsPerBlock, rest = 0 } = steps.at(0)!;
  return trusted({
    name: 'gramSums',
    kind: 'estimate',
    from: 'step',
    to: 'sums',
    run: questions =>
      defer(() => {
        let kept: Promise<GramSummer> | undefined;
        const read = async ({ batches }: Chunk, subscriber: Subscriber<unknown>): Promise<GramSummer> => {
          const summer = gramSummer({ size: start.length, intercept, blocks, rowsPerBlock, rest });
          for await (const batch of batches) {
            if (subscriber.closed) break;
            summer.add(batch);
          }
          return summer;
        };
        return questions.pipe(
          concatMap(
            ({ chunk, at }: Step) =>
              new Observable<BlockSums<'raw'>>(subscriber => {
                const answer = async (): Promise<void> => {
                  kept ??= read(chunk, subscriber);
                  // Awaited at every step: an answer inside the question would pile the steps on the stack.
                  const summer = await kept;
                  if (subscriber.closed) return;
                  subscriber.next(summer.sumsAt(at));
                  subscriber.complete();
                };
                answer().catch(error => subscriber.error(error));
              }),
          ),
        );
      }),
  });
}

/** Whether `gramSums` can take the place of `blockSums`, and pays. */
export const suitsGram = ({
  loss,
  mode,
  steps,
  start,
  intercept,
}: Pick<Plan, 'loss' | 'mode' | 'steps' | 'start' | 'intercept'>): boolean =>
  loss.kernel?.kind === 'squared' &&
  mode === 'full' &&
  steps.length >= 3 &&
  gramFits({ size: start.length, intercept, blocks: steps.at(0)!.blocks });
