/** Estimates of a stream as a run would publish them, for pages, terminals and metrics. */
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import type { LiveEstimate, LiveFacts } from '../../src/sink/live/liveState.ts';

export const liveFacts: LiveFacts = { source: 'nats://127.0.0.1/trips', target: 'fare', isPrivate: false };

export const privateFacts: LiveFacts = { ...liveFacts, isPrivate: true };

/** Units that differ by eleven powers of ten, and one feature that says nothing. */
const truths: Readonly<Record<string, readonly [estimate: number, error: number]>> = {
  distance: [0.0121, 0.002],
  hour: [-1.25, 0.3],
  weekday: [0.001, 0.08],
  'town=Bath': [12345.6, 3000],
  share: [2.5e-8, 4e-9],
  '(intercept)': [-7.5, 0.5],
};

const CHUNK_ROWS = 1000;

/** The estimate after a chunk: errors shrink as rows come. The same chunk is always the same estimate. */
export function liveEstimate(
  chunk: number,
  changes: Partial<LiveEstimate> = {},
  names = Object.keys(truths),
): LiveEstimate {
  const random = seeded(chunk, 'live estimates');
  const draw = () => normal(random);
  const rows = CHUNK_ROWS * (chunk + 1);
  return {
    target: 'fare',
    loss: 'pseudo-Huber, q = 1.5',
    meaning: 'One more unit of a feature adds its estimate to fare, with all other features held constant.',
    level: 0.95,
    coefficients: names.map((name, j) => {
      const [truth, spread] = truths[name] ?? [1, 0.1];
      const error = spread / Math.sqrt(chunk + 1);
      const estimate = truth + 1.2 * error * Math.sin(j + 4 * Math.log(chunk + 1));
      const ends = (width: number) => [estimate - width * error, estimate + width * error] as const;
      return { name, estimate, error, now: ends(1.96), anyTime: chunk < 2 ? null : ends(3.3) };
    }),
    chunk,
    rows: { read: rows + 12, used: rows },
    position: { after: rows, rows: 0 },
    progressiveError: { chunk: 0.8 + 0.05 * draw(), all: 0.8 + 0.3 / (chunk + 1) },
    alarm: null,
    deadLetters: 12,
    lag: 340,
    notes: [],
    privacy: null,
    ...changes,
  };
}

/** The same of a private run, in which some forbidden numbers were forgotten. */
export const privateEstimate = (chunk: number): LiveEstimate =>
  liveEstimate(chunk, { privacy: { epsilon: 1, delta: 1e-6, mu: 0.21, rho: 0.022, unit: 'row' } });
