import fc from 'fast-check';

let share = 1 / 4;

/** How many of all cases of a property are tried: the first quarter of them; `test/slow/laws.test.ts` tries all. */
export const casesOf = (all: number): number => Math.ceil(share * all);

/** Has every property that is asserted from now on tried on all of its cases. */
export function tryAllCases(): void {
  share = 1;
}

/** Asserts a property on 500 cases, the same ones in every run. */
export const holdsForAll = <Ts>(property: fc.IProperty<Ts>): void =>
  fc.assert(property, { seed: 1, numRuns: casesOf(500) });

/** fc.double draws bit patterns, half of them below 1e-150; a law about a range wants all of the range. */
export const uniform = (least: number, most: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 1 << 30 }).map(i => least + (i / (1 << 30)) * (most - least));
