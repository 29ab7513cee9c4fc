import { Observable } from 'rxjs';
import { requireInteger } from '../math/check.ts';
import type { Chunk } from '../sample/chunk.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';

/** Full mode: `count` chunks that each hold all rows, every one a pass of its own. */
export function passes(samples: Samples, count: number): Observable<Chunk> {
  requireInteger('count', count, 1);
  return new Observable(subscriber => {
    const open = new Set<AsyncIterator<SampleBatch>>();
    const release = async (): Promise<void> => {
      await Promise.all([...open].map(pass => pass.return?.()));
      open.clear();
    };
    for (let index = 0; index < count && !subscriber.closed; index++) {
      subscriber.next({ index, rows: samples.rows, batches: tracked(samples, open), release });
    }
    subscriber.complete();
  });
}

function tracked(samples: Samples, open: Set<AsyncIterator<SampleBatch>>): AsyncIterable<SampleBatch> {
  return {
    async *[Symbol.asyncIterator]() {
      const pass = samples.batches()[Symbol.asyncIterator]();
      open.add(pass);
      try {
        for (let next = await pass.next(); !next.done; next = await pass.next()) yield next.value;
      } finally {
        open.delete(pass);
        await pass.return?.();
      }
    },
  };
}
