import { expectSameMedian, type Runs } from './figureVectors.ts';

/** Asserts that the runs of a figure have the reference medians, for every series at every x. */
export function reproduces(
  figure: string,
  { run, series, xs }: { run: () => Runs; series: readonly string[]; xs: readonly number[] },
): void {
  describe(`figure ${figure}`, () => {
    let runs: Runs;
    before(function () {
      this.timeout(0);
      runs = run();
    });
    for (const name of series) {
      it(`has the reference's median error of ${name} at ${xs.join(', ')}`, () => {
        for (const x of xs) expectSameMedian(figure, name, x, runs.sample(name, x));
      });
    }
  });
}

/** Every name with every kind: 'GD eps=0.1', 'GD eps=0.9', 'AGD eps=0.1', ... */
export const each = (names: readonly string[], kinds: readonly string[]): string[] =>
  names.flatMap(name => kinds.map(kind => `${name} ${kind}`));
