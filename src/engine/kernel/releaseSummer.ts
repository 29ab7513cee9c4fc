import { refuse, requireInteger, requireLength, requirePositive } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import { slopeOfSlope } from '../../method/loss/loss.ts';
import { HISTOGRAM_BINS, type ReleaseQuestion, triangleSize } from '../../method/rule/pooled.ts';
import { requireBatch, type SampleBatch } from '../../sample/sampleBatch.ts';
import type { BlockSummer } from './blockSummer.ts';
import type { Quantization } from './integerSummer.ts';
import { tilesOf } from './tiles.ts';
import { wholeSummer } from './wholeSummer.ts';

/** What a release of a stream sums: the rule's question, and how rows become integers. */
export interface ReleaseRequest extends Pick<Quantization, 'squaredNorm'> {
  readonly question: ReleaseQuestion;
  /** The number of features. */
  readonly features: number;
  /** The number of rows. */
  readonly rows: number;
}

/**
 * What a private stream releases about the rows of a chunk, as integers. Every contribution is divided by the norm that
 * the question states, so that all kinds have the same grid, 1/sqrt(B2), and take the same noise:
 *
 *   moments    f u u'/N,  u = (x, 1, y/Y),  f = min(1, N/|u|^2)
 *   histogram  one-hot A at the bin of |y - s|,  A = floor(sqrt(2 B2))
 *   look       w^2 psi'(s, y) z z'/(C^2 max psi'),  w = min(1, C/|z|)
 *   gradient   w psi(s, y) z/(C max psi)
 *
 *   x -> a row in its declared bounds, z = (M x + c, 1) -> the row in the question's coordinates, s = z.at, N -> norm,
 *   Y -> targetUnit, C -> cap, B2 -> squaredNorm, M -> matrix, c -> shift
 *
 * Of a symmetric matrix the upper triangle is summed, row by row, with off-diagonal entries multiplied by sqrt(2), so
 * that it has the norm of the whole matrix.
 *
 * Guarantee. Whatever a row holds and wherever the question is asked, replacing the row moves the sums by at most
 * 2 sqrt(B2), exactly. Moments, looks and gradients are held to |q|^2 <= B2 by an integer check (`wholeRows.ts`). A row
 * of the histogram adds A to one number or to none, so a replaced row moves it by at most sqrt(2) A <= 2 sqrt(B2). Rows
 * with weight 0 add nothing, and neither do those whose contribution is not a number.
 */
export function releaseSummer({ question, features, rows, squaredNorm }: ReleaseRequest): BlockSummer {
  const grid = 1 / Math.sqrt(requireInteger('squaredNorm', squaredNorm, 1, 2 ** 52));
  if (question.asks === 'histogram') return histogramSummer(question, { features, rows, squaredNorm, grid });
  const { asks } = question;
  const shape = { features, rows, grid, squaredNorm };
  const unit = Math.sqrt(squaredNorm);
  if (asks === 'moments') {
    const norm = requirePositive('norm', question.norm);
    const u = new Float64Array(features + 2).fill(1);
    return wholeSummer({ ...shape, numbers: triangleSize(u.length) }, (values, batch, i) => {
      if (!counts(batch, i)) return void values.fill(0);
      for (let j = 0; j < features; j++) u[j] = batch.columns[j]![i]!;
      u[features + 1] = batch.target[i]! / question.targetUnit;
      let squares = 0;
      for (let j = 0; j < u.length; j++) squares += u[j]! * u[j]!;
      writeOuter(values, u, (Math.min(1, norm / squares) * unit) / norm);
    });
  }
  const { loss, at, cap, most } = question;
  const row = whiteRow(question, features);
  const perUnit = unit / (requirePositive('cap', cap) * requirePositive('most', most));
  if (asks === 'gradient') {
    return wholeSummer({ ...shape, numbers: at.length }, (values, batch, i) => {
      if (!counts(batch, i)) return void values.fill(0);
      const { z, length, score } = row(batch, i);
      const factor = Math.min(1, cap / length) * loss.slope(score, batch.target[i]!) * perUnit;
      for (let j = 0; j < values.length; j++) values[j] = factor * z[j]!;
    });
  }
  return wholeSummer({ ...shape, numbers: triangleSize(at.length) }, (values, batch, i) => {
    if (!counts(batch, i)) return void values.fill(0);
    const { z, length, score } = row(batch, i);
    const weight = Math.min(1, cap / length);
    writeOuter(values, z, (weight * weight * slopeOfSlope(loss, score, batch.target[i]!) * perUnit) / cap);
  });
}

const counts = ({ weights }: SampleBatch, i: number): boolean => weights === undefined || weights[i]! > 0;

/** The height of a histogram's row, in steps: no larger one keeps a replaced row within 2 sqrt(B2). */
export const histogramHeight = (squaredNorm: number): number => {
  const height = Math.floor(Math.sqrt(2 * squaredNorm));
  return height * height <= 2 * squaredNorm ? height : height - 1;
};

function histogramSummer(
  question: Extract<ReleaseQuestion, { asks: 'histogram' }>,
  { features, rows, squaredNorm, grid }: Omit<ReleaseRequest, 'question'> & { readonly grid: number },
): BlockSummer {
  const height = histogramHeight(squaredNorm);
  if (!(rows * height < 2 ** 53)) refuse('rows', `stay below ${Math.floor(2 ** 53 / height)}`, rows);
  const sums = new Float64Array(HISTOGRAM_BINS);
  const tiles = tilesOf(1, rows);
  const row = whiteRow(question, features);
  return {
    add(batch) {
      requireBatch(batch, features);
      const addRows = (start: number, count: number): void => {
        for (let i = start; i < start + count; i++) {
          const bin = counts(batch, i) ? binOf(Math.abs(batch.target[i]! - row(batch, i).score)) : NaN;
          if (bin >= 0) sums[bin]! += height;
        }
      };
      return tiles.take(batch.rows, addRows, () => {});
    },
    finish() {
      tiles.requireFull();
      const squaredShift = 2 * height * height;
      return { sums, blocks: 1, rowsPerBlock: rows, privacy: 'raw', grid, squaredNorm, squaredShift };
    },
  };
}

/** Half-octave bins from 2^-11 to 2; smaller residuals are in bin 0, larger ones in the last. NaN is in none. */
const binOf = (size: number): number =>
  Math.min(HISTOGRAM_BINS - 1, Math.max(0, Math.floor(2 * Math.log2(size) + 22) + 1));

interface WhiteRow {
  readonly z: Vector;
  length: number;
  score: number;
}

/** Reads rows in the question's coordinates, into the same memory each time. */
function whiteRow(
  { at, matrix, shift, intercept }: Exclude<ReleaseQuestion, { asks: 'moments' }>,
  features: number,
): (batch: SampleBatch, i: number) => WhiteRow {
  requireLength('at', at, features + (intercept ? 1 : 0));
  requireLength('matrix', matrix, features * features);
  requireLength('shift', shift, features);
  const own = new Float64Array(features);
  const row: WhiteRow = { z: new Float64Array(at.length).fill(1), length: 0, score: 0 };
  const { z } = row;
  return ({ columns }, i) => {
    for (let j = 0; j < features; j++) own[j] = columns[j]![i]!;
    let squares = intercept ? 1 : 0;
    let score = intercept ? at[features]! : 0;
    for (let j = 0, place = 0; j < features; j++) {
      let sum = shift[j]!;
      for (let l = 0; l < features; l++) sum += matrix[place++]! * own[l]!;
      z[j] = sum;
      squares += sum * sum;
      score += sum * at[j]!;
    }
    row.length = Math.sqrt(squares);
    row.score = score;
    return row;
  };
}

/** factor * u u', its upper triangle row by row with off-diagonal entries times sqrt(2). */
function writeOuter(values: Float64Array, u: Vector, factor: number): void {
  let place = 0;
  for (let a = 0; a < u.length; a++) {
    const single = factor * u[a]!;
    const twice = Math.SQRT2 * single;
    values[place++] = single * u[a]!;
    for (let b = a + 1; b < u.length; b++) values[place++] = twice * u[b]!;
  }
}
