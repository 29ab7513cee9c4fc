import { integerBelow, type Random, rademacher, uniformBetween } from '../../math/random/random.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Scaling } from '../../sample/transform/scaling.ts';

export interface Row {
  readonly features: readonly number[];
  readonly target: number;
  readonly weight: number;
}

export interface Adversary {
  /**
   * An initial data set; `kind` cycles through its types. Some have runs of similar rows, ideally as long as a block.
   */
  rows(count: number, kind: number, runLength: number): SampleBatch;
  /** A row to put into one; `kind` cycles through its types. */
  row(kind: number): Row;
  /** A row that is probably invalid. */
  oddRow(): Row;
}

const ODD = [NaN, Infinity, -Infinity, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, -0, 0, 2 ** 53, 1e-300];
const ODD_WEIGHTS = [0, -1, 1e6, NaN, Infinity, -Infinity];

/**
 * Rows chosen to be as far from each other as the declared bounds allow, and further: ends of the bounds, their mirror
 * images, rows outside, and all kinds of doubles.
 */
export function adversary({ features: axes, targetBounds, byNorm }: Scaling, random: Random): Adversary {
  const { least, most } = targetBounds;
  const oneOf = <T>(values: readonly T[]): T => values[integerBelow(random, values.length)]!;
  const signs = (): number[] => axes.map(() => rademacher(random));
  const inside = (): number[] => axes.map(() => uniformBetween(random, -1, 1));
  const middle = (): number => uniformBetween(random, least, most);
  // With a target of 0 the gradient at the start would vanish.
  const steepest = Math.abs(least) > Math.abs(most) ? least : most;
  const end = (): number => oneOf([least, most]);
  /** `units` are multiples of the declared bounds: 1 is their end. */
  const rowAt = (units: readonly number[], target: number, weight = 1): Row => {
    const length = byNorm ? Math.hypot(...units) || 1 : 1;
    const reach = Math.max(...units.map(Math.abs)) > 1 ? 1 : length;
    return {
      features: axes.map(({ centre, scale }, j) => centre + (scale * units[j]!) / reach),
      target,
      weight,
    };
  };
  const without = (units: readonly number[]): number[] => {
    const left = integerBelow(random, units.length);
    return units.map((unit, j) => (j === left ? uniformBetween(random, -1e-3, 1e-3) : unit));
  };

  let corner = signs();
  const mirrored = (): number[] => corner.map(unit => -unit);
  // In turn, so that none is skipped.
  let odd = 0;
  const oddRow = (): Row => {
    const kind = odd++;
    const turn = Math.floor(kind / 3);
    const row = rowAt(corner, end());
    if (kind % 3 === 0) return { ...row, target: ODD[turn % ODD.length]! };
    if (kind % 3 === 1) return { ...row, weight: ODD_WEIGHTS[turn % ODD_WEIGHTS.length]! };
    const place = Math.floor(turn / ODD.length) % axes.length;
    return { ...row, features: row.features.map((own, j) => (j === place ? ODD[turn % ODD.length]! : own)) };
  };
  const kinds: readonly (() => Row)[] = [
    () => {
      corner = signs();
      return rowAt(corner, end());
    },
    () => rowAt(corner, end()),
    () => rowAt(mirrored(), least),
    () => rowAt(mirrored(), most),
    () => rowAt(without(corner), end()),
    () => rowAt(without(mirrored()), end()),
    () => rowAt(inside(), middle()),
    () =>
      rowAt(
        corner.map(unit => unit * 10 ** uniformBetween(random, 0, 300)),
        end(),
      ),
    () => rowAt(corner, end() * 10 ** uniformBetween(random, 0, 300)),
    () => oddRow(),
  ];
  /**
   * Runs of rows at two opposite corners: block means far apart on a line, where the geometric median hinges on the
   * last digit.
   */
  const poles = (count: number, runLength: number): (() => Row) => {
    const [pole, other] = [signs(), signs()];
    const jitter = 10 ** uniformBetween(random, -9, -2);
    const runs = Math.floor(count / runLength);
    let place = 0;
    return () => {
      const run = Math.floor(place++ / runLength);
      const side = run % 2 === 0 ? 1 : -1;
      const own = runs % 2 === 1 && run === runs - 1 ? other : pole.map(unit => side * unit);
      return rowAt(
        own.map(unit => unit * (1 - jitter * uniformBetween(random, 0, 1))),
        steepest,
      );
    };
  };
  const bases: readonly ((count: number, runLength: number) => () => Row)[] = [
    poles,
    () => () => rowAt(inside(), middle()),
    count => poles(count, 1),
    () => () => kinds[integerBelow(random, kinds.length)]!(),
  ];
  return {
    row: kind => kinds[kind % kinds.length]!(),
    oddRow,
    rows(count, kind, runLength) {
      const make = bases[kind % bases.length]!(count, runLength);
      return batchOf(Array.from({ length: count }, make), axes.length);
    },
  };
}

function batchOf(rows: readonly Row[], features: number): SampleBatch {
  return {
    rows: rows.length,
    columns: Array.from({ length: features }, (_, j) => Float64Array.from(rows, row => row.features[j]!)),
    target: Float64Array.from(rows, row => row.target),
    weights: Float64Array.from(rows, row => row.weight),
  };
}

/** The same data set with different rows in some places. */
export function replaced(batch: SampleBatch, places: readonly number[], rows: readonly Row[]): SampleBatch {
  const put = (column: Float64Array, read: (row: Row) => number): Float64Array => {
    const changed = column.slice();
    places.forEach((place, i) => {
      changed[place] = read(rows[i]!);
    });
    return changed;
  };
  return {
    rows: batch.rows,
    columns: batch.columns.map((column, j) => put(column, row => row.features[j]!)),
    target: put(batch.target, row => row.target),
    weights: put(batch.weights ?? new Float64Array(batch.rows).fill(1), row => row.weight),
  };
}
