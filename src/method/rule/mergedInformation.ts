import { ArgumentError } from '../../errors.ts';
import { addScaled, times, type Vector } from '../../math/vector.ts';
import { factorOf, type InformationState, type Knowledge, MEMORY, solved, sumOf } from './informationState.ts';
import type { PooledWatch } from './pooled.ts';
import { moveTo } from './standardCoordinates.ts';
import type { Placement } from './updateRule.ts';

interface MergeOptions {
  readonly intercept: boolean;
  readonly forgets: boolean;
  readonly watch: PooledWatch;
}

/**
 * What two watchers have learnt, in the coordinates of the first. The second's ridge is taken out, so that it counts once.
 */
export function mergedInformation(
  one: InformationState,
  other: InformationState,
  { intercept, forgets, watch }: MergeOptions,
): InformationState {
  const size = one.theta.length;
  const features = one.scale.length;
  if (one.pending !== null || other.pending !== null)
    throw new ArgumentError('a state within a chunk cannot be merged; take states that iterates have', 'ERR_ARGUMENT', {
      argument: 'state',
    });
  // Rows whose scale is a guess are worth nothing beside rows whose scale is known.
  if (one.lacksScale !== other.lacksScale) {
    const known = one.lacksScale ? other : one;
    return { ...known, step: one.step + other.step, aside: one.aside + other.aside };
  }
  const to = commonPlaces(one, other, intercept);
  const ownMove = moveTo(to, one, intercept);
  const otherMove = moveTo(to, other, intercept);
  // Both count rows in units of a scale of their own.
  const unit = (one.fullScale / other.fullScale) ** 2;
  const bare = other.information.map((value, at) => unit * (value - other.ridge * ridgeShare(other, at, size)));
  const pull = times(other.information, other.theta).map(
    (value, j) => unit * (value - other.ridge * ridgeShare(other, j * (size + 1), size) * other.prior[j]!),
  );
  const known = sumOf(ownMove.matrix(one.information), otherMove.matrix(bare));
  to.scale.forEach((scale, j) => {
    if (scale > 0 && one.scale[j] === 0) known[j * (size + 1)]! += one.ridge;
  });
  const slope = addScaled(ownMove.gradient(times(one.information, one.theta)), 1, otherMove.gradient(pull));
  const total = one.weight + other.weight;
  const shareOf = (a: number, b: number): number => (a + b > 0 ? b / (a + b) : 0);
  const mixed = (a: Vector, b: Vector, share: (j: number) => number, factor = (_j: number) => 1): Vector =>
    a.map((value, j) => value + share(j) * (factor(j) * b[j]! - value));
  const trust = (j: number): number => shareOf(one.freedom[j]!, other.freedom[j]!);
  const both = (a: Vector, b: Vector): Vector =>
    a.map((value, j) => Math.min(forgets ? MEMORY : Infinity, value + b[j]!));
  const [scored, later] = [one.progressive, other.progressive];
  const ends = shareOf(scored?.weight ?? 0, later?.weight ?? 0);
  return {
    ...one,
    ...to,
    theta: solved(factorOf(known, size), slope),
    information: known,
    prior: ownMove.point(one.prior),
    step: one.step + other.step,
    since: one.since + other.since,
    rows: one.rows + other.rows,
    weight: total,
    squaredWeight: one.squaredWeight + other.squaredWeight,
    chunks: one.chunks + other.chunks,
    q: one.q * (other.q / one.q) ** shareOf(one.weight, other.weight),
    // Where rows are forgotten, x is in the units of the coordinate, and not of information.
    spreads: mixed(one.spreads, other.spreads, trust, j =>
      forgets ? (j < features ? ((to.scale[j]! || 1) / (other.scale[j]! || 1)) ** 2 : 1) : unit,
    ),
    freedom: both(one.freedom, other.freedom),
    began: one.began.map((value, j) => beganAt(one, j, value) + beganAt(other, j, other.began[j]!)),
    pulls: mixed(one.pulls, other.pulls, j => shareOf(one.pulled[j]!, other.pulled[j]!)),
    pulled: both(one.pulled, other.pulled),
    bends: one.bends + unit * other.bends,
    slopes: one.slopes + unit * unit * other.slopes,
    variance: one.variance + shareOf(one.chunks, other.chunks) * (unit * other.variance - one.variance),
    progressive:
      scored === null || later === null
        ? (scored ?? later)
        : {
            chunk: scored.chunk + ends * (later.chunk - scored.chunk),
            all: scored.all + ends * (later.all - scored.all),
            weight: scored.weight + later.weight,
          },
    asideInRow: 0,
    aside: one.aside + other.aside,
    watch: watch.begin(2 * size),
    alarm: other.alarm ?? one.alarm,
  };
}

/** 1 on the diagonal of columns that have varied, which is where the ridge is. */
const ridgeShare = ({ scale }: Knowledge, at: number, size: number): number =>
  at % (size + 1) === 0 && scale[at / (size + 1)] !== 0 ? 1 : 0;

/** W when a column first varied; all of it where it has not. */
const beganAt = ({ scale, weight }: InformationState, j: number, began: number): number =>
  scale[j] === 0 ? weight : began;

/** The first watcher's coordinates, with a place for every column that has varied in either, or between them. */
function commonPlaces(one: InformationState, other: InformationState, intercept: boolean): Placement {
  const centre = one.centre.slice();
  const scale = one.scale.slice();
  scale.forEach((own, j) => {
    const [here, there] = [one.centre[j]!, other.centre[j]!];
    if (own > 0) return;
    if (other.scale[j]! > 0) [centre[j], scale[j]] = [there, other.scale[j]!];
    else if (here !== there && intercept) [centre[j], scale[j]] = [(here + there) / 2, Math.abs(there - here) / 2];
  });
  return { centre, scale };
}
