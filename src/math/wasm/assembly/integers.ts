/**
 * Integer sums, equal to those of integerSummer.ts: every row's gradient is quantised, its norm is bounded, and only
 * then is it added. Such sums are exact in any order, so they do not depend on lanes, tiles or threads.
 *
 * A piece of rows is first summed separately, as if every row were within the bound. If one is not, the piece is summed
 * again with its rows shrunk, and once more without the rows that cannot be shrunk (they contain NaN or infinities,
 * which no factor removes).
 */
import { constant, fill, Job, makeSlopes, ONE, scoresOfFive, scoresOfOne, startOf } from './rows.ts';

/** A quarter of a thread's memory for slopes, which is shared by factors, dithers, squares and shrinkages. */
const PIECE_ROWS: usize = 256;
const PIECE_BYTES: usize = PIECE_ROWS * 8;

const PER_ROW: f64 = 0.6180339887498949;
const PER_COORDINATE: f64 = 0.41421356237309503;
const SHRINKAGE: f64 = 1.0 - 1e-9;

export function sumIntegers(job: Job, tile: usize, end: usize, thread: usize): void {
  const tileBytes = (job.features + job.intercept) * 16;
  const slopes = job.slopes + thread * 4 * PIECE_BYTES;
  const partials = job.partials + thread * tileBytes;
  for (let row = startOf(job, tile); tile < end; tile++) {
    const tileEnd = startOf(job, tile + 1);
    while (row < tileEnd) {
      // An odd row is processed alone, so that the others form pairs.
      const count = min(PIECE_ROWS, tileEnd - row);
      const taken = count > 1 ? count & ~1 : 1;
      addPiece(job, row, taken, slopes, partials, job.sums + tileBytes * tile);
      row += taken;
    }
  }
}

function addPiece(job: Job, row: usize, count: usize, factors: usize, partials: usize, sums: usize): void {
  const dithers = factors + PIECE_BYTES;
  const squares = dithers + PIECE_BYTES;
  const shrinkages = squares + PIECE_BYTES;
  makeScores(job, row, count, factors);
  makeSlopes(job, row, count, factors);
  if (job.clip < Infinity) clip(job, row, count, factors, squares);
  divide(factors, count, job.grid);
  makeDithers(job.place + <f64>row, count, dithers);
  fill(squares, count, 0);
  quantize(job, row, count, factors, partials, false);
  if (count === 1 || !allWithin(squares, count, job.squaredNorm)) {
    makeShrinkages(squares, shrinkages, count, job.squaredNorm);
    // The lane next to an odd row is not in use.
    if (count === 1) store<f64>(shrinkages + 8, 0);
    while (true) {
      fill(squares, count, 0);
      quantize(job, row, count, factors, partials, true);
      if (allWithin(squares, count, job.squaredNorm)) break;
      drop(squares, shrinkages, count, job.squaredNorm);
    }
  }
  for (const end = sums + (job.features + job.intercept) * 16; sums < end; sums += 16, partials += 16) {
    v128.store(sums, f64x2.add(v128.load(sums), v128.load(partials)));
  }
}

function makeScores(job: Job, row: usize, count: usize, scores: usize): void {
  const features = job.features;
  fill(scores, count, job.intercept ? load<f64>(job.theta + features * 8) : 0);
  let j: usize = 0;
  for (; j + 5 <= features; j += 5) scoresOfFive(job.columns + j * 4, row * 8, job.theta + j * 8, scores, count);
  for (; j < features; j++) scoresOfOne(columnOf(job, j) + row * 8, job.theta + j * 8, scores, count);
}

function columnOf(job: Job, j: usize): usize {
  return load<usize>(job.columns + j * 4);
}

/** Shrinks slopes so that no gradient is longer than `job.clip`; `lengths` is scratch for the rows' squared lengths. */
function clip(job: Job, row: usize, count: usize, slopes: usize, lengths: usize): void {
  fill(lengths, count, job.intercept ? 1 : 0);
  for (let j: usize = 0; j < job.features; j++) {
    let column = columnOf(job, j) + row * 8;
    for (let at = lengths, end = lengths + count * 8; at < end; at += 16, column += 16) {
      const x = v128.load(column);
      v128.store(at, f64x2.add(v128.load(at), f64x2.mul(x, x)));
    }
  }
  const most = f64x2.splat(job.clip);
  for (const end = slopes + count * 8; slopes < end; slopes += 16, lengths += 16) {
    const slope = v128.load(slopes);
    const ratio = f64x2.div(most, f64x2.mul(f64x2.abs(slope), f64x2.sqrt(v128.load(lengths))));
    // This operand order propagates a NaN ratio.
    v128.store(slopes, f64x2.mul(slope, f64x2.pmin(ratio, constant(ONE))));
  }
}

function divide(slopes: usize, count: usize, grid: f64): void {
  const step = f64x2.splat(grid);
  for (const end = slopes + count * 8; slopes < end; slopes += 16)
    v128.store(slopes, f64x2.div(v128.load(slopes), step));
}

function makeDithers(place: f64, count: usize, dithers: usize): void {
  let places = f64x2.replace_lane(f64x2.splat(place), 1, place + 1);
  for (const end = dithers + count * 8; dithers < end; dithers += 16) {
    v128.store(dithers, fractionOf(f64x2.mul(places, f64x2.splat(PER_ROW))));
    places = f64x2.add(places, f64x2.splat(2));
  }
}

function fractionOf(values: v128): v128 {
  return f64x2.sub(values, f64x2.floor(values));
}

/** Computes the sum of every coordinate over the piece, and adds to the squared norms of its rows. */
function quantize(job: Job, row: usize, count: usize, factors: usize, partials: usize, shrunk: boolean): void {
  for (let j: usize = 0; j < job.features + job.intercept; j++) {
    const phase = fractionOf(f64x2.splat(<f64>j * PER_COORDINATE));
    const isFeature = j < job.features;
    const column = isFeature ? columnOf(job, j) + row * 8 : ONES;
    const step: usize = isFeature ? 16 : 0;
    const sum = shrunk
      ? sumShrunk(column, step, phase, factors, count)
      : sumColumn(column, step, phase, factors, count);
    v128.store(partials + j * 16, sum);
  }
}

function sumColumn(column: usize, step: usize, phase: v128, factors: usize, count: usize): v128 {
  let sum = f64x2.splat(0);
  for (const end = factors + count * 8; factors < end; factors += 16, column += step) {
    const whole = wholeOf(v128.load(factors), v128.load(column), v128.load(factors, PIECE_BYTES), phase);
    const square = f64x2.add(v128.load(factors, 2 * PIECE_BYTES), f64x2.mul(whole, whole));
    v128.store(factors, square, 2 * PIECE_BYTES);
    sum = f64x2.add(sum, whole);
  }
  return sum;
}

function sumShrunk(column: usize, step: usize, phase: v128, factors: usize, count: usize): v128 {
  const zero = f64x2.splat(0);
  let sum = zero;
  for (const end = factors + count * 8; factors < end; factors += 16, column += step) {
    const whole = wholeOf(v128.load(factors), v128.load(column), v128.load(factors, PIECE_BYTES), phase);
    const shrinkage = v128.load(factors, 3 * PIECE_BYTES);
    const shorter = v128.and(f64x2.trunc(f64x2.mul(whole, shrinkage)), f64x2.gt(shrinkage, zero));
    const square = f64x2.add(v128.load(factors, 2 * PIECE_BYTES), f64x2.mul(shorter, shorter));
    v128.store(factors, square, 2 * PIECE_BYTES);
    sum = f64x2.add(sum, shorter);
  }
  return sum;
}

function wholeOf(factor: v128, x: v128, dither: v128, phase: v128): v128 {
  return f64x2.floor(f64x2.add(f64x2.mul(factor, x), fractionOf(f64x2.add(dither, phase))));
}

function allWithin(squares: usize, count: usize, squaredNorm: f64): bool {
  const most = f64x2.splat(squaredNorm);
  let within = i64x2.splat(-1);
  for (const end = squares + count * 8; squares < end; squares += 16)
    within = v128.and(within, f64x2.le(v128.load(squares), most));
  return i64x2.all_true(within);
}

/** 1 for a row within the bound; the factor that brings another within it; 0 or NaN for one that no factor can. */
function makeShrinkages(squares: usize, shrinkages: usize, count: usize, squaredNorm: f64): void {
  const most = f64x2.splat(squaredNorm);
  for (const end = squares + count * 8; squares < end; squares += 16, shrinkages += 16) {
    const square = v128.load(squares);
    const shrinkage = f64x2.mul(f64x2.splat(SHRINKAGE), f64x2.sqrt(f64x2.div(most, square)));
    v128.store(shrinkages, v128.bitselect(constant(ONE), shrinkage, f64x2.le(square, most)));
  }
}

function drop(squares: usize, shrinkages: usize, count: usize, squaredNorm: f64): void {
  const most = f64x2.splat(squaredNorm);
  for (const end = squares + count * 8; squares < end; squares += 16, shrinkages += 16) {
    const within = f64x2.le(v128.load(squares), most);
    v128.store(shrinkages, v128.and(v128.load(shrinkages), within));
  }
}

/** The column of an intercept, at which loops stay put. */
const ONES: usize = memory.data<f64>([1.0, 1.0]);
