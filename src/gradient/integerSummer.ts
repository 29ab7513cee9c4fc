/**
 * The reference kernel for sums of whole numbers, which noise can be added to without a floating-point leak: per block, the sum
 * over its rows of the row's gradient g on a grid.
 *
 *   g = weight * slope(x.theta, y) * x, shrunk to norm `clip` where it is longer
 *   q_j = floor(g_j / grid + dither(row, j))
 *   where ||q||^2 > squaredNorm: q shrunk to that norm and cut toward 0; a q with NaN, infinities or a square that overflows: 0
 *
 * Guarantee. ||q||^2 <= squaredNorm for every row, whatever it holds, so replacing one row moves a block's sum by at most
 * 2 sqrt(squaredNorm), exactly. The check is a comparison of doubles, and exact: squaredNorm is at most 2^52; as long as a sum
 * of squares is below 2^53 it is a whole number without rounding, and once it is not, neither rounding nor further squares
 * bring it back. NaN and infinities are not at most anything. What is shrunk is checked again.
 *
 * The dither spreads what rounding takes and gives evenly: for each coordinate it is a rotation by the golden ratio from row to
 * row, of all rotations the most even, so the error of a sum of equal gradients stays a few steps of the grid however many rows
 * there are, where half a step each would add up. Every coordinate starts at a place of its own, so their errors differ. It knows
 * a row by its place in the chunk, which no data decide.
 *
 * Sums are whole and below 2^53, so they are the same in any order. Losses with a compiled kernel have its slopes here, bit for
 * bit, and the operations of wasm/assembly/integers.ts are these: both give the same sums.
 */
import { refuse, requireInteger, requirePositive, requireVector } from '../math/check.ts';
import { requireBatch, type SampleBatch } from '../sample/sampleBatch.ts';
import type { BlockRequest, BlockSummer } from './blockSummer.ts';
import { kernelSlope } from './kernelSlope.ts';
import { tilesOf } from './tiles.ts';

/** How gradients become whole numbers; an `IntegerNoise` has the first two. */
export interface Quantization {
  /** The step of the grid. */
  readonly grid: number;
  /** The largest squared norm of one row, in steps: from 1 to 2^52. */
  readonly squaredNorm: number;
  /** The largest norm of a gradient before that; none unless given. */
  readonly clip?: number;
}

export type IntegerRequest = BlockRequest & Quantization;

/** From row to row, the golden ratio; from coordinate to coordinate, the square root of 2. */
const PER_ROW = 0.6180339887498949;
const PER_COORDINATE = 0.41421356237309503;
/** Takes a little more than the roundings of the factor it goes with, so that what is shrunk passes. */
const SHRINKAGE = 1 - 1e-9;

export function integerSummer(request: IntegerRequest): BlockSummer {
  const { loss, at, blocks, rowsPerBlock, intercept = false } = request;
  const size = requireVector('at', at).length;
  const features = intercept ? size - 1 : size;
  const slope = loss.kernel === undefined ? loss.slope.bind(loss) : kernelSlope(loss.kernel);
  const tiles = tilesOf(blocks, rowsPerBlock);
  const { grid, squaredNorm, clip = Infinity } = requireExact(request);
  const sums = new Float64Array(blocks * size);
  const tile = new Float64Array(size);
  const whole = new Float64Array(size);
  const phases = Float64Array.from({ length: size }, (_, j) => fractionOf(j * PER_COORDINATE));
  let place = 0;

  const factorOf = ({ columns, target, weights }: SampleBatch, row: number): number => {
    let score = intercept ? at[features]! : 0;
    let length = intercept ? 1 : 0;
    for (let j = 0; j < features; j++) {
      const x = columns[j]![row]!;
      score += x * at[j]!;
      length += x * x;
    }
    let steepness = slope(score, target[row]!);
    if (weights !== undefined) steepness *= weights[row]!;
    if (clip < Infinity) {
      const ratio = clip / (Math.abs(steepness) * Math.sqrt(length));
      steepness *= ratio > 1 ? 1 : ratio;
    }
    return steepness / grid;
  };
  const addRow = (batch: SampleBatch, row: number): void => {
    const factor = factorOf(batch, row);
    const dither = fractionOf(place * PER_ROW);
    let squares = 0;
    for (let j = 0; j < size; j++) {
      const x = j < features ? batch.columns[j]![row]! : 1;
      const q = Math.floor(factor * x + fractionOf(dither + phases[j]!));
      whole[j] = q;
      squares += q * q;
    }
    if (
      squares <= squaredNorm ||
      shrink(whole, SHRINKAGE * Math.sqrt(squaredNorm / squares)) <= squaredNorm
    ) {
      for (let j = 0; j < size; j++) tile[j]! += whole[j]!;
    }
    place++;
  };

  return {
    add(batch) {
      requireBatch(batch, features);
      const addRows = (start: number, count: number): void => {
        for (let row = start; row < start + count; row++) addRow(batch, row);
      };
      return tiles.take(batch.rows, addRows, block => {
        for (let j = 0; j < size; j++) sums[block * size + j]! += tile[j]!;
        tile.fill(0);
      });
    },
    finish() {
      tiles.requireFull();
      return { sums, blocks, rowsPerBlock, privacy: 'raw', grid, squaredNorm };
    },
  };
}

/** A quantization whose sums over a block are exact. */
export function requireExact(quantization: Quantization & Pick<BlockRequest, 'rowsPerBlock'>): Quantization {
  const { grid, squaredNorm, clip, rowsPerBlock } = quantization;
  requirePositive('grid', grid);
  requireInteger('squaredNorm', squaredNorm, 1, 2 ** 52);
  if (clip !== undefined) requirePositive('clip', clip);
  if (!(rowsPerBlock * Math.sqrt(squaredNorm) < 2 ** 53)) {
    refuse(
      'rowsPerBlock',
      `stay below 2^53/sqrt(squaredNorm) = ${Math.floor(2 ** 53 / Math.sqrt(squaredNorm))}`,
      rowsPerBlock,
      'use more blocks, or noise of a smaller scale',
    );
  }
  return quantization;
}

/** Shrinks the numbers in place, toward 0, and gives their squared norm. */
function shrink(numbers: Float64Array, factor: number): number {
  let squares = 0;
  for (let j = 0; j < numbers.length; j++) {
    const shorter = Math.trunc(numbers[j]! * factor);
    numbers[j] = shorter;
    squares += shorter * shorter;
  }
  return squares;
}

const fractionOf = (value: number): number => value - Math.floor(value);
