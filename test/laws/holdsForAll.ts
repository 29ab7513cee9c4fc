import fc from 'fast-check';

/** Asserts a property on 500 cases, the same ones in every run. */
export const holdsForAll = <Ts>(property: fc.IProperty<Ts>): void => fc.assert(property, { seed: 1, numRuns: 500 });

/** fc.double draws bit patterns, half of them below 1e-150; a law about a range wants all of the range. */
export const uniform = (least: number, most: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 1 << 30 }).map(i => least + (i / (1 << 30)) * (most - least));
