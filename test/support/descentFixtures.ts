import type { Observable } from 'rxjs';
import { lastValueFrom, toArray } from 'rxjs';
import { filled, type Vector } from '../../src/math/vector.ts';
import { squared } from '../../src/method/loss/squared.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { type FitOptions, planFit } from '../../src/plan/planFit.ts';
import type { Chunk } from '../../src/sample/chunk.ts';
import type { SampleBatch } from '../../src/sample/sampleBatch.ts';
import { rowsBetween } from '../../src/sample/sampleBatch.ts';
import type { Samples } from '../../src/sample/samples.ts';

export const collect = <T>(flow: Observable<T>): Promise<T[]> =>
  lastValueFrom(flow.pipe(toArray()), { defaultValue: [] });

/** A plan of `steps` steps over rows of one feature. */
export const smallPlan = (options: Partial<FitOptions> = {}): Plan =>
  planFit({
    rows: 12,
    features: 1,
    loss: squared(),
    rule: projectedGradient({ stepSize: 0.1 }),
    steps: 3,
    aggregate: 'mean',
    ...options,
  });

/** A chunk whose rows nobody is to look at, as many as `smallPlan` has in a step; says whether it was released. */
export function emptyChunk(index: number, rows = 4): Chunk & { released(): boolean } {
  let released = false;
  return {
    index,
    rows,
    batches: { async *[Symbol.asyncIterator]() {} },
    release: async () => {
      released = true;
    },
    released: () => released,
  };
}

export const gradientOf = (...values: number[]) => ({
  values: Float64Array.of(...values),
  privacy: 'raw' as const,
});

/** The same rows in batches of the given size, in memory that is used again. */
export function rebatched(batch: SampleBatch, size: number): Samples {
  return {
    rows: batch.rows,
    features: batch.columns.length,
    weighted: batch.weights !== undefined,
    async *batches() {
      for (let start = 0; start < batch.rows; start += size) {
        const rows = rowsBetween(batch, start, Math.min(batch.rows, start + size));
        const copy = {
          ...rows,
          columns: rows.columns.map(column => column.slice()),
          target: rows.target.slice(),
        };
        yield copy;
        for (const column of [...copy.columns, copy.target]) column.fill(NaN);
      }
    },
  };
}

export const constant = (features: number, value: number): Vector => filled(features, value);
