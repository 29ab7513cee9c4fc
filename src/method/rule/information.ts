import { ArgumentError, requireInteger, requireLength, requireVector } from '../../errors.ts';
import { type RankFactor, rankFactor } from '../../math/rankFactor.ts';
import { addScaled, dot, filled, times, type Vector, zeros } from '../../math/vector.ts';
import type { Gradient } from '../../sample/gradientSums.ts';
import type { Loss } from '../loss/loss.ts';
import { pseudoHuber } from '../loss/pseudoHuber.ts';
import { type PooledWatch, triangleSize } from './pooled.ts';
import type { Placement, Question, UpdateRule } from './updateRule.ts';

/**
 * What is asked about the rows of a held chunk; `engine/kernel/informationSummer.ts` answers it, as one vector.
 *
 *   columns       how many rows, and where the target and the features lie: `COLUMNS`, then mean, spread of each feature
 *   information   loss, gradient and curvature at a point: `SUMS`, then for each feature the largest |z|, for each
 *                 coefficient sum of psi z and sum of (psi z)^2, and the lower triangle of sum psi' z z', row by row
 *   trial         the largest |z.(at - from)| of a row, and the sum of losses
 *
 * Rows are z = ((x - centre)/scale, 1); psi, psi' and losses are times the rows' weights.
 */
export interface InformationQuestion extends Question {
  readonly asks: 'columns' | 'information' | 'trial';
  readonly loss: Loss;
  readonly coordinates: Placement;
  readonly from: Vector;
}

/** Where an answer about columns has what; means and spreads of features follow. */
export const COLUMNS = { rows: 0, weight: 1, mean: 2, median: 3, deviation: 4, length: 5 } as const;
/** Where an answer about information has what. */
export const SUMS = { rows: 0, weight: 1, loss: 2, squares: 3, bends: 4, deviation: 5, length: 6 } as const;

/** The length of an answer. */
export const answerSize = (asks: InformationQuestion['asks'], features: number, size: number): number =>
  asks === 'trial'
    ? 2
    : asks === 'columns'
      ? COLUMNS.length + 2 * features
      : SUMS.length + features + 2 * size + triangleSize(size);

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

/** Features so far, and what the rows of earlier chunks say, as a quadratic form around `theta`. */
interface Knowledge {
  /** Of z; a scale of 0 is that of a column that has not varied. */
  readonly centre: Vector;
  readonly scale: Vector;
  /** In the coordinates of z, an intercept last. */
  readonly theta: Vector;
  /** A = sum of u psi' z z' + ridge I, row-major; all 0 for a column that has not varied. */
  readonly information: Float64Array;
  /** The point that the ridge draws to. */
  readonly prior: Vector;
}

/** All that an online estimate has learnt. Plain data. */
export interface InformationState extends Knowledge {
  /** Chunks so far, the pilot among them. */
  readonly step: number;
  /** What is left of a chunk whose rows are asked about again; null between chunks. */
  readonly pending: Pending | null;
  /** The ridge within A, which is forgotten as rows are. */
  readonly ridge: number;
  /** The scale of pseudo-Huber, that of the rows that A counts in full, and the least there may be; else 1, 1 and 0. */
  readonly q: number;
  readonly fullScale: number;
  readonly leastScale: number;
  /** Rows that were learnt from; W, in which old ones may count less; and W2, with the squares of the weights. */
  readonly rows: number;
  readonly weight: number;
  readonly squaredWeight: number;
  /** Chunks before the one that counting began with, and chunks that were learnt from since, without a pilot. */
  readonly since: number;
  readonly chunks: number;
  /** For each coefficient the mean of x^2, the number of x, and W when its column first varied. */
  readonly spreads: Vector;
  readonly freedom: Vector;
  readonly began: Vector;
  /** For each coordinate the mean of y^2 and the number of y. */
  readonly pulls: Vector;
  readonly pulled: Vector;
  /** The mean of v_t = u sum psi^2/sum psi'. */
  readonly variance: number;
  /** Mean losses of rows before they were learnt from, of the last chunk and of all that were used; null before any. */
  readonly progressive: { readonly chunk: number; readonly all: number; readonly weight: number } | null;
  /** Chunks that were set aside: in a row up to now, and in all. */
  readonly asideInRow: number;
  readonly aside: number;
  /** The watch over x and y. */
  readonly watch: unknown;
  /** The latest change found: the chunks up to it, and the coefficient. */
  readonly alarm: { readonly step: number; readonly coefficient: number } | null;
}

/** What the first answer about a chunk says of it, before anything is learnt from it. */
interface Found {
  readonly rows: number;
  readonly weight: number;
  readonly loss: number;
  /** The median of |residual|. */
  readonly deviation: number;
  readonly x: Vector;
  readonly y: Vector;
  /** The coordinate that is far out although two chunks before were set aside for that; null where there is none. */
  readonly farOut: number | null;
  /** The largest |z| of each coordinate. */
  readonly most: Vector;
}

type Pending =
  /** Columns that first vary in this chunk, and what was known before it. */
  | { readonly kind: 'late'; readonly columns: readonly number[]; readonly before: Knowledge }
  | { readonly kind: 'again'; readonly before: Knowledge }
  /** A search for the minimum over a chunk and all before it. */
  | { readonly kind: 'search'; readonly search: Search };

interface Search {
  /** Null for a pilot. */
  readonly found: Found | null;
  readonly before: Knowledge | null;
  /** The best point so far, the objective and the curvature of the chunk there. */
  readonly at: Vector;
  readonly value: number;
  readonly curvature: Float64Array;
  /** v_t there, and the weight of the chunk's rows. */
  readonly variance: number;
  readonly weight: number;
  /** The Newton step, and the share of it that is on trial; 0 where derivatives at `at` are asked for. */
  readonly way: Vector;
  readonly share: number;
  readonly iteration: number;
  /** How often a pilot has chosen its q. */
  readonly round: number;
}

/** A chunk's rows, step and curvature, and the factors of what was known without and with it. */
interface NewsOf {
  readonly rows: number;
  readonly way: Vector;
  readonly curvature: Float64Array;
  readonly old: RankFactor;
  readonly both: RankFactor;
}

/** The weight of the ridge: a hundredth of a row for each coefficient keeps odd beginnings finite and says nothing else. */
const RIDGE = 0.01;
/** A coefficient of which the ridge says more than this share has not been learnt yet, and its x says nothing. */
const RIDGE_SHARE = 0.1;
/** Where a chunk says a smaller share of what is known, digits of the difference would be lost. */
const CANCELS = 1e-6;
/** Huber's 95 % efficient constant, and the median of |r| of normal residuals in standard deviations. */
const TUNING = 1.345;
const NORMAL_MEDIAN = 0.6745;
/** q moves this share of the way in a chunk that has enough rows to know it, fewer in proportion. */
const SCALE_SHARE = 0.1;
const SCALE_ROWS = 100;
/** Of the spread of the targets: a fit through all of them leaves nothing but rounding. */
const LEAST_SCALE = 1e-6;
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
/** Chunks that the spread of estimates is remembered for, where old rows are forgotten. */
const MEMORY = 200;
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
  const pointOf = (knowledge: Knowledge): Vector =>
    Float64Array.from(directionsOf(knowledge, intercept), direction => dot(direction, knowledge.theta));
  /** Nothing counted yet; what is known draws to `prior` alone. */
  const begin = (scale: Vector, q: number, prior: Vector, since: number) => ({
    ...{ information: ridgeOf(scale, size), prior, ridge: RIDGE, q, fullScale: q, since },
    ...{ rows: 0, weight: 0, squaredWeight: 0, chunks: 0, variance: 0, asideInRow: 0 },
    ...{ spreads: zeros(size), freedom: zeros(size), began: zeros(size), pulls: zeros(size), pulled: zeros(size) },
    watch: watch.begin(2 * size),
  });

  /** Coordinates of a first chunk, and where its fit begins. */
  const placed = (state: InformationState, answer: Vector): InformationState => {
    if (!(answer[COLUMNS.rows]! > 0))
      throw new ArgumentError(
        'the pilot has no row that can be used, so there is nothing to begin with',
        'ERR_NO_ROWS',
        { rows: 0 },
      );
    requireVector('answer', answer, answerSize('columns', features, size));
    const centre = zeros(features);
    const scale = zeros(features);
    for (let j = 0; j < features; j++) [centre[j], scale[j]] = placeOf(answer, j, intercept);
    const theta = zeros(size);
    if (intercept) theta[features] = firstIntercept(options.loss, answer);
    const spread = answer[COLUMNS.deviation]! || 1;
    const leastScale = options.loss === null ? LEAST_SCALE * spread : 0;
    const q = options.loss === null ? (TUNING * spread) / NORMAL_MEDIAN : 1;
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
        ...{ found, before, at, round, value: Infinity, curvature: new Float64Array(0), variance: 0, weight: 0 },
        ...{ way: zeros(size), share: 0, iteration: 0 },
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
    scale.map(s => (s > 0 ? (penalty * weight) / (s * s) : 0));
  const countsOf = ({ fullScale, q }: InformationState): number => (fullScale / q) ** 2;

  /** Gradient and curvature of the chunk at b, with the penalty, both times u. */
  const derivativesOf = (state: InformationState, answer: Vector, b: Vector, keep: number) => {
    const u = countsOf(state);
    const places = SUMS.length + features;
    const gradient = answer.slice(places, places + size).map(value => u * value);
    const squares = answer.slice(places + size, places + 2 * size).map(value => u * u * value);
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
    const v = answer[SUMS.bends]! > 0 ? (u * answer[SUMS.squares]!) / answer[SUMS.bends]! : 0;
    return { gradient, squares, curvature, objective, variance: v };
  };

  /** The first answer about a chunk that is not a pilot's. */
  const met = (state: InformationState, answer: Vector): InformationState => {
    const { pending } = state;
    requireLength('answer', answer, answerSize('information', features, size));
    const before = pending?.kind === 'again' ? pending.before : null;
    if (!answer.every(Number.isFinite)) return setAside(state, before, answer);
    const late = Array.from({ length: features }, (_, j) => j).filter(
      j => state.scale[j] === 0 && answer[SUMS.length + j]! > 0,
    );
    if (late.length > 0 && before === null) {
      const { centre, scale, theta, information: known, prior } = state;
      const was: Knowledge = { centre, scale, theta, information: known, prior };
      return { ...state, pending: { kind: 'late', columns: late, before: was } };
    }
    const rows = answer[SUMS.rows]!;
    if (rows === 0) return { ...state, step: state.step + 1, pending: null };
    const keep = keepFor({ rows });
    const kept = keptOf(state, keep);
    const { gradient, squares, curvature, objective, variance } = derivativesOf(state, answer, state.theta, keep);
    const [old, both] = [factorOf(kept, size), factorOf(sumOf(kept, curvature), size)];
    const way = solved(both, gradient);
    const v = state.chunks > 0 ? state.variance : variance;
    const y = gradient.map((g, j) => {
      const taken = old.solveFactor(curvature.subarray(j * size, (j + 1) * size));
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
      x: newsOf(state, { rows, way, curvature, old, both }),
    };
    const begun = searching(state, state.theta, found, before, 0);
    const { search } = begun.pending as Extract<Pending, { kind: 'search' }>;
    const first = { ...search, value: objective, curvature, variance, weight: found.weight, way, share: 1 };
    const bound = way.reduce((sum, step, j) => sum + Math.abs(step) * most[j]!, 0);
    if (isSquared || bound <= near(state.q)) return learnt(begun, addScaled(state.theta, -1, way), first);
    return { ...begun, pending: { kind: 'search', search: first } };
  };

  /** x of every coefficient; not a number where this chunk says nothing new, or hardly anything was known before. */
  const newsOf = (state: InformationState, { rows, way, curvature, old, both }: NewsOf): Vector =>
    Float64Array.from(directionsOf(state, intercept, true), a => {
      const earlier = old.solveFactor(a);
      if (state.ridge * dot(earlier, earlier) >= RIDGE_SHARE * dot(a, a)) return NaN;
      const step = -dot(a, way);
      if (forget !== null) {
        const { weight, squaredWeight } = state;
        const total = keepFor({ rows }) * weight + rows;
        return ((step * total) / rows / Math.sqrt(1 + (rows * squaredWeight) / weight ** 2)) * Math.sqrt(rows);
      }
      const later = both.solveFactor(a);
      const before = dot(earlier, earlier);
      let news = before - dot(later, later);
      if (!(news > CANCELS * before)) {
        // The same without a difference: b'(H + H A^-1 H) b, b = (A + H)^-1 a.
        const taken = times(curvature, both.solveTransposed(later));
        const twice = old.solveFactor(taken);
        news = dot(both.solveTransposed(later), taken) + dot(twice, twice);
      }
      return news > 0 ? step / Math.sqrt(news) : NaN;
    });

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
      return search.share < LEAST_SHARE ? learnt(state, search.at, search) : go({ share: search.share / 2 });
    }
    const { at, found, iteration } = search;
    if (found !== null && !answer.every(Number.isFinite)) return setAside(state, search.before, answer);
    requireVector('answer', answer, answerSize('information', features, size));
    const keep = keepFor(found);
    const { gradient, curvature, objective, variance } = derivativesOf(state, answer, at, keep);
    const known = keptOf(state, keep);
    const slope = addScaled(gradient, 1, times(known, addScaled(at, -1, state.theta)));
    const way = solved(factorOf(sumOf(known, curvature), size), slope);
    const gain = dot(way, slope);
    const here = { ...search, value: objective, curvature, variance, weight: answer[SUMS.weight]!, way };
    const settled = (found === null ? PILOT_SETTLED : SETTLED) * variance;
    if (isSquared || gain <= settled || gain <= 1e-13 * Math.abs(objective) || iteration >= MOST_ITERATIONS) {
      const end = addScaled(at, iteration >= MOST_ITERATIONS ? 0 : -1, way);
      return found === null ? piloted(state, end, here, answer) : learnt(state, end, here);
    }
    return go({ ...here, share: 1 });
  };

  /** The end of a pilot's search, or a search with another q. */
  const piloted = (state: InformationState, theta: Vector, search: Search, answer: Vector): InformationState => {
    const q = options.loss === null ? scaleOf(state, answer[SUMS.deviation]!) : 1;
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
    };
  };

  /** q by the deviation of residuals; the present one where more than half of them are 0. */
  const scaleOf = ({ q, leastScale }: InformationState, deviation: number): number =>
    deviation > 0 ? Math.max(leastScale, (TUNING * deviation) / NORMAL_MEDIAN) : q;

  /** The state after a chunk that was used. */
  const learnt = (state: InformationState, theta: Vector, search: Search): InformationState => {
    const { curvature, variance, iteration } = search;
    const found = search.found!;
    const { rows, weight, loss, y, farOut } = found;
    const keep = keepFor(found);
    const known = keptOf(state, keep);
    const all = sumOf(known, curvature);
    const news = (): NewsOf => ({
      ...{ rows, curvature, way: addScaled(state.theta, -1, theta) },
      ...{ old: factorOf(known, size), both: factorOf(all, size) },
    });
    // The first step says little where the curvature has changed since.
    const x = iteration > 0 ? newsOf(state, news()) : found.x;
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
    const seen = watch.next(state.watch, Float64Array.of(...x.map(value => value / spread), ...y));
    const change = farOut ?? (seen.alarm === null ? null : seen.alarm % size);
    const next: InformationState = {
      ...state,
      pending: null,
      step: state.step + 1,
      theta,
      information: all,
      ridge: keep * state.ridge,
      q: options.loss === null ? state.q * (scaleOf(state, found.deviation) / state.q) ** share : 1,
      rows: state.rows + rows,
      weight: total,
      squaredWeight: keep * keep * state.squaredWeight + rows,
      ...{ chunks, spreads, freedom, pulls, pulled, variance: meanVariance, asideInRow: 0, watch: seen.watch },
      progressive: {
        chunk: loss / weight,
        all: before.all + (weight / scored) * (loss / weight - before.all),
        weight: scored,
      },
      alarm: change === null ? state.alarm : { step: state.step + 1, coefficient: change },
    };
    const isNew = change !== null && options.onAlarm === 'restart';
    return isNew ? { ...next, ...begin(next.scale, next.q, theta, next.step) } : next;
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

  /** What two watchers have learnt; the second's ridge is taken out, so that it counts once. */
  const merged = (one: InformationState, other: InformationState): InformationState => {
    if (one.pending !== null || other.pending !== null)
      throw new ArgumentError(
        'a state within a chunk cannot be merged; take states that iterates have',
        'ERR_ARGUMENT',
        { argument: 'state' },
      );
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
      a.map((value, j) => Math.min(forget === null ? Infinity : MEMORY, value + b[j]!));
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
        forget === null ? unit : j < features ? ((to.scale[j]! || 1) / (other.scale[j]! || 1)) ** 2 : 1,
      ),
      freedom: both(one.freedom, other.freedom),
      began: one.began.map((value, j) => beganAt(one, j, value) + beganAt(other, j, other.began[j]!)),
      pulls: mixed(one.pulls, other.pulls, j => shareOf(one.pulled[j]!, other.pulled[j]!)),
      pulled: both(one.pulled, other.pulled),
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
  };

  const step = (state: InformationState, { values }: Gradient): InformationState => {
    const { pending } = state;
    if (pending === null) return state.step === 0 ? placed(state, values) : met(state, values);
    if (pending.kind === 'late') return widened(state, values, pending.columns, pending.before);
    return pending.kind === 'again' ? met(state, values) : searched(state, values, pending.search);
  };
  const question = (state: InformationState): InformationQuestion => {
    const { pending, theta, centre, scale } = state;
    const coordinates = { centre, scale: scale.map(s => s || 1) };
    const common = { loss: lossAt(state.q), coordinates, from: theta };
    if (pending?.kind === 'late' || (pending === null && state.step === 0))
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
        ...{ step: 0, pending: null, centre: zeros(features), scale, theta, leastScale: 0 },
        ...{ progressive: null, aside: 0, alarm: null },
        ...begin(scale, 1, theta, 0),
      };
    },
    query: ({ theta }: InformationState) => theta,
    question,
    again: ({ pending }: InformationState) => pending !== null,
    step,
    iterate: pointOf,
    rowsBehind: ({ rows }: InformationState) => rows,
    merge: (states: readonly InformationState[]) => states.reduce(merged),
    directions: (state: Knowledge) => directionsOf(state, intercept),
  });
}

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

/** Centre and scale of a column; without an intercept it has no centre, and does not vary while it is 0. */
function placeOf(answer: Vector, j: number, intercept: boolean): [number, number] {
  const [mean, spread] = [answer[COLUMNS.length + 2 * j]!, answer[COLUMNS.length + 2 * j + 1]!];
  return intercept ? [mean, spread] : [0, Math.hypot(mean, spread)];
}

function ridgeOf(scale: Vector, size: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < size; j++) if (scale[j] !== 0) matrix[j * (size + 1)] = RIDGE;
  return matrix;
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

/** Every pivot that is more than rounding counts: the ridge is small beside many rows. */
const factorOf = (matrix: Float64Array, size: number): RankFactor => rankFactor(matrix, size, 0);
const solved = ({ solveFactor, solveTransposed }: RankFactor, v: Vector): Vector => solveTransposed(solveFactor(v));
const sumOf = (a: Float64Array, b: Float64Array): Float64Array => addScaled(a, 1, b);

/** Means of squares with one more value each; what is not a number does not count. */
function meansOf(means: Vector, counts: Vector, values: Vector, most: number): readonly [Vector, Vector] {
  const known = counts.map((count, j) => Math.min(most, Number.isFinite(values[j]!) ? count + 1 : count));
  const next = means.map((mean, j) =>
    Number.isFinite(values[j]!) ? mean + (values[j]! ** 2 - mean) / known[j]! : mean,
  );
  return [next, known];
}

/**
 * a_j with coefficient_j = a_j.theta: 1/s_j for a feature, and for the intercept 1 and -c_j/s_j. `unscaled`: 1 for a
 * feature.
 */
function directionsOf({ centre, scale, theta }: Knowledge, intercept: boolean, unscaled = false): readonly Vector[] {
  const size = theta.length;
  return Array.from({ length: size }, (_, j) => {
    const direction = zeros(size);
    if (j < scale.length) {
      if (scale[j]! > 0 || unscaled) direction[j] = unscaled ? 1 : 1 / scale[j]!;
      return direction;
    }
    if (intercept) for (let l = 0; l < j; l++) if (scale[l]! > 0) direction[l] = -centre[l]! / scale[l]!;
    direction[j] = 1;
    return direction;
  });
}

/**
 * From coordinates to others, in which columns that had no scale may have one:
 *
 *   z = T z',   T_jj = s'_j/s_j,   T_j0 = (c'_j - c_j)/s_j;   th' = T' th,   g' = T^-1 g,   A' = T^-1 A T'^-1
 */
function moveTo(to: Placement, from: Placement, intercept: boolean) {
  const features = to.scale.length;
  const size = features + (intercept ? 1 : 0);
  const stretch = filled(size, 1);
  const shift = zeros(size);
  for (let j = 0; j < features; j++) {
    const own = from.scale[j]! || 1;
    stretch[j] = (to.scale[j]! || 1) / own;
    shift[j] = intercept ? (to.centre[j]! - from.centre[j]!) / own : 0;
  }
  const gradient = (g: Vector): Vector =>
    g.map((value, j) => (value - (j < features && intercept ? shift[j]! * g[features]! : 0)) / stretch[j]!);
  const rows = (matrix: Float64Array): Float64Array => {
    const turned = new Float64Array(size * size);
    for (let j = 0; j < size; j++)
      gradient(matrix.subarray(j * size, (j + 1) * size)).forEach((value, k) => {
        turned[k * size + j] = value;
      });
    return turned;
  };
  return {
    point: (theta: Vector): Vector => {
      const moved = theta.map((value, j) => stretch[j]! * value);
      if (intercept) moved[features]! += dot(shift, theta);
      return moved;
    },
    gradient,
    matrix: (matrix: Float64Array): Float64Array => rows(rows(matrix)),
  };
}
