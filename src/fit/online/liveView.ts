import type { LiveEstimate, LiveOutput } from '../../sink/live/liveState.ts';
import { meaningOf } from '../../sink/page/headline.ts';
import { lossWords } from '../../sink/page/planFacts.ts';
import type { OnlineEstimate, Output } from './onlineEstimate.ts';

/** The level of intervals where the model does not say it. */
const USUAL_LEVEL = 0.95;

/**
 * An estimate of a stream as plain JSON, which pages, terminals, metrics and lines of JSON show. Of a private run it
 * holds what was released and what is public.
 */
export function liveView(estimate: OnlineEstimate): LiveEstimate {
  const { coefficients, model, chunk, rows, position, progressiveError, alarm, deadLetters, lag, notes } = estimate;
  // A simulated run draws its noise from a seed, and is in all else as a private one: it names whom it would protect.
  const isPrivate = model.ledger.private || model.ledger.unit !== undefined;
  const { epsilon, delta, mu, rho, unit, note } = model.ledger;
  return {
    target: model.target,
    loss: lossWords(model.loss),
    meaning: meaningOf(model),
    level: model.uncertainty?.level ?? USUAL_LEVEL,
    coefficients: Object.entries(coefficients).map(([name, { estimate: value, error, lower, upper, anyTime }]) => ({
      name,
      estimate: value,
      error,
      now: lower === null || upper === null ? null : [lower, upper],
      anyTime,
    })),
    chunk,
    rows: { read: rows.read, used: isPrivate ? null : rows.used },
    position,
    progressiveError: isPrivate ? null : progressiveError,
    alarm,
    deadLetters: isPrivate ? null : deadLetters,
    lag,
    notes: notes.map(({ text, isSevere }) => ({ text, isSevere })),
    privacy: isPrivate
      ? {
          epsilon,
          delta,
          rho,
          ...(mu === undefined ? {} : { mu }),
          ...(unit === undefined ? {} : { unit }),
          ...(note === undefined ? {} : { note }),
        }
      : null,
  };
}

/** An output for estimates of a stream, of one that takes them as plain JSON. */
export const viewOutput = ({ name, publish, close }: LiveOutput): Output => ({
  name,
  publish: estimate => publish(liveView(estimate)),
  close,
});
