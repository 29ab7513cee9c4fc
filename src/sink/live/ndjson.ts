import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { LiveEstimate, LiveOutput } from './liveState.ts';

/** The estimate as one line of JSON, coefficients by name. Numbers that JSON cannot hold are null. */
export function estimateLine({ coefficients, ...rest }: LiveEstimate): string {
  const byName = coefficients.map(({ name, ...known }) => [name, known] as const);
  return `${JSON.stringify({ ...rest, coefficients: Object.fromEntries(byName) })}\n`;
}

/** Writes one line of JSON for every estimate, and waits while the reader is slow. */
export const ndjsonOutput = (stream: Writable): LiveOutput => ({
  name: 'lines of JSON',
  publish: async estimate => {
    if (!stream.write(estimateLine(estimate)) && !stream.destroyed) {
      await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
    }
  },
  close: async () => {},
});
