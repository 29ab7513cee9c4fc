import { ArgumentError, requireInteger, requireLength, requireVector } from '../../errors.ts';
import { addScaled, dot, filled, scaled, times, type Vector, zeros } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import { isFiniteThroughout } from '../../sample/isFiniteThroughout.ts';
import type { Loss } from '../loss/loss.ts';
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import { type ChunkStep, chunkNews } from './chunkNews.ts';
import { answerSize, COLUMNS, type InformationQuestion, SUMS } from './informationQuestion.ts';
import {
  type Found,
  factorOf,
  type InformationState,
  type Knowledge,
  MEMORY,
  type Pending,
  type Search,
  solved,
  sumOf,
} from './informationState.ts';
import { mergedInformation } from './mergedInformation.ts';
import type { PooledWatch } from './pooled.ts';
import { directionsOf, moveTo, placeOf, pointOf } from './standardCoordinates.ts';
import type { UpdateRule } from './updateRule.ts';

export interface InformationOptions {
  readonly features: number;
  readonly intercept: boolean;
  /** Null for pseudo-Huber whose q is learnt. */
  readonly loss: Loss | null;
  /** Rows of a chunk that is not the pilot's, unless it ends early. */
  readonly chunk: number;
  /** Rows after which a row counts 1/e of a new one; null where none is forgotten. */
  readonly forget: number | null;
  /** What an alarm does: counting begins anew, or the alarm is noted and nothing else. */
  readonly onAlarm: 'restart' | 'note';
  /** Watches for changes. */
  readonly watch: PooledWatch;
}

/** The weight of the ridge: a hundredth of a row for each coefficient keeps odd beginnings finite and says nothing else. */
const RIDGE = 0.01;
/** Huber's 95 % efficient constant, and the median of |r| of normal residuals in standard deviations. */
const TUNING = 1.345;
const NORMAL_MEDIAN = 0.6745;
/** q moves this share of the way in a chunk that has enough rows to know it, fewer in proportion. */
const SCALE_SHARE = 0.1;
const SCALE_ROWS = 100;
/** Rows count by the square of their scale, but an old one no more than four new ones: it may have been of another kind. */
const MOST_SCALES = 2;
/** Of the spread of the targets: a fit through all of them leaves nothing but rounding. */
const LEAST_SCALE = 1e-6;
/** Of the targets: scores of a score of columns are off by so much at most. */
const ROUNDING = 64 * Number.EPSILON;
/** Scores that move less change the curvature of classes and counts little; for pseudo-Huber it is this share of q. */
const NEAR = 0.5;
/** Scores of classes and counts move at most so far at once: e^4 times as many, beyond which a tangent says nothing. */
const MOST_MOVE = 4;
const MOST_ITERATIONS = 30;
const LEAST_SHARE = 1e-6;
/** Of v: what is left to gain is then a tenth of a standard error; a pilot is fitted to its end. */
const SETTLED = 0.01;
const PILOT_SETTLED = 1e-9;
/** Rounds in which a pilot chooses q, and how near two of them are when it is chosen. */
const MOST_ROUNDS = 10;
const SAME_SCALE = 0.01;
/** Chunks and rows from which a chunk is judged, how far out is too far, and how many in a row may be set aside. */
const JUDGED_FROM = 20;
const JUDGED_ROWS = 64;
const FAR = 8;
const FAR_PER_ROOT = 0.7;
const MOST_ASIDE = 2;
/** Larger ones would take longer in factors than in rows. */
export const MOST_INFORMATION_FEATURES = 256;

/**
 * The online estimator: information about the coefficients grows chunk by chunk, for ever, with the chunk included.
 *
 *   pilot    z = ((x - c)/s, 1);   th = fit with ridge .01;   A = sum psi' z z' + .01 I
 *   chunk    g = u sum psi z,  H = u sum psi' z z',  d = -(A + H)^-1 g;   th += d,  A += H
 *   x_j = a_j'd/sqrt(a_j'(A^-1 - (A+H)^-1) a_j),   y_j = -g_j/sqrt(u^2 sum psi^2 z_j^2 + v (H A^-1 H)_jj)
 *
 *   c, s -> centre, scale, th -> theta, A -> information, u = (fullScale/q)^2, v -> variance, a_j -> the coefficient in
 *   the units of the data
 *
 * Where scores move far, the step is a search by guarded Newton for the minimum of u sum loss + (b - th)'A(b - th)/2
 * over the held chunk, and H is that at its end: false curvature would stay. For the squared loss the estimate is the
 * batch fit of all rows, whatever their chunks. Old rows are weighted by gamma = exp(-m/forget) where they are forgotten.
 *
 * A column that is constant so far gets no step; when it first varies, its centre and scale are those of that chunk,
 * and A and th change coordinates exactly. A chunk whose gradient is far from what chunks before it gave is set aside,
 * two in a row at most: the third is a change, used, and alarms. After an alarm counting begins anew: A is the ridge
 * again, about th, and coordinates stay.
 *
 * Chunks without a row that can be used are waited out before the pilot. While the fit leaves nothing of most rows,
 * nobody knows what a row is worth: their scale is a guess, and with the first that tells it counting begins anew.
 */
export interface Information extends UpdateRule<InformationState> {
  question(state: InformationState): InformationQuestion;
  again(state: InformationState): boolean;
  rowsBehind(state: InformationState): number;
  /** The states of several watchers, with what all of them have learnt. */
  merge(states: readonly InformationState[]): InformationState;
  /** For each coefficient of the data its direction in the coordinates of theta: coefficient_j = directions_j . theta. */
  directions(state: Knowledge): readonly Vector[];
}

export function information(options: InformationOptions): Information {
  const { features, intercept, watch, forget } = options;
  if (features > MOST_INFORMATION_FEATURES)
    throw new ArgumentError(
      `the online estimator takes at most ${MOST_INFORMATION_FEATURES} features, got ${features}; use planEndless with nesterov or frankWolfe, which run endlessly with any number of them`,
      'ERR_TOO_LARGE',
      { argument: 'features', value: features },
    );
  requireInteger('features', features, 1);
  const size = features + (intercept ? 1 : 0);
  const penalty = options.loss?.penalty ?? 0;
  const lossAt = (q: number): Loss => options.loss ?? pseudoHuber(q);
  const isSquared = options.loss?.kernel?.kind === 'squared';
  const { near, mostMove } = reachOf(options.loss);
  /** Nothing counted yet; what is known draws to `prior` alone. */
  const begin = (scale: Vector, q: number, prior: Vector, since: number) => ({
    ...{ information: ridgeOf(scale, size), prior, ridge: RIDGE, q, fullScale: q, since },
    ...{ rows: 0, weight: 0, squaredWeight: 0, chunks: 0, variance: 0, bends: 0, slopes: 0, asideInRow: 0 },
    ...{ spreads: zeros(size), freedom: zeros(size), began: zeros(size), pulls: zeros(size), pulled: zeros(size) },
    watch: watch.begin(2 * size),
  });

  /** Coordinates of a first chunk, and where its fit begins. */
  const placed = (state: InformationState, answer: Vector): InformationState => {
    if (answer[COLUMNS.rows] === 0) return { ...state, step: state.step + 1 };
    requireVector('answer', answer, answerSize('columns', features, size));
    const centre = zeros(features);
    const scale = zeros(features);
    for (let j = 0; j < features; j++) [centre[j], scale[j]] = placeOf(answer, j, intercept);
    const theta = zeros(size);
    if (intercept) theta[features] = firstIntercept(options.loss, answer);
    const spread = answer[COLUMNS.deviation]!;
    const least = Math.max(LEAST_SCALE * spread, ROUNDING * Math.abs(answer[COLUMNS.median]!));
    const leastScale = options.loss === null ? least : 0;
    const q = options.loss === null ? (TUNING * (spread || 1)) / NORMAL_MEDIAN : 1;
    const begun = { ...state, centre, scale, theta, leastScale, ...begin(scale, q, theta, 0) };
    return searching(begun, theta, null, null, 0);
  };
  const searching = (
    state: InformationState,
    at: Vector,
    found: Found | null,
    before: Knowledge | null,
    round: number,
  ): InformationState => ({
    ...state,
    pending: {
      kind: 'search',
      search: {
        ...{ found, before, at, round, value: Infinity, curvature: new Float64Array(0), variance: 0, bends: 0 },
        ...{ weight: 0, way: zeros(size), share: 0, iteration: 0 },
      },
    },
  });

  /** What is kept of earlier rows while a chunk of so many is learnt from; all, for a pilot. */
  const keepFor = (found: Pick<Found, 'rows'> | null): number =>
    forget === null || found === null ? 1 : Math.exp(-found.rows / forget);
  const keptOf = ({ information: known }: Knowledge, keep: number): Float64Array =>
    keep === 1 ? known : known.map(value => keep * value);
  /** u sum loss + (b - th)'A(b - th)/2 and the penalty, of so much weight. */
  const objectiveAt = (state: InformationState, b: Vector, loss: number, weight: number, keep: number): number => {
    const away = addScaled(b, -1, state.theta);
    let value = countsOf(state) * loss + (keep * dot(away, times(state.information, away))) / 2;
    const own = penaltiesOf(state, weight);
    for (let j = 0; j < features; j++) value += (own[j]! / 2) * b[j]! * b[j]!;
    return value;
  };
  const penaltiesOf = ({ scale }: Knowledge, weight: number): Vector =>
    penalty === 0 ? zeros(features) : scale.map(s => (s > 0 ? (penalty * weight) / (s * s) : 0));
  const countsOf = ({ fullScale, q }: InformationState): number => (fullScale / q) ** 2;

  /** Gradient and curvature of the chunk at b, with the penalty, both times u. */
  const derivativesOf = (state: InformationState, answer: Vector, b: Vector, keep: number) => {
    const u = countsOf(state);
    const places = SUMS.length + features;
    const gradient = scaled(answer.subarray(places, places + size), u);
    const squares = scaled(answer.subarray(places + size, places + 2 * size), u * u);
    const curvature = new Float64Array(size * size);
    let place = places + 2 * size;
    for (let j = 0; j < size; j++)
      for (let k = 0; k <= j; k++) {
        const value = u * answer[place++]!;
        curvature[j * size + k] = value;
        curvature[k * size + j] = value;
      }
    const own = penaltiesOf(state, answer[SUMS.weight]!);
    for (let j = 0; j < features; j++) {
      gradient[j]! += own[j]! * b[j]!;
      curvature[j * (size + 1)]! += own[j]!;
    }
    const objective = objectiveAt(state, b, answer[SUMS.loss]!, answer[SUMS.weight]!, keep);
    const bends = u * answer[SUMS.bends]!;
    const v = bends > 0 ? (u * u * answer[SUMS.squares]!) / bends : 0;
    return { gradient, squares, curvature, objective, variance: v, bends };
  };

  /** The first answer about a chunk that is not a pilot's. */
  const met = (state: InformationState, answer: Vector): InformationState => {
    const { pending } = state;
    requireLength('answer', answer, answerSize('information', features, size));
    const before = pending?.kind === 'again' ? pending.before : null;
    if (!isFiniteThroughout(answer)) return setAside(state, before, answer);
    const late = Array.from({ length: features }, (_, j) => j).filter(
      j => state.scale[j] === 0 && answer[SUMS.length + j]! > 0,
    );
    if (late.length > 0 && before === null) {
      return { ...state, pending: { kind: 'late', columns: late, before: knowledgeOf(state) } };
    }
    const rows = answer[SUMS.rows]!;
    if (rows === 0) return { ...state, step: state.step + 1, pending: null };
    if (state.lacksScale && tellsScale(state, answer[SUMS.deviation]!)) {
      const begun = begin(state.scale, scaleOf(state, answer[SUMS.deviation]!), state.theta, state.step);
      return {
        ...state,
        ...begun,
        lacksScale: false,
        pending: { kind: 'again', before: before ?? knowledgeOf(state) },
      };
    }
    const keep = keepFor({ rows });
    const kept = keptOf(state, keep);
    const { gradient, squares, curvature, objective, variance, bends } = derivativesOf(
      state,
      answer,
      state.theta,
      keep,
    );
    const [old, both] = [factorOf(kept, size), factorOf(sumOf(kept, curvature), size)];
    const way = solved(both, gradient);
    const v = state.chunks > 0 ? state.variance : variance;
    const room = zeros(size);
    const y = gradient.map((g, j) => {
      const taken = old.solveFactor(curvature.subarray(j * size, (j + 1) * size), room);
      return -g / Math.sqrt(squares[j]! + v * dot(taken, taken));
    });
    let furthest = 0;
    let farOut: number | null = null;
    if (state.chunks >= JUDGED_FROM && rows >= JUDGED_ROWS)
      y.forEach((value, j) => {
        const far = Math.abs(value) / (Math.min(FAR, FAR_PER_ROOT * Math.sqrt(rows)) * Math.sqrt(state.pulls[j]!));
        if (state.pulled[j]! >= JUDGED_FROM && far > Math.max(1, furthest)) [furthest, farOut] = [far, j];
      });
    if (farOut !== null && state.asideInRow < MOST_ASIDE) return setAside(state, before, answer);
    const most = filled(size, 1);
    most.set(answer.subarray(SUMS.length, SUMS.length + features));
    const found: Found = {
      ...{ rows, weight: answer[SUMS.weight]!, loss: answer[SUMS.loss]!, deviation: answer[SUMS.deviation]! },
      ...{ y, farOut, most },
      x: chunkNews(state, { rows, keep: forget === null ? null : keep, way, curvature, old, both }, intercept),
    };
    const begun = searching(state, state.theta, found, before, 0);
    const { search } = begun.pending as Extract<Pending, { kind: 'search' }>;
    const first = { ...search, value: objective, curvature, variance, bends, weight: found.weight, way, share: 1 };
    const bound = way.reduce((sum, step, j) => sum + Math.abs(step) * most[j]!, 0);
    if (isSquared || bound <= near(state.q)) return learnt(begun, addScaled(state.theta, -1, way), first);
    return { ...begun, pending: { kind: 'search', search: first } };
  };

  /** One more answer of a search. */
  const searched = (state: InformationState, answer: Vector, search: Search): InformationState => {
    const go = (next: Partial<Search>): InformationState => ({
      ...state,
      pending: { kind: 'search', search: { ...search, ...next } },
    });
    if (search.share > 0) {
      const [moved, loss] = [answer[0]!, answer[1]!];
      const trial = addScaled(search.at, -search.share, search.way);
      const isFirst = search.iteration === 0 && search.found !== null && search.share === 1;
      if (isFirst && moved <= near(state.q)) return learnt(state, trial, search);
      if (moved > MOST_MOVE * (1 + 1e-9) && mostMove) return go({ share: (search.share * MOST_MOVE) / moved });
      const value = objectiveAt(state, trial, loss, search.weight, keepFor(search.found));
      if (value <= search.value) return go({ at: trial, value, share: 0, iteration: search.iteration + 1 });
      if (search.share >= LEAST_SHARE) return go({ share: search.share / 2 });
      // No step is a gain: what is left is rounding.
      return search.found === null ? go({ share: 0, iteration: MOST_ITERATIONS }) : learnt(state, search.at, search);
    }
    const { at, found, iteration } = search;
    if (found !== null && !isFiniteThroughout(answer)) return setAside(state, search.before, answer);
    requireVector('answer', answer, answerSize('information', features, size));
    const keep = keepFor(found);
    const { gradient, curvature, objective, variance, bends } = derivativesOf(state, answer, at, keep);
    const known = keptOf(state, keep);
    const slope = addScaled(gradient, 1, times(known, addScaled(at, -1, state.theta)));
    const way = solved(factorOf(sumOf(known, curvature), size), slope);
    const gain = dot(way, slope);
    const here = { ...search, value: objective, curvature, variance, bends, weight: answer[SUMS.weight]!, way };
    const settled = (found === null ? PILOT_SETTLED : SETTLED) * variance;
    if (isSquared || gain <= settled || gain <= 1e-13 * Math.abs(objective) || iteration >= MOST_ITERATIONS) {
      const end = addScaled(at, iteration >= MOST_ITERATIONS ? 0 : -1, way);
      return found === null ? piloted(state, end, here, answer) : learnt(state, end, here);
    }
    return go({ ...here, share: 1 });
  };

  /** The end of a pilot's search, or a search with another q. */
  const piloted = (state: InformationState, theta: Vector, search: Search, answer: Vector): InformationState => {
    const q = scaleOf(state, answer[SUMS.deviation]!);
    if (Math.abs(Math.log(q / state.q)) > SAME_SCALE && search.round < MOST_ROUNDS)
      return searching({ ...state, q, fullScale: q }, theta, null, null, search.round + 1);
    const rows = answer[SUMS.rows]!;
    return {
      ...state,
      pending: null,
      step: state.step + 1,
      theta,
      information: sumOf(state.information, search.curvature),
      ...{ rows, weight: rows, squaredWeight: rows },
      lacksScale: options.loss === null && !tellsScale(state, answer[SUMS.deviation]!),
    };
  };

  /** q by the deviation of residuals; the present one where more than half of them are 0, or rounding. */
  const scaleOf = (state: InformationState, deviation: number): number =>
    options.loss === null && tellsScale(state, deviation) ? (TUNING * deviation) / NORMAL_MEDIAN : state.q;

  /** The state after a chunk that was used. */
  const learnt = (state: InformationState, theta: Vector, search: Search): InformationState => {
    const { curvature, variance, bends, iteration } = search;
    const found = search.found!;
    const { rows, weight, loss, y, farOut } = found;
    const keep = keepFor(found);
    const known = keptOf(state, keep);
    const all = sumOf(known, curvature);
    const news = (): ChunkStep => ({
      ...{ rows, keep: forget === null ? null : keep, curvature, way: addScaled(state.theta, -1, theta) },
      ...{ old: factorOf(known, size), both: factorOf(all, size) },
    });
    // The first step says little where the curvature has changed since.
    const x = iteration > 0 ? chunkNews(state, news(), intercept) : found.x;
    const total = keep * state.weight + rows;
    const chunks = state.chunks + 1;
    const count = forget === null ? Infinity : MEMORY;
    const [spreads, freedom] = meansOf(state.spreads, state.freedom, x, count);
    const [pulls, pulled] = meansOf(state.pulls, state.pulled, y, count);
    const share = Math.max(SCALE_SHARE * Math.min(1, rows / SCALE_ROWS), rows / total);
    const before = state.progressive ?? { all: 0, weight: 0 };
    const scored = before.weight + weight;
    const meanVariance = state.variance + (variance - state.variance) / Math.min(chunks, count);
    const spread = forget === null ? Math.sqrt(variance) : 1;
    const watched = zeros(2 * size);
    for (let j = 0; j < size; j++) watched[j] = x[j]! / spread;
    watched.set(y, size);
    const seen = watch.next(state.watch, watched);
    const change = farOut ?? (seen.alarm === null ? null : seen.alarm % size);
    const q = state.q * (scaleOf(state, found.deviation) / state.q) ** share;
    const next: InformationState = {
      ...state,
      pending: null,
      step: state.step + 1,
      theta,
      information: all,
      ridge: keep * state.ridge,
      q,
      fullScale: Math.max(state.fullScale, q / MOST_SCALES),
      rows: state.rows + rows,
      weight: total,
      squaredWeight: keep * keep * state.squaredWeight + rows,
      ...{ chunks, spreads, freedom, pulls, pulled, variance: meanVariance, asideInRow: 0, watch: seen.watch },
      bends: keep * state.bends + bends,
      slopes: keep * state.slopes + variance * bends,
      progressive: {
        chunk: loss / weight,
        all: before.all + (weight / scored) * (loss / weight - before.all),
        weight: scored,
      },
      alarm: change === null ? state.alarm : { step: state.step + 1, coefficient: change },
    };
    const isNew = change !== null && options.onAlarm === 'restart';
    return isNew ? { ...next, ...begin(next.scale, q, theta, next.step) } : next;
  };

  /** The state after a chunk that was not used. */
  const setAside = (state: InformationState, before: Knowledge | null, answer: Vector): InformationState => ({
    ...state,
    ...before,
    pending: null,
    step: state.step + 1,
    asideInRow: state.asideInRow + 1,
    aside: state.aside + 1,
    progressive: { all: 0, weight: 0, ...state.progressive, chunk: answer[SUMS.loss]! / answer[SUMS.weight]! },
  });

  /** Coordinates of columns that first vary in this chunk. */
  const widened = (state: InformationState, answer: Vector, columns: readonly number[], before: Knowledge) => {
    const centre = state.centre.slice();
    const scale = state.scale.slice();
    const began = state.began.slice();
    for (const j of columns) {
      [centre[j], scale[j]] = placeOf(answer, j, intercept);
      began[j] = state.weight;
    }
    const { point, matrix } = moveTo({ centre, scale }, state, intercept);
    const known = matrix(state.information);
    for (const j of columns) known[j * (size + 1)]! += state.ridge;
    const moved: Knowledge = {
      centre,
      scale,
      theta: point(state.theta),
      information: known,
      prior: point(state.prior),
    };
    return { ...state, ...moved, began, pending: { kind: 'again' as const, before } };
  };

  const step = (state: InformationState, { values }: Gradient): InformationState => {
    const { pending } = state;
    if (pending === null) return hasBegun(state) ? met(state, values) : placed(state, values);
    if (pending.kind === 'late') return widened(state, values, pending.columns, pending.before);
    return pending.kind === 'again' ? met(state, values) : searched(state, values, pending.search);
  };
  const question = (state: InformationState): InformationQuestion => {
    const { pending, theta, centre, scale } = state;
    const coordinates = { centre, scale: scale.map(s => s || 1) };
    const common = { loss: lossAt(state.q), coordinates, from: theta };
    if (pending?.kind === 'late' || (pending === null && !hasBegun(state)))
      return { ...common, asks: 'columns', at: theta };
    if (pending?.kind !== 'search') return { ...common, asks: 'information', at: theta };
    const { at, way, share } = pending.search;
    if (share === 0) return { ...common, asks: 'information', at };
    return { ...common, asks: 'trial', at: addScaled(at, -share, way), from: at };
  };
  return Object.freeze<Information>({
    name: 'information',
    init: (given: Vector): InformationState => {
      const theta = requireVector('start', given, size).slice();
      const scale = filled(features, 1);
      return {
        ...{ step: 0, pending: null, centre: zeros(features), scale, theta, leastScale: 0, lacksScale: false },
        ...{ progressive: null, aside: 0, alarm: null },
        ...begin(scale, 1, theta, 0),
      };
    },
    query: ({ theta }: InformationState) => theta,
    question,
    again: ({ pending }: InformationState) => pending !== null,
    step,
    iterate: (state: InformationState) => pointOf(state, intercept),
    rowsBehind: ({ rows }: InformationState) => rows,
    merge: (states: readonly InformationState[]) =>
      states.reduce((one, other) => mergedInformation(one, other, { intercept, forgets: forget !== null, watch })),
    directions: (state: Knowledge) => directionsOf(state, intercept),
  });
}

const hasBegun = ({ rows, since }: InformationState): boolean => rows > 0 || since > 0;

const knowledgeOf = ({ centre, scale, theta, information: known, prior }: Knowledge): Knowledge => ({
  ...{ centre, scale, theta, prior },
  information: known,
});

/** Whether a deviation of residuals is more than rounding. */
const tellsScale = ({ leastScale }: InformationState, deviation: number): boolean =>
  TUNING * deviation > NORMAL_MEDIAN * leastScale;

/** How far scores may move without another look at the curvature, and whether steps are held to a longest one. */
function reachOf(loss: Loss | null): { near: (q: number) => number; mostMove: boolean } {
  if (loss === null) return { near: q => NEAR * q, mostMove: false };
  const scale = loss.kernel?.parameter || 1;
  return { near: () => NEAR * scale, mostMove: loss.targets.least > -Infinity };
}

/** Where the fit of a pilot begins: at the mean, or for robust losses the median, on the scale of scores. */
function firstIntercept(loss: Loss | null, answer: Vector): number {
  const [rows, mean] = [answer[COLUMNS.rows]!, answer[COLUMNS.mean]!];
  if (loss?.kernel?.kind === 'squared') return mean;
  if (loss === null || loss.targets.least === -Infinity) return answer[COLUMNS.median]!;
  // Half a row of every class, or half a count, keeps the logarithms finite.
  const count = rows * mean + 0.5;
  return Math.log(loss.targets.most === 1 ? count / (rows - rows * mean + 0.5) : count / rows);
}

function ridgeOf(scale: Vector, size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < size; j++) if (scale[j] !== 0) matrix[j * (size + 1)] = RIDGE;
  return matrix;
}

/** Means of squares with one more value each; what is not a number does not count. */
function meansOf(means: Vector, counts: Vector, values: Vector, most: number): readonly [Vector, Vector] {
  const [next, known] = [means.slice(), counts.slice()];
  for (let j = 0; j < values.length; j++) {
    const isThere = Number.isFinite(values[j]!);
    known[j] = Math.min(most, isThere ? counts[j]! + 1 : counts[j]!);
    if (isThere) next[j]! += (values[j]! ** 2 - means[j]!) / known[j]!;
  }
  return [next, known];
}
