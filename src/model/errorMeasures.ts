import { moments } from '../math/moments.ts';
import { quantileSketch } from '../math/quantileSketch.ts';

/** How far predictions of a number are from it. */
export interface Errors {
  /** 1 - squared error / squared deviation of the target from its mean; null where the target is constant. */
  readonly r2: number | null;
  readonly meanAbsolute: number;
  readonly rootMeanSquare: number;
  /** Of the absolute error. The quantiles are right to 1/128 of themselves, the ends exact. */
  readonly absolute: {
    readonly least: number;
    readonly median: number;
    readonly p90: number;
    readonly p99: number;
    readonly most: number;
  };
}

export interface ErrorMeasures {
  add(prediction: number, target: number, weight: number): void;
  /** Asks for at least one row. */
  result(): Errors;
}

export function errorMeasures(): ErrorMeasures {
  const target = moments();
  const absolute = moments();
  const square = moments();
  const sketch = quantileSketch();
  const ends = { least: Infinity, most: 0 };
  return Object.freeze({
    add(prediction: number, y: number, weight: number) {
      const error = Math.abs(prediction - y);
      target.add(y, weight);
      absolute.add(error, weight);
      square.add(error ** 2, weight);
      sketch.add(error, weight);
      ends.least = Math.min(ends.least, error);
      ends.most = Math.max(ends.most, error);
    },
    result() {
      const quantile = (share: number): number => sketch.quantile(share).value;
      return Object.freeze({
        r2: target.squares === 0 ? null : 1 - (square.weight * square.mean) / target.squares,
        meanAbsolute: absolute.mean,
        rootMeanSquare: Math.sqrt(square.mean),
        absolute: Object.freeze({
          ...ends,
          median: quantile(0.5),
          p90: quantile(0.9),
          p99: quantile(0.99),
        }),
      });
    },
  });
}
