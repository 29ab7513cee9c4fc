import { concatMap, Observable } from 'rxjs';
import { estimateIn, type HuberOptions, huberEstimator } from '../engine/kernel/huberEstimator.ts';
import { LARGEST_CHUNK_BYTES, requirePointsFit, writeGradients } from '../engine/kernel/rowGradients.ts';
import { refuse } from '../errors.ts';
import type { Coordinates } from '../math/coordinates.ts';
import type { Plan } from '../plan/plan.ts';
import type { Gradient } from '../sample/gradientSums.ts';
import { type Stage, type Step, trusted } from './stage.ts';

/** The assumptions of the estimator, and the memory it may take. */
export interface HuberGradientOptions extends HuberOptions {
  /** The memory that the gradients of one chunk may take; more is refused. */
  readonly largestBytes?: number;
  /** In which rows are compared; as they are unless given. */
  readonly coordinates?: Pick<Coordinates, 'ofGradient'>;
}

/**
 * The estimate stage for contaminated rows (alg:HubGradTrunc). It needs every row's gradient at once, so it holds one
 * chunk's rows x features, and refuses more than `largestBytes` of them.
 */
export function huberGradient(
  { loss, intercept }: Pick<Plan, 'loss' | 'intercept'>,
  { largestBytes = LARGEST_CHUNK_BYTES, coordinates, ...options }: HuberGradientOptions,
): Stage<'step', 'gradient'> {
  const estimator = huberEstimator(options);
  const estimate = coordinates === undefined ? estimator : estimateIn(coordinates, estimator);
  const ofChunk = ({ chunk, at }: Step): Observable<Gradient> =>
    new Observable(subscriber => {
      const pull = async (): Promise<void> => {
        requirePointsFit(chunk.rows, at.length, largestBytes);
        const values = new Float64Array(chunk.rows * at.length);
        let count = 0;
        for await (const batch of chunk.batches) {
          if (subscriber.closed) return;
          if (count + batch.rows > chunk.rows)
            refuse('chunk.rows', `be at least the ${count + batch.rows} rows of its batches`, chunk.rows);
          writeGradients(batch, { loss, at, intercept }, values.subarray(count * at.length));
          count += batch.rows;
        }
        const points = { count, size: at.length, values: values.subarray(0, count * at.length) };
        subscriber.next({ values: estimate(points), privacy: 'raw' });
        subscriber.complete();
      };
      pull().catch(error => subscriber.error(error));
    });
  return trusted({
    name: 'huberGradient',
    kind: 'estimate',
    from: 'step',
    to: 'gradient',
    run: concatMap(ofChunk),
  });
}
