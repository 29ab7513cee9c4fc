import { Observable } from 'rxjs';
import type { BlockSummer } from '../engine/kernel/blockSummer.ts';
import type { BlockSums } from '../sample/blockSums.ts';
import type { Step } from './stage.ts';

/** Pulls the chunk's batches into the summer; unsubscribing ends the pull after the batch under way. */
export function sumChunk({ chunk }: Step, summer: BlockSummer): Observable<BlockSums<'raw'>> {
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
