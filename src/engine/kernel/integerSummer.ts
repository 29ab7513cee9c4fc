import { refuse, requireInteger, requirePositive, requireVector } from '../../errors.ts';
import { requireBatch, type SampleBatch } from '../../sample/sampleBatch.ts';
import type { BlockRequest, BlockSummer } from './blockSummer.ts';
import { tilesOf } from './tiles.ts';
import { wholeRows } from './wholeRows.ts';

/** How gradients are quantised; an `IntegerNoise` has the first two fields. */
export interface Quantization {
  /** The step of the grid. */
  readonly grid: number;
  /** The bound on the squared norm of one row, in steps: from 1 to 2^52. */
  readonly squaredNorm: number;
  /** The bound on the norm of a gradient before quantisation; none by default. */
  readonly clip?: number;
}

/** Block sums on a grid: what to sum, and how it is quantised. */
export type IntegerRequest = BlockRequest & Quantization;

/**
 * The reference kernel for integer sums: for each block, the sum over its rows of the row's gradient g on a grid, with
 * its norm bounded (`wholeRows.ts`, which states the guarantee).
 *
 *   g = weight * slope(x.theta, y) * x, shrunk to norm `clip` if it is longer
 *
 * Sums are integers below 2^53, so they are the same in any order. The operations are those of
 * wasm/assembly/integers.ts: given the same slopes, both give the same sums.
 */
export function integerSummer(request: IntegerRequest): BlockSummer {
  const { loss, at, blocks, rowsPerBlock, intercept = false } = request;
  const size = requireVector('at', at).length;
  const features = intercept ? size - 1 : size;
  const tiles = tilesOf(blocks, rowsPerBlock);
  const { grid, squaredNorm, clip = Infinity } = requireExact(request);
  const sums = new Float64Array(blocks * size);
  const tile = new Float64Array(size);
  const row = wholeRows(size, squaredNorm);

  const factorOf = ({ columns, target, weights }: SampleBatch, i: number): number => {
    let score = intercept ? at[features]! : 0;
    let length = intercept ? 1 : 0;
    for (let j = 0; j < features; j++) {
      const x = columns[j]![i]!;
      score += x * at[j]!;
      length += x * x;
    }
    let steepness = loss.slope(score, target[i]!);
    if (weights !== undefined) steepness *= weights[i]!;
    if (clip < Infinity) {
      const ratio = clip / (Math.abs(steepness) * Math.sqrt(length));
      steepness *= ratio > 1 ? 1 : ratio;
    }
    return steepness / grid;
  };
  const addRow = (batch: SampleBatch, i: number): void => {
    const factor = factorOf(batch, i);
    for (let j = 0; j < size; j++) row.values[j] = factor * (j < features ? batch.columns[j]![i]! : 1);
    row.addTo(tile);
  };

  return {
    add(batch) {
      requireBatch(batch, features);
      const addRows = (start: number, count: number): void => {
        for (let i = start; i < start + count; i++) addRow(batch, i);
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

/** Checks that the sums over a block are exact with this quantisation. */
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
