import type { PrivacyEvent } from './event.ts';

export interface Composition {
  readonly squaredMu: number;
  /** The cost of all with one more, which is not entered. */
  squaredMuWith(event: PrivacyEvent): number;
  enter(event: PrivacyEvent): void;
}

/**
 * The joint cost of releases, entered one at a time:
 *
 *   mu^2 = sum over releases from all rows of mu_i^2  +  max over chunks of (sum over the chunk's releases of mu_i^2)
 *          + max over releases of a stream, each from rows of its own, of mu_i^2
 *
 * Guarantee. Adaptive Gaussian releases that a record enters compose to exactly mu-GDP with mu^2 the sum of theirs;
 * a record enters one chunk only, so chunks cost their maximum (replace-one adjacency). A stream's releases, entered as
 * `each`, cost one release however many there are, and take no memory.
 * Edge cases. No releases cost 0; one non-private event makes mu infinite.
 */
export function composition(): Composition {
  const chunks = new Map<number, number>();
  let all = 0;
  let most = 0;
  let ofStream = 0;
  const square = (event: PrivacyEvent): number => (event.kind === 'gaussian' ? event.mu ** 2 : Infinity);
  const chunkWith = (chunk: number, event: PrivacyEvent): number => (chunks.get(chunk) ?? 0) + square(event);
  return {
    get squaredMu() {
      return all + most + ofStream;
    },
    squaredMuWith: event => {
      if (event.chunk === 'all') return all + square(event) + most + ofStream;
      if (event.chunk === 'each') return all + most + Math.max(ofStream, square(event));
      return all + Math.max(most, chunkWith(event.chunk, event)) + ofStream;
    },
    enter: event => {
      if (event.chunk === 'all') {
        all += square(event);
      } else if (event.chunk === 'each') {
        ofStream = Math.max(ofStream, square(event));
      } else {
        const sum = chunkWith(event.chunk, event);
        chunks.set(event.chunk, sum);
        most = Math.max(most, sum);
      }
    },
  };
}
