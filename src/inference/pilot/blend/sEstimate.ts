import { symmetricEigen } from '../../../math/symmetricEigen.ts';
import { dot, type Vector, zeros } from '../../../math/vector.ts';
import { exceeds, HALF, MOST, mScale, S_TUNING } from './mScale.ts';
import type { RowsAtHand } from './rowsAtHand.ts';

/** An estimate with the M-scale of its residuals. */
export interface Scaled {
  readonly d: Vector;
  readonly scale: number;
}

/**
 * The S-estimate of a sample (Rousseeuw and Yohai 1984): the coefficients whose residuals have the least M-scale. The scale
 * has many local minima, so that the best of many starts are refined. They are compared by the scale of MOST, beside which
 * 45 % of the rows may be anything; the scale that is returned is that of HALF.
 *
 * Starts are those given, and elemental fits: each goes exactly through as many rows as there are coefficients. `from`
 * is the first row that they take, in the order of the sample.
 */
export function sEstimate(
  sample: RowsAtHand,
  given: readonly Vector[],
  options: { readonly elemental: number; readonly from: number; readonly least: number },
): Scaled {
  const search = searchOf(sample, options.least);
  const { d, scale } = bestOf(sample, given, { ...options, search, concentrations: 0 })
    .map(start => refined(sample, start, search))
    .reduce((best, other) => (other.scale < best.scale ? other : best));
  return { d, scale: search.scaleOf(d, { share: HALF, guess: scale }) };
}

/** The best elemental fits, each after steps towards the rows near it: far rows make a fit precise that is not the best. */
export const elementalStarts = (
  sample: RowsAtHand,
  { elemental, least }: { readonly elemental: number; readonly least: number },
): readonly Vector[] =>
  bestOf(sample, [], {
    elemental,
    from: 0,
    search: searchOf(sample, least),
    concentrations: CONCENTRATIONS,
  }).map(({ d }) => d);

/** After two most of what refinement changes is done (Salibian-Barrera and Yohai 2006). */
const CONCENTRATIONS = 2;

/** Before refinement the best start is not always the one that ends best. */
const KEPT = 5;

interface Search {
  readonly limit: number;
  readonly least: number;
  /** The scale at which rho has this share of its largest mean; that of MOST unless given. */
  scaleOf(d: Vector, options?: { readonly share?: number; readonly guess?: number }): number;
}

function searchOf(sample: RowsAtHand, least: number): Search {
  const { rows, size, counts } = sample;
  const free = Math.max(LEAST_SHARE, 1 - size / rows);
  return {
    limit: MOST * free * counts.reduce((sum, count) => sum + count, 0),
    least,
    scaleOf(d, { share = MOST, guess: near } = {}) {
      const residuals = sample.residuals(d);
      const guess = near ?? meanSize(residuals);
      return Math.max(least, guess > 0 ? mScale(residuals, counts, { rows, wanted: share * free, guess }) : 0);
    },
  };
}

/** The KEPT best of the given starts and of elemental fits, best first. */
function bestOf(
  sample: RowsAtHand,
  given: readonly Vector[],
  {
    elemental,
    from,
    search,
    concentrations,
  }: { readonly elemental: number; readonly from: number; readonly search: Search; readonly concentrations: number },
): readonly Scaled[] {
  const { counts } = sample;
  const { limit, scaleOf } = search;
  const found: Scaled[] = [];
  const consider = (d: Vector): void => {
    const last = found.length < KEPT ? undefined : found.at(-1)!.scale;
    if (last !== undefined && exceeds(sample.residuals(d), counts, { scale: last, limit })) return;
    const scale = scaleOf(d, last === undefined ? {} : { guess: last });
    if (last !== undefined && !(scale < last)) return;
    if (last !== undefined) found.pop();
    found.push({ d: d.slice(), scale });
    found.sort((a, b) => a.scale - b.scale);
  };
  given.forEach(consider);
  const draw = elementalFits(sample, from);
  for (let k = 0; k < elemental; k++) {
    const d = draw();
    if (d === null) break;
    for (let step = 0; step < concentrations; step++) {
      sample.step(d, { kind: 'tukey', parameter: S_TUNING * scaleOf(d) }, counts);
    }
    consider(d);
  }
  return found;
}

/** Where there are hardly more rows than coefficients, the scale would be that of rounding. */
export const LEAST_SHARE = 0.1;

/** Iteratively reweighted least squares lowers the scale in every round. */
function refined(sample: RowsAtHand, { d: from, scale: first }: Scaled, { least, scaleOf }: Search): Scaled {
  const { rows, size, counts } = sample;
  const d = from.slice();
  let scale = first;
  for (let round = 0; round < REFINEMENTS && scale > least; round++) {
    const squareStep = sample.step(d, { kind: 'tukey', parameter: S_TUNING * scale }, counts);
    scale = scaleOf(d, { guess: scale });
    if (!(squareStep > SETTLED * (size / rows) * scale ** 2)) break;
  }
  return { d, scale };
}

/** What is left after them is far below the movement from one sample to another. */
const REFINEMENTS = 30;

/** Of the variance of a fit: a hundredth of a standard error. */
export const SETTLED = 1e-4;

function meanSize(residuals: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < residuals.length; i++) sum += Math.abs(residuals[i]!);
  return sum / residuals.length;
}

/**
 * Fits through as many rows as there are coefficients, one set of rows after another. A row that says nothing beyond
 * those before it, as one more of the same level does, is passed over. Null once a pass over all rows finds no set.
 */
function elementalFits({ rows, size, target, weights, valueAt }: RowsAtHand, from: number): () => Vector | null {
  let place = from % rows;
  const system = new Float64Array(size * (size + 1));
  const own = new Float64Array(size + 1);
  const pivots = new Int32Array(size);
  return () => {
    let rank = 0;
    for (let looked = 0; rank < size; looked++) {
      if (looked === rows) return null;
      const row = place;
      place = (place + 1) % rows;
      if (weights[row] === 0) continue;
      let largest = 0;
      for (let j = 0; j < size; j++) {
        own[j] = valueAt(row, j);
        largest = Math.max(largest, Math.abs(own[j]!));
      }
      own[size] = target[row]!;
      for (let m = 0; m < rank; m++) {
        const factor = own[pivots[m]!]!;
        if (factor === 0) continue;
        for (let j = 0; j <= size; j++) own[j]! -= factor * system[m * (size + 1) + j]!;
        own[pivots[m]!] = 0;
      }
      let pivot = 0;
      for (let j = 1; j < size; j++) if (Math.abs(own[j]!) > Math.abs(own[pivot]!)) pivot = j;
      const divisor = own[pivot]!;
      if (!(Math.abs(divisor) > NEW * largest)) continue;
      for (let j = 0; j <= size; j++) system[rank * (size + 1) + j] = own[j]! / divisor;
      pivots[rank++] = pivot;
    }
    const d = zeros(size);
    for (let m = size - 1; m >= 0; m--) {
      let value = system[m * (size + 1) + size]!;
      for (let n = m + 1; n < size; n++) value -= system[m * (size + 1) + pivots[n]!]! * d[pivots[n]!]!;
      d[pivots[m]!] = value;
    }
    return d;
  };
}

/** Of the largest value of a row: what is left beside the rows before it. */
const NEW = 1e-6;

/**
 * Starts for many coefficients, where a set of rows without outliers is hardly ever drawn (Pena and Yohai 1999): the
 * directions v in which leaving out single rows moves least squares most are found, and the half of the rows that is
 * highest, lowest or furthest along each is left out.
 *
 *   v -> eigenvectors of mean of (e_i/(1 - h_i))^2 z_i z_i',   z -> whitened rows, e -> residuals, h -> leverages
 */
export function deterministicStarts(sample: RowsAtHand): readonly Vector[] {
  const { rows, size, weights, valueAt } = sample;
  const all = leastSquares(sample, weights);
  const { whitened, leverages } = whitenedRows(sample);
  const residuals = sample.residuals(all).slice();
  const moments = new Float64Array(size * size);
  for (let i = 0; i < rows; i++) {
    const moved = weights[i]! * (residuals[i]! / Math.max(LEAST_SHARE, 1 - leverages[i]!)) ** 2;
    for (let j = 0; j < size; j++) {
      for (let k = 0; k < size; k++)
        moments[j * size + k]! += moved * whitened[i * size + j]! * whitened[i * size + k]!;
    }
  }
  return [
    all,
    ...symmetricEigen(symmetrized(moments, size), size).flatMap(({ vector }) => {
      const along = new Float64Array(rows);
      for (let i = 0; i < rows; i++) along[i] = dot(vector, whitened.subarray(i * size, (i + 1) * size));
      const middle = along.slice().sort()[rows >> 1]!;
      const far = along.map(place => Math.abs(place - middle)).sort()[rows >> 1]!;
      return [
        (place: number) => place <= middle,
        (place: number) => place >= middle,
        (place: number) => Math.abs(place - middle) <= far,
      ].map(keeps =>
        leastSquares(
          sample,
          weights.map((weight, i) => (keeps(along[i]!) ? weight : 0)),
        ),
      );
    }),
  ];

  function whitenedRows(of: RowsAtHand) {
    const { matrix } = { matrix: new Float64Array(size * size) };
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < size; j++)
        for (let k = 0; k <= j; k++) matrix[j * size + k]! += weights[i]! * valueAt(i, j) * valueAt(i, k);
    }
    for (let j = 0; j < size; j++) {
      for (let k = 0; k <= j; k++) {
        let sum = matrix[j * size + k]!;
        for (let m = 0; m < k; m++) sum -= matrix[j * size + m]! * matrix[k * size + m]!;
        matrix[j * size + k] = k < j ? sum / matrix[k * size + k]! : Math.sqrt(sum > 0 ? sum : Infinity);
      }
    }
    const whitened = new Float64Array(of.rows * size);
    const leverages = new Float64Array(of.rows);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < size; j++) {
        let value = valueAt(i, j);
        for (let k = 0; k < j; k++) value -= matrix[j * size + k]! * whitened[i * size + k]!;
        value /= matrix[j * size + j]!;
        whitened[i * size + j] = value;
        leverages[i]! += weights[i]! * value * value;
      }
    }
    return { whitened, leverages };
  }
}

function symmetrized(matrix: Float64Array, size: number): Float64Array {
  return matrix.map((_, at) => {
    const [i, j] = [Math.floor(at / size), at % size];
    return matrix[Math.max(i, j) * size + Math.min(i, j)]!;
  });
}

function leastSquares(sample: RowsAtHand, weights: Float64Array): Vector {
  const d = zeros(sample.size);
  sample.step(d, { kind: 'squared', parameter: 0 }, weights);
  return d;
}
