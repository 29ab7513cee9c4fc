/**
 * The arithmetic of geometricMedian.ts in AssemblyScript. Points are stored coordinate by coordinate, so that two of
 * them are processed at a time; if their number is odd, the last is repeated and the copy has no effect.
 */

/** Written by ../../cloud.ts, in this order. */
@unmanaged
class Cloud {
  count: usize;
  size: usize;
  /** Bytes from one coordinate to the next: 8 * count, rounded up to pairs. */
  stride: usize;
  points: usize;
  /** Scratch for one number per point, twice, and one per coordinate, twice. */
  column: usize;
  weights: usize;
  first: usize;
  bend: usize;
}

/** Also written by ../../cloud.ts; see `Place` there. */
@unmanaged
class Place {
  strength: f64;
  inverses: f64;
  atPoint: f64;
  y: usize;
  pull: usize;
  distances: usize;
}

/** Sets the points to rows * scale. */
export function take(cloud: Cloud, rows: usize, scale: f64): void {
  const stride = cloud.stride;
  for (let i: usize = 0; i < stride; i += 8) {
    let from = rows + min(i, cloud.count * 8 - 8) * cloud.size;
    const end = from + cloud.size * 8;
    for (let to = cloud.points + i; from < end; from += 8, to += stride) store<f64>(to, load<f64>(from) * scale);
  }
}

/** The largest absolute coordinate of the rows; NaN if one is not finite. */
export function largest(cloud: Cloud, rows: usize): f64 {
  let most: f64 = 0;
  let zero: f64 = 0;
  for (const end = rows + cloud.count * cloud.size * 8; rows < end; rows += 8) {
    const size = abs(load<f64>(rows));
    most = size > most ? size : most;
    zero += size * 0;
  }
  return most + zero;
}

/** Moves y to the coordinate-wise median of the points. */
export function standInMiddle(cloud: Cloud, place: Place): void {
  const column = cloud.column;
  const middle = cloud.count >> 1;
  for (let j: usize = 0; j < cloud.size; j++) {
    memory.copy(column, cloud.points + j * cloud.stride, cloud.count * 8);
    let median = select(column, cloud.count, middle);
    if (cloud.count % 2 === 0) {
      let below = load<f64>(column);
      for (let i: usize = 1; i < middle; i++) below = max(below, load<f64>(column + i * 8));
      median = (below + median) / 2;
    }
    store<f64>(place.y + j * 8, median);
  }
  weigh(cloud, place);
}

export function standAt(cloud: Cloud, place: Place, index: usize): void {
  for (let j: usize = 0; j < cloud.size; j++) {
    store<f64>(place.y + j * 8, load<f64>(cloud.points + j * cloud.stride + index * 8));
  }
  weigh(cloud, place);
}

/** Computes everything else about a place from its y. */
export function weigh(cloud: Cloud, place: Place): void {
  const stride = cloud.stride;
  const points = cloud.points;
  const weights = cloud.weights;
  const distances = place.distances;
  const y = place.y;
  const yEnd = y + cloud.size * 8;
  for (let i: usize = 0; i < stride; i += 16) {
    let squares = f64x2.splat(0);
    for (let c = y, x = points + i; c < yEnd; c += 8, x += stride) {
      const away = f64x2.sub(v128.load(x), v128.load64_splat(c));
      squares = f64x2.add(squares, f64x2.mul(away, away));
    }
    const lengths = f64x2.sqrt(squares);
    v128.store(distances + i, lengths);
    v128.store(weights + i, f64x2.div(f64x2.splat(1), lengths));
    const isTiny = f64x2.lt(squares, f64x2.splat(1e-280));
    const isHuge = f64x2.gt(squares, f64x2.splat(1e280));
    if (v128.any_true(v128.or(isTiny, isHuge))) {
      measure(cloud, place, i);
      measure(cloud, place, i + 8);
    }
  }
  if (cloud.count % 2 === 1) {
    store<f64>(distances + cloud.count * 8, Infinity);
    store<f64>(weights + cloud.count * 8, 0);
  }

  let inverses = f64x2.splat(0);
  let atPoint = f64x2.splat(0);
  for (let i: usize = 0; i < stride; i += 16) {
    inverses = f64x2.add(inverses, v128.load(weights + i));
    const isHere = f64x2.eq(v128.load(distances + i), f64x2.splat(0));
    atPoint = f64x2.add(atPoint, v128.and(isHere, f64x2.splat(1)));
  }
  place.inverses = lanesOf(inverses);
  place.atPoint = lanesOf(atPoint);

  let pull = place.pull;
  for (let c = y, row = points; c < yEnd; c += 8, row += stride, pull += 8) {
    const coordinate = v128.load64_splat(c);
    let sum = f64x2.splat(0);
    for (let i: usize = 0; i < stride; i += 16) {
      sum = f64x2.add(sum, f64x2.mul(f64x2.sub(v128.load(row + i), coordinate), v128.load(weights + i)));
    }
    store<f64>(pull, lanesOf(sum));
  }
  place.strength = norm(place.pull, cloud.size);
}

/**
 * The distance and weight of the point at byte i of the coordinates, if its square overflows or underflows. A point
 * whose inverse distance is not finite counts as lying at the place.
 */
function measure(cloud: Cloud, place: Place, i: usize): void {
  for (let j: usize = 0; j < cloud.size; j++) {
    const x = load<f64>(cloud.points + j * cloud.stride + i);
    store<f64>(cloud.bend + j * 8, x - load<f64>(place.y + j * 8));
  }
  const distance = norm(cloud.bend, cloud.size);
  const isAway = 1 / distance !== Infinity;
  store<f64>(place.distances + i, isAway ? distance : 0);
  store<f64>(cloud.weights + i, isAway ? 1 / distance : 0);
}

/** The index of a nearest point. */
export function nearest(cloud: Cloud, place: Place): usize {
  let found: usize = 0;
  for (let i: usize = 1; i < cloud.count; i++) {
    if (load<f64>(place.distances + i * 8) < load<f64>(place.distances + found * 8)) found = i;
  }
  return found;
}

/** Two Weiszfeld steps from `here`, and their extrapolation. True if that is usable and no higher than they are. */
export function extrapolate(cloud: Cloud, here: Place, once: Place, twice: Place, leap: Place): bool {
  step(cloud, here, once);
  step(cloud, once, twice);
  for (let j: usize = 0; j < cloud.size * 8; j += 8) {
    const first = load<f64>(once.y + j) - load<f64>(here.y + j);
    store<f64>(cloud.first + j, first);
    store<f64>(cloud.bend + j, load<f64>(twice.y + j) - load<f64>(once.y + j) - first);
  }
  const stretch = norm(cloud.first, cloud.size) / norm(cloud.bend, cloud.size);
  if (!(stretch > 1 && stretch < Infinity)) return false;
  for (let j: usize = 0; j < cloud.size * 8; j += 8) {
    const ahead = load<f64>(here.y + j) + 2 * stretch * load<f64>(cloud.first + j);
    store<f64>(leap.y + j, ahead + stretch * stretch * load<f64>(cloud.bend + j));
  }
  weigh(cloud, leap);
  // By convexity, the sum is lower wherever the pull still points onward, which is cheaper to check.
  let onward: f64 = 0;
  for (let j: usize = 0; j < cloud.size * 8; j += 8) {
    onward += load<f64>(leap.pull + j) * (load<f64>(leap.y + j) - load<f64>(twice.y + j));
  }
  return onward >= 0 || rise(cloud, twice, leap) <= 0;
}

/** Weiszfeld's map with the correction of Vardi and Zhang. */
function step(cloud: Cloud, from: Place, to: Place): void {
  const isHeld = from.strength <= from.atPoint;
  const move = isHeld ? 0 : (1 - from.atPoint / from.strength) / from.inverses;
  for (let j: usize = 0; j < cloud.size * 8; j += 8) {
    store<f64>(to.y + j, load<f64>(from.y + j) + move * load<f64>(from.pull + j));
  }
  weigh(cloud, to);
}

/**
 * The increase of the sum of distances from one place to another: the sum of (d'^2 - d^2)/(d' + d), without
 * cancellation. The sums themselves agree to the last bit long before the places do.
 */
export function rise(cloud: Cloud, from: Place, to: Place): f64 {
  const stride = cloud.stride;
  const a = from.y;
  const b = to.y;
  const bytes = cloud.size * 8;
  let sum = f64x2.splat(0);
  for (let i: usize = 0; i < stride; i += 16) {
    const both = f64x2.add(v128.load(from.distances + i), v128.load(to.distances + i));
    const inverse = f64x2.div(f64x2.splat(1), both);
    // A point at both places contributes nothing.
    const factor = v128.andnot(inverse, f64x2.eq(inverse, f64x2.splat(Infinity)));
    let x = cloud.points + i;
    for (let j: usize = 0; j < bytes; j += 8, x += stride) {
      const before = v128.load64_splat(a + j);
      const after = v128.load64_splat(b + j);
      const coordinate = v128.load(x);
      const middle = f64x2.mul(f64x2.add(f64x2.sub(before, coordinate), f64x2.sub(after, coordinate)), factor);
      sum = f64x2.add(sum, f64x2.mul(f64x2.sub(after, before), middle));
    }
  }
  return lanesOf(sum);
}

function lanesOf(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
}

/** The Euclidean norm, correct even if squares overflow or underflow. */
function norm(row: usize, size: usize): f64 {
  let square: f64 = 0;
  for (let j: usize = 0; j < size * 8; j += 8) square += load<f64>(row + j) * load<f64>(row + j);
  if (square > 1e-280 && square < 1e280) return sqrt(square);
  let most: f64 = 0;
  for (let j: usize = 0; j < size * 8; j += 8) most = max(most, abs(load<f64>(row + j)));
  if (most === 0 || !(most < Infinity)) return most;
  square = 0;
  for (let j: usize = 0; j < size * 8; j += 8) {
    const ratio = load<f64>(row + j) / most;
    square += ratio * ratio;
  }
  return most * sqrt(square);
}

/**
 * Quickselect: moves to position k the value that sorting would put there. Elements are swapped whether or not they are
 * less than the pivot, so there is no branch to mispredict; if none is less, those equal to it are split off at once.
 */
function select(column: usize, count: usize, k: usize): f64 {
  let low = column;
  let high = column + count * 8 - 8;
  const wanted = column + k * 8;
  while (low < high) {
    const pivot = load<f64>(wanted);
    store<f64>(wanted, load<f64>(high));
    store<f64>(high, pivot);
    let next = low;
    for (let i = low; i < high; i += 8) {
      const x = load<f64>(i);
      store<f64>(i, load<f64>(next));
      store<f64>(next, x);
      next += x < pivot ? 8 : 0;
    }
    if (next === low) {
      for (let i = low; i < high; i += 8) {
        const x = load<f64>(i);
        store<f64>(i, load<f64>(next));
        store<f64>(next, x);
        next += x === pivot ? 8 : 0;
      }
      store<f64>(high, load<f64>(next));
      store<f64>(next, pivot);
      if (wanted <= next) return pivot;
      low = next + 8;
      continue;
    }
    store<f64>(high, load<f64>(next));
    store<f64>(next, pivot);
    if (next === wanted) return pivot;
    if (next < wanted) low = next + 8;
    else high = next - 8;
  }
  return load<f64>(wanted);
}
