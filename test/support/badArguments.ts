import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';

const bad = {
  finite: [Number.NaN, Infinity, -Infinity],
  positive: [Number.NaN, Infinity, -Infinity, 0, -1],
  atLeastZero: [Number.NaN, Infinity, -Infinity, -1],
  probability: [Number.NaN, Infinity, -Infinity, -0.5, 0, 1, 2],
  count: [Number.NaN, Infinity, -Infinity, 0, -1, 1.5],
} as const;

/** What a number may be: everything else in the list above must be refused. */
export type Kind = keyof typeof bad;

/**
 * Asserts that the call takes the good options, and that it refuses every bad value of each named one with an
 * ArgumentError that names the option and the value.
 */
export function refusesBad<Options extends object>(
  call: (options: Options) => unknown,
  good: Options,
  kinds: { readonly [Name in keyof Options]?: Kind },
): void {
  call(good);
  for (const [name, kind] of Object.entries(kinds) as [string, Kind][]) {
    for (const value of bad[kind]) {
      expect(() => call({ ...good, [name]: value }), `${name} = ${value}`).to.throw(
        ArgumentError,
        new RegExp(`^${name} must .*, got ${value}(;|$)`),
      );
    }
  }
}
