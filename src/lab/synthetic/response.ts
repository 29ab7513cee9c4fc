import { requireInteger } from '../../errors.ts';
import { uniform } from '../../math/random/random.ts';
import type { Vector } from '../../math/vector.ts';
import type { ColumnStream } from './columnDraws.ts';

/** Replaces the scores x.theta* of all rows by random targets. */
export type Response = (stream: ColumnStream, scores: Vector) => void;

/** y = x.theta* + w, w ~ t(degrees). */
export function heavyTailedResponse(degrees: number): Response {
  requireInteger('degrees', degrees, 1);
  return (stream, scores) => stream.addStudentT(scores, degrees);
}

/** y = 1 with probability 1 / (1 + exp(-x.theta*)), otherwise 0. */
export const logisticResponse: Response = (stream, scores) => {
  for (let i = 0; i < scores.length; i++) {
    scores[i] = uniform(stream) < 1 / (1 + Math.exp(-scores[i]!)) ? 1 : 0;
  }
};

/** y = sgn(x.theta*). */
export const signResponse: Response = (_stream, scores) => {
  for (let i = 0; i < scores.length; i++) scores[i] = Math.sign(scores[i]!);
};
