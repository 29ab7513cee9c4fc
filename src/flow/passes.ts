import { Observable } from 'rxjs';
import { requireInteger, requireMembers } from '../errors.ts';
import type { Chunk } from '../sample/chunk.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { chunkOf } from './chunkPass.ts';

/** Full mode: `count` chunks that each hold all rows, every one a pass of its own. */
export function passes(samples: Samples, count: number): Observable<Chunk> {
  requireMembers('samples', 'be rows with features and a target, such as `samplesOf(…)`', samples, 'batches rows');
  requireInteger('count', count, 1);
  return new Observable(subscriber => {
    const open = new Set<AsyncIterator<SampleBatch>>();
    const release = async (): Promise<void> => {
      await Promise.all([...open].map(pass => pass.return?.()));
      open.clear();
    };
    for (let index = 0; index < count && !subscriber.closed; index++) {
      subscriber.next(
        chunkOf('all rows', { index, rows: samples.rows, batches: tracked(samples, open), release }, samples),
      );
    }
    subscriber.complete();
  });
}

/** An iterator by hand, as in split.ts: simulations make thousands of passes over a few rows. */
function tracked(samples: Samples, open: Set<AsyncIterator<SampleBatch>>): AsyncIterable<SampleBatch> {
  return {
    [Symbol.asyncIterator]() {
      const pass = samples.batches()[Symbol.asyncIterator]();
      open.add(pass);
      return {
        async next() {
          try {
            const next = await pass.next();
            if (next.done) open.delete(pass);
            return next;
          } catch (error) {
            open.delete(pass);
            throw error;
          }
        },
        async return() {
          open.delete(pass);
          await pass.return?.();
          return { value: undefined, done: true };
        },
      };
    },
  };
}
