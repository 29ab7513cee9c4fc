/**
 * The kernel in AssemblyScript: per tile and coordinate, the sum over the tile's rows of weight * slope(x.theta, y) *
 * x.
 *
 * What determines the bits: a sum over a tile has two lanes, one for the rows at even positions of the tile and one for
 * those at odd positions, and each adds its rows in order; a score adds its terms in column order. So no sum depends on
 * how the rows were divided into pieces and batches, or on which thread summed a tile.
 *
 * What makes it fast: rows are processed in pieces that stay in cache between their two uses, in scores and then in dot
 * products. One loop computes the dot products of a piece and the scores of the next, so that arithmetic overlaps with
 * memory access. It takes five columns at a time, as many as registers hold. Some details follow from the machine code
 * that V8 generates: addresses are a loaded base plus one index, because V8 recomputes differences in every iteration;
 * scores are stored before dot products begin, or V8 spills registers; coefficients are loaded, because V8 builds
 * constants from pieces.
 *
 * A loop over pairs of rows may round an odd count up if the second lane is unused: it reads 8 bytes past a column.
 */

import { sumIntegers } from './integers.ts';
import { fill, Job, makeSlopes, scoresOfFive, scoresOfOne, startOf } from './rows.ts';

const PIECE_ROWS: usize = 512;
const PIECE_BYTES: usize = PIECE_ROWS * 8;

/**
 * Sums tiles as long as some are left. `left` counts the shares of the job that have not been taken: threads that work
 * on the same job divide it, and one that comes too late finds nothing. Until it has taken a share, a thread reads
 * nothing else of a job, because the next one may be being written.
 */
export function work(job: Job, left: usize, thread: usize): void {
  while (true) {
    const before = atomic.sub<i32>(left, 1);
    if (before <= 0) return;
    const first = (job.shares - before) * job.shareTiles;
    const end = min(first + job.shareTiles, job.tiles);
    if (job.grid > 0) sumIntegers(job, first, end, thread);
    else sumTiles(job, first, end, job.slopes + thread * 2 * PIECE_BYTES);
  }
}

function sumTiles(job: Job, tile: usize, end: usize, slopes: usize): void {
  const tileBytes = (job.features + job.intercept) * 16;
  let row = startOf(job, tile);
  let sums = job.sums + tileBytes * tile;
  let next = slopes + PIECE_BYTES;
  if (tile === 0 && job.odd) {
    advance(job, row, 0, 1, slopes, next, sums);
    makeSlopes(job, row, 1, next);
    addRow(job, row, load<f64>(next), sums + 8);
    row++;
  }
  // The piece that ends at `row` has its slopes; its dot products are computed together with the next piece's scores.
  let held: usize = 0;
  let heldSums = sums;
  for (; tile < end; tile++, sums += tileBytes) {
    const tileEnd = startOf(job, tile + 1);
    while (row < tileEnd) {
      const count = min(PIECE_ROWS, tileEnd - row);
      advance(job, row - held, held, count, slopes, next, heldSums);
      makeSlopes(job, row, count, next);
      row += count;
      held = count;
      heldSums = sums;
      const free = slopes;
      slopes = next;
      next = free;
    }
  }
  advance(job, row - held, held, 0, slopes, next, heldSums);
}

/** Adds the `held` rows from `row` on to the sums, and computes the scores of the `count` rows after them. */
function advance(job: Job, row: usize, held: usize, count: usize, slopes: usize, scores: usize, sums: usize): void {
  const features = job.features;
  const start = row * 8;
  const both = held === PIECE_ROWS ? (count + 1) & ~1 : 0;
  fill(scores, count, job.intercept ? load<f64>(job.theta + features * 8) : 0);
  let j: usize = 0;
  for (; j + 5 <= features; j += 5) {
    const columns = job.columns + j * 4;
    const theta = job.theta + j * 8;
    const lanes = sums + j * 16;
    if (both) dotsAndScores(columns, start, theta, slopes, scores, both, lanes);
    else scoresOfFive(columns, start + held * 8, theta, scores, count);
    dotsOfFive(columns, start + both * 8, slopes + both * 8, held - both, lanes);
  }
  for (; j < features; j++) {
    const column = load<usize>(job.columns + j * 4) + start;
    scoresOfOne(column + held * 8, job.theta + j * 8, scores, count);
    dotOfOne(column, slopes, held, sums + j * 16);
  }
  if (job.intercept) sumOf(slopes, held, sums + features * 16);
  if (held & 1) addRow(job, row + held - 1, load<f64>(slopes + (held - 1) * 8), sums);
}

/**
 * The dot products of `count` rows from byte `start` of the columns on, and the scores of the rows one piece further.
 */
function dotsAndScores(
  columns: usize,
  start: usize,
  theta: usize,
  slopes: usize,
  scores: usize,
  count: usize,
  lanes: usize,
): void {
  const a = load<usize>(columns);
  const b = load<usize>(columns, 4);
  const c = load<usize>(columns, 8);
  const d = load<usize>(columns, 12);
  const e = load<usize>(columns, 16);
  const thetaA = v128.load64_splat(theta);
  const thetaB = v128.load64_splat(theta, 8);
  const thetaC = v128.load64_splat(theta, 16);
  const thetaD = v128.load64_splat(theta, 24);
  const thetaE = v128.load64_splat(theta, 32);
  let sumA = v128.load(lanes);
  let sumB = v128.load(lanes, 16);
  let sumC = v128.load(lanes, 32);
  let sumD = v128.load(lanes, 48);
  let sumE = v128.load(lanes, 64);
  slopes -= start;
  scores -= start;
  for (let i = start, end = start + count * 8; i < end; i += 16) {
    let score = v128.load(scores + i);
    score = f64x2.add(score, f64x2.mul(v128.load(a + i, PIECE_BYTES), thetaA));
    score = f64x2.add(score, f64x2.mul(v128.load(b + i, PIECE_BYTES), thetaB));
    score = f64x2.add(score, f64x2.mul(v128.load(c + i, PIECE_BYTES), thetaC));
    score = f64x2.add(score, f64x2.mul(v128.load(d + i, PIECE_BYTES), thetaD));
    score = f64x2.add(score, f64x2.mul(v128.load(e + i, PIECE_BYTES), thetaE));
    v128.store(scores + i, score);
    const slope = v128.load(slopes + i);
    sumA = f64x2.add(sumA, f64x2.mul(v128.load(a + i), slope));
    sumB = f64x2.add(sumB, f64x2.mul(v128.load(b + i), slope));
    sumC = f64x2.add(sumC, f64x2.mul(v128.load(c + i), slope));
    sumD = f64x2.add(sumD, f64x2.mul(v128.load(d + i), slope));
    sumE = f64x2.add(sumE, f64x2.mul(v128.load(e + i), slope));
  }
  v128.store(lanes, sumA);
  v128.store(lanes, sumB, 16);
  v128.store(lanes, sumC, 32);
  v128.store(lanes, sumD, 48);
  v128.store(lanes, sumE, 64);
}

function dotsOfFive(columns: usize, start: usize, slopes: usize, count: usize, lanes: usize): void {
  const a = load<usize>(columns);
  const b = load<usize>(columns, 4);
  const c = load<usize>(columns, 8);
  const d = load<usize>(columns, 12);
  const e = load<usize>(columns, 16);
  let sumA = v128.load(lanes);
  let sumB = v128.load(lanes, 16);
  let sumC = v128.load(lanes, 32);
  let sumD = v128.load(lanes, 48);
  let sumE = v128.load(lanes, 64);
  slopes -= start;
  for (let i = start, end = start + (count & ~1) * 8; i < end; i += 16) {
    const slope = v128.load(slopes + i);
    sumA = f64x2.add(sumA, f64x2.mul(v128.load(a + i), slope));
    sumB = f64x2.add(sumB, f64x2.mul(v128.load(b + i), slope));
    sumC = f64x2.add(sumC, f64x2.mul(v128.load(c + i), slope));
    sumD = f64x2.add(sumD, f64x2.mul(v128.load(d + i), slope));
    sumE = f64x2.add(sumE, f64x2.mul(v128.load(e + i), slope));
  }
  v128.store(lanes, sumA);
  v128.store(lanes, sumB, 16);
  v128.store(lanes, sumC, 32);
  v128.store(lanes, sumD, 48);
  v128.store(lanes, sumE, 64);
}

function dotOfOne(column: usize, slopes: usize, count: usize, lanes: usize): void {
  let sum = v128.load(lanes);
  for (const end = column + (count & ~1) * 8; column < end; column += 16, slopes += 16) {
    sum = f64x2.add(sum, f64x2.mul(v128.load(column), v128.load(slopes)));
  }
  v128.store(lanes, sum);
}

function sumOf(slopes: usize, count: usize, lanes: usize): void {
  let sum = v128.load(lanes);
  for (const end = slopes + (count & ~1) * 8; slopes < end; slopes += 16) sum = f64x2.add(sum, v128.load(slopes));
  v128.store(lanes, sum);
}

/** Adds one row to every coordinate; `lane` is the address of the first coordinate's lane. */
function addRow(job: Job, row: usize, slope: f64, lane: usize): void {
  for (let j: usize = 0; j < job.features; j++, lane += 16) {
    const x = load<f64>(load<usize>(job.columns + j * 4) + row * 8);
    store<f64>(lane, load<f64>(lane) + x * slope);
  }
  if (job.intercept) store<f64>(lane, load<f64>(lane) + slope);
}
