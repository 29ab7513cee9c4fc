import { figureByName } from '../../src/lab/paper/exhibits.ts';
import { runFigure } from '../../src/lab/paper/runFigure.ts';
import { expectSameMedian } from './figureVectors.ts';

/**
 * Asserts that the primary reading of a figure has the reference medians over seeds 0, 1, ..., for every series at
 * every x: n unless given.
 */
export function reproduces(
  name: string,
  {
    sizes,
    seeds,
    series,
    xs = sizes,
  }: {
    readonly sizes: readonly number[];
    readonly seeds: number;
    readonly series: readonly string[];
    readonly xs?: readonly number[];
  },
): void {
  describe(`figure ${name}`, () => {
    const samples = new Map<string, number[]>();
    before(async function () {
      this.timeout(0);
      for (let seed = 0; seed < seeds; seed++) {
        const points = await runFigure(figureByName(name), seed, { reading: 'primary', sizes });
        for (const { series, x, value } of points) {
          const key = `${series} at ${x}`;
          samples.set(key, [...(samples.get(key) ?? []), value]);
        }
      }
    });
    for (const one of series) {
      it(`has the reference's median error of ${one} at ${xs.join(', ')}`, () => {
        for (const x of xs) expectSameMedian(name, one, x, samples.get(`${one} at ${x}`) ?? []);
      });
    }
  });
}

/** Every name with every kind: 'GD eps=0.1', 'GD eps=0.9', 'AGD eps=0.1', ... */
export const each = (names: readonly string[], kinds: readonly string[]): string[] =>
  names.flatMap(name => kinds.map(kind => `${name} ${kind}`));
