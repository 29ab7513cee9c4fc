import { refuse, requireInteger, requirePositive } from '../errors.ts';

/**
 * The rows of a release: a chunk's index, or all; or `each` for one of endlessly many chunks that share no row, such as
 * those of a stream, which a ledger does not tell apart.
 */
export type RowSet = number | 'all' | 'each';

/** One release of a run, as a frozen record that a ledger interprets. */
export type PrivacyEvent =
  | {
      readonly kind: 'gaussian';
      readonly chunk: RowSet;
      readonly sensitivity: number;
      readonly sigma: number;
      readonly mu: number;
    }
  | { readonly kind: 'nonPrivate'; readonly chunk: RowSet; readonly reason: string };

/**
 * The releases of a run, as frozen records that a ledger interprets.
 *
 *   gaussian    a quantity of sensitivity `sensitivity`, noised with standard deviation `sigma`; mu = sensitivity / sigma
 *   nonPrivate  anything that is not protected, or whose noise can be predicted: epsilon is infinite
 *
 * A sensitivity of 0 is refused: a quantity that no record can move is not a release, so a 0 indicates a mistake
 * elsewhere. `chunk` names the rows that the release was computed from: a chunk's index, 'all' for a full batch, or
 * 'each' for a chunk of an endless stream. Different chunks hold different rows.
 */
export function gaussianEvent({
  chunk,
  sensitivity,
  sigma,
}: {
  readonly chunk: RowSet;
  readonly sensitivity: number;
  readonly sigma: number;
}): PrivacyEvent {
  requirePositive('sensitivity', sensitivity);
  requirePositive('sigma', sigma);
  return Object.freeze({
    kind: 'gaussian',
    chunk: requireRowSet(chunk),
    sensitivity,
    sigma,
    mu: sensitivity / sigma,
  });
}

/** The record of something that is not protected, and why: it makes the epsilon of the run infinite. */
export function nonPrivateEvent({ chunk, reason }: { readonly chunk: RowSet; readonly reason: string }): PrivacyEvent {
  return Object.freeze({ kind: 'nonPrivate', chunk: requireRowSet(chunk), reason });
}

function requireRowSet(chunk: RowSet): RowSet {
  if (chunk === 'all' || chunk === 'each') return chunk;
  return typeof chunk === 'number'
    ? requireInteger('chunk', chunk, 0)
    : refuse('chunk', 'be an index, "all" or "each"', chunk);
}
