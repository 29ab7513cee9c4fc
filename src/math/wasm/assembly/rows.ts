/** The steps before rows are summed: their scores x.theta, and their slopes. */

/** Written by wasmKernel.ts, in this order. */
@unmanaged
export class Job {
  parameter: f64;
  kind: usize;
  features: usize;
  intercept: usize;
  tiles: usize;
  /** The number of shares that the tiles are divided into. */
  shares: usize;
  /** The number of tiles in each share but the last. */
  shareTiles: usize;
  /** 1 if the first row has an odd position in its tile. */
  odd: usize;
  columns: usize;
  target: usize;
  /** 0 if every row has weight 1. */
  weights: usize;
  theta: usize;
  /** Tile t has the rows from starts[t] up to, but not including, starts[t + 1]. */
  starts: usize;
  /** Tile by coordinate by lane; the kernel adds to the existing values. */
  sums: usize;
  /** Per thread, scores that are turned into slopes: of one piece and of the next. */
  slopes: usize;
  /** The grid of integer sums; 0 for plain sums, which use nothing below. */
  grid: f64;
  squaredNorm: f64;
  clip: f64;
  /** The position in the chunk of the row 0 that `starts` refers to. */
  place: f64;
  /** Per thread, coordinate by lane. */
  partials: usize;
}

export function startOf(job: Job, tile: usize): usize {
  return load<u32>(job.starts + tile * 4);
}

export function fill(scores: usize, count: usize, value: f64): void {
  const values = f64x2.splat(value);
  for (const end = scores + count * 8; scores < end; scores += 16) v128.store(scores, values);
}

export function scoresOfFive(columns: usize, start: usize, theta: usize, scores: usize, count: usize): void {
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
  scores -= start;
  for (let i = start, end = start + count * 8; i < end; i += 16) {
    let score = v128.load(scores + i);
    score = f64x2.add(score, f64x2.mul(v128.load(a + i), thetaA));
    score = f64x2.add(score, f64x2.mul(v128.load(b + i), thetaB));
    score = f64x2.add(score, f64x2.mul(v128.load(c + i), thetaC));
    score = f64x2.add(score, f64x2.mul(v128.load(d + i), thetaD));
    score = f64x2.add(score, f64x2.mul(v128.load(e + i), thetaE));
    v128.store(scores + i, score);
  }
}

export function scoresOfOne(column: usize, theta: usize, scores: usize, count: usize): void {
  const coefficient = v128.load64_splat(theta);
  for (const end = column + count * 8; column < end; column += 16, scores += 16) {
    v128.store(scores, f64x2.add(v128.load(scores), f64x2.mul(v128.load(column), coefficient)));
  }
}

/** Turns scores into weight * slope. */
export function makeSlopes(job: Job, row: usize, count: usize, slopes: usize): void {
  const target = job.target + row * 8;
  if (job.kind === 0) squared(slopes, target, count);
  else if (job.kind === 1) logistic(slopes, target, count);
  else if (job.kind === 2) pseudoHuber(slopes, target, count, job.parameter);
  else if (job.kind === 3) gemanMcClure(slopes, target, count, job.parameter);
  else if (job.kind === 4) tukey(slopes, target, count, job.parameter);
  else weightedLogistic(slopes, target, count);
  if (job.weights) weigh(slopes, job.weights + row * 8, count);
}

function weigh(slopes: usize, weights: usize, count: usize): void {
  for (const end = slopes + count * 8; slopes < end; slopes += 16, weights += 16) {
    v128.store(slopes, f64x2.mul(v128.load(slopes), v128.load(weights)));
  }
}

function squared(slopes: usize, target: usize, count: usize): void {
  for (const end = slopes + count * 8; slopes < end; slopes += 16, target += 16) {
    v128.store(slopes, f64x2.sub(v128.load(slopes), v128.load(target)));
  }
}

/** With m = min(|r|, q) and M = max(|r|, q), r / sqrt(1 + (r/q)^2) is m / sqrt(1 + (m/M)^2) with the sign of r. */
function pseudoHuber(slopes: usize, target: usize, count: usize, parameter: f64): void {
  const q = f64x2.splat(parameter);
  for (const end = slopes + count * 8; slopes < end; slopes += 16, target += 16) {
    const residual = f64x2.sub(v128.load(slopes), v128.load(target));
    const size = f64x2.abs(residual);
    // This operand order propagates a NaN residual.
    const least = f64x2.pmin(size, q);
    const ratio = f64x2.div(least, f64x2.pmax(size, q));
    const root = f64x2.sqrt(f64x2.add(constant(ONE), f64x2.mul(ratio, ratio)));
    v128.store(slopes, f64x2.div(v128.or(least, v128.xor(residual, size)), root));
  }
}

/** r / (1 + (r/q)^2)^2, with |r| limited to where that is 0. */
function gemanMcClure(slopes: usize, target: usize, count: usize, parameter: f64): void {
  const q = f64x2.splat(parameter);
  const furthest = f64x2.splat(1e100 * parameter);
  for (const end = slopes + count * 8; slopes < end; slopes += 16, target += 16) {
    const residual = f64x2.sub(v128.load(slopes), v128.load(target));
    const size = f64x2.abs(residual);
    // This operand order propagates a NaN residual.
    const held = f64x2.pmin(size, furthest);
    const ratio = f64x2.div(held, q);
    const d = f64x2.add(constant(ONE), f64x2.mul(ratio, ratio));
    v128.store(slopes, f64x2.div(v128.or(held, v128.xor(residual, size)), f64x2.mul(d, d)));
  }
}

/** r (1 - min(1, |r|/c)^2)^2. */
function tukey(slopes: usize, target: usize, count: usize, parameter: f64): void {
  const c = f64x2.splat(parameter);
  for (const end = slopes + count * 8; slopes < end; slopes += 16, target += 16) {
    const residual = f64x2.sub(v128.load(slopes), v128.load(target));
    const size = f64x2.abs(residual);
    // This operand order propagates a NaN residual.
    const held = f64x2.pmin(size, c);
    const ratio = f64x2.div(held, c);
    const rest = f64x2.sub(constant(ONE), f64x2.mul(ratio, ratio));
    v128.store(slopes, f64x2.mul(f64x2.mul(v128.or(held, v128.xor(residual, size)), rest), rest));
  }
}

/** As in logistic.ts, with e = e^-|s|. */
function logistic(slopes: usize, target: usize, count: usize): void {
  for (const end = slopes + count * 8; slopes < end; slopes += 16, target += 16) {
    const score = v128.load(slopes);
    const y = v128.load(target);
    const rest = f64x2.sub(constant(ONE), y);
    const e = decay(score);
    const below = f64x2.sub(f64x2.mul(rest, e), y);
    const above = f64x2.sub(rest, f64x2.mul(y, e));
    const isBelow = f64x2.lt(score, f64x2.splat(0));
    v128.store(slopes, f64x2.div(v128.bitselect(below, above, isBelow), f64x2.add(constant(ONE), e)));
  }
}

/** As in weightedLogistic.ts. */
function weightedLogistic(slopes: usize, target: usize, count: usize): void {
  for (const end = slopes + count * 8; slopes < end; slopes += 16, target += 16) {
    const score = v128.load(slopes);
    const y = v128.load(target);
    const rest = f64x2.sub(constant(ONE), y);
    const e = decay(score);
    const below = f64x2.sub(f64x2.mul(rest, e), y);
    const above = f64x2.sub(rest, f64x2.mul(y, e));
    const isBelow = f64x2.lt(score, f64x2.splat(0));
    v128.store(slopes, f64x2.mul(v128.bitselect(below, above, isBelow), constant(HALF)));
  }
}

/**
 * e^-|s|, to 2 units in the last place, as the square of e^x for x = -|s|/2, so that underflow is gradual. With n the
 * integer nearest to x/ln 2 and r = x - n ln 2, e^x = 2^n e^r and e^r = 1 + r + r^2 P(r), where P is the polynomial of
 * degree 9 with the smallest relative error, 4e-18, for |r| <= ln(2)/2. It is evaluated by Estrin's scheme, which has
 * shorter dependency chains than Horner's.
 */
function decay(score: v128): v128 {
  const minus = f64x2.pmax(v128.or(score, constant(SIGN)), constant(LEAST));
  const x = f64x2.mul(minus, constant(HALF));
  const shifted = f64x2.add(f64x2.mul(minus, constant(HALF_PER_LN2)), constant(SHIFT));
  const n = f64x2.sub(shifted, constant(SHIFT));
  const r = f64x2.sub(f64x2.sub(x, f64x2.mul(n, constant(LN2_HIGH))), f64x2.mul(n, constant(LN2_LOW)));
  const r2 = f64x2.mul(r, r);
  const r4 = f64x2.mul(r2, r2);
  const p01 = f64x2.add(constant(P), f64x2.mul(r, constant(P + 1)));
  const p23 = f64x2.add(constant(P + 2), f64x2.mul(r, constant(P + 3)));
  const p45 = f64x2.add(constant(P + 4), f64x2.mul(r, constant(P + 5)));
  const p67 = f64x2.add(constant(P + 6), f64x2.mul(r, constant(P + 7)));
  const p89 = f64x2.add(constant(P + 8), f64x2.mul(r, constant(P + 9)));
  const p03 = f64x2.add(p01, f64x2.mul(r2, p23));
  const p49 = f64x2.add(f64x2.add(p45, f64x2.mul(r2, p67)), f64x2.mul(r4, p89));
  const tail = f64x2.add(r, f64x2.mul(r2, f64x2.add(p03, f64x2.mul(r4, p49))));
  const power = i64x2.shl(shifted, 52);
  const root = f64x2.mul(f64x2.add(constant(ONE), tail), power);
  return f64x2.mul(root, root);
}

export function constant(place: usize): v128 {
  return v128.load64_splat(CONSTANTS + place * 8);
}

const CONSTANTS: usize = memory.data<f64>([
  1.0, 0.5, -0.0, -746.0, 0.7213475204444817, 6755399441056767.0, 0.6931471803691238, 1.9082149292705877e-10,
  0.5000000000000011, 0.16666666666666413, 0.041666666666530155, 0.008333333333494461, 0.0013888888943630114,
  0.00019841269506578688, 2.480149309890655e-5, 2.7557586373840165e-6, 2.763024837921144e-7, 2.5000061602835666e-8,
]);
export const ONE: usize = 0;
const HALF: usize = 1;
const SIGN: usize = 2;
/** Below it e^x rounds to 0. */
const LEAST: usize = 3;
const HALF_PER_LN2: usize = 4;
/** 1.5 * 2^52 + 1023: adding it rounds to an integer, and leaves n + 1023, the exponent of 2^n, in the low bits. */
const SHIFT: usize = 5;
/** ln 2 in two parts, the first with so few bits that n times it is exact. */
const LN2_HIGH: usize = 6;
const LN2_LOW: usize = 7;
/** The coefficients of P, constant term first. */
const P: usize = 8;
