import type { RankFactor } from '../../math/rankFactor.ts';
import { dot, times, type Vector, zeros } from '../../math/vector.ts';
import type { InformationState } from './informationState.ts';
import { directionsOf } from './standardCoordinates.ts';

/** A chunk's rows, step and curvature, and the factors of what was known without and with it. */
export interface ChunkStep {
  readonly rows: number;
  /** What is kept of earlier rows where they are forgotten; null where they are not. */
  readonly keep: number | null;
  readonly way: Vector;
  readonly curvature: Float64Array;
  readonly old: RankFactor;
  readonly both: RankFactor;
}

/** A coefficient of which the ridge says more than this share has not been learnt yet, and its x says nothing. */
const RIDGE_SHARE = 0.1;
/** Where a chunk says a smaller share of what is known, digits of the difference would be lost. */
const CANCELS = 1e-6;

/**
 * How far every estimate moves in a chunk, in units of what the chunk could tell: x of `information`. Not a number where
 * the chunk says nothing new, or hardly anything was known before.
 */
export function chunkNews(
  state: InformationState,
  { rows, keep, way, curvature, old, both }: ChunkStep,
  intercept: boolean,
): Vector {
  const size = way.length;
  const [room, other] = [zeros(size), zeros(size)];
  const newsAlong = (a: Vector): number => {
    const earlier = old.solveFactor(a, room);
    if (state.ridge * dot(earlier, earlier) >= RIDGE_SHARE * dot(a, a)) return NaN;
    const step = -dot(a, way);
    if (keep !== null) {
      const { weight, squaredWeight } = state;
      const total = keep * weight + rows;
      return ((step * total) / rows / Math.sqrt(1 + (rows * squaredWeight) / weight ** 2)) * Math.sqrt(rows);
    }
    const later = both.solveFactor(a, other);
    const before = dot(earlier, earlier);
    let news = before - dot(later, later);
    if (!(news > CANCELS * before)) {
      // The same without a difference: b'(H + H A^-1 H) b, b = (A + H)^-1 a.
      const taken = times(curvature, both.solveTransposed(later));
      const twice = old.solveFactor(taken);
      news = dot(both.solveTransposed(later), taken) + dot(twice, twice);
    }
    return news > 0 ? step / Math.sqrt(news) : NaN;
  };
  const found = zeros(size);
  for (const [j, direction] of directionsOf(state, intercept, true).entries()) found[j] = newsAlong(direction);
  return found;
}
