/**
 * Reference medians of the paper's figures, from an independent implementation, and the test that a sample of ours has
 * the same median: within 3 standard errors of the difference. The error of a median is 1.2533 s/sqrt(seeds), s by the
 * quartiles, of both sides.
 *
 * Our samples are those of seeds 0, 1, 2, ..., so a comparison has one outcome for ever. For seeds drawn afresh a right
 * implementation would leave 3 standard errors in some 0.5 % of the cells (0.27 % if the quartiles of 20 to 50 values
 * were exact): of the 118 cells compared in all, one or more in about every other draw.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

export interface Cell {
  readonly median: number;
  readonly q25: number;
  readonly q75: number;
  readonly seeds: number;
}

const cells = new Map(
  readFileSync(new URL('../vectors/figures.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => {
      const [figure, , series, x, ...numbers] = line.split(',');
      const [median, q25, q75, seeds] = numbers.map(Number) as [number, number, number, number];
      return [`${figure}, ${series}, ${x}`, { median, q25, q75, seeds }] as const;
    }),
);

export function referenceCell(figure: string, series: string, x: number): Cell {
  return cells.get(`${figure}, ${series}, ${x}`) ?? expect.fail(`no vector for ${figure}, ${series}, ${x}`);
}

export function cellOf(sample: readonly number[]): Cell {
  const sorted = sample.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
    return low + (place - Math.floor(place)) * (high - low);
  };
  return { median: at(1 / 2), q25: at(1 / 4), q75: at(3 / 4), seeds: sample.length };
}

const medianError = ({ q25, q75, seeds }: Cell): number => (1.2533 * (q75 - q25)) / 1.349 / Math.sqrt(seeds);

/** How many standard errors our median is above the reference; the reference has 6 digits. */
export function deviation(figure: string, series: string, x: number, sample: readonly number[]): number {
  const [ours, theirs] = [cellOf(sample), referenceCell(figure, series, x)];
  const error = Math.hypot(medianError(ours), medianError(theirs), 5e-6 * Math.abs(theirs.median));
  return (ours.median - theirs.median) / error;
}

export function expectSameMedian(figure: string, series: string, x: number, sample: readonly number[]): void {
  expect(deviation(figure, series, x, sample), `${figure}, ${series}, ${x}`).to.be.within(-3, 3);
}
