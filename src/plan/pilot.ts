/**
 * What a few rows that no step uses again can tell before a run: which loss suits, a robust first estimate, and coordinates in which the risk around it curves alike in all
 * directions.
 *
 * Features are taken in units of their own (standardized.ts), in which the first estimate is made (firstEstimate.ts).
 *
 *   P -> P'AP = I, A the curvature at the estimate: mean of d slope/d score * x x'
 */
import type { Loss } from '../loss/loss.ts';
import type { NamedLoss } from '../loss/lossByName.ts';
import { squared } from '../loss/squared.ts';
import { ArgumentError, refuse } from '../math/check.ts';
import type { Coordinates } from '../math/coordinates.ts';
import { meanOf } from '../math/meanOf.ts';
import type { RankFactor } from '../math/rankFactor.ts';
import { maxNorm, scaled, type Vector, zeros } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { BENT_ROWS, bentConcentration } from './bentConcentration.ts';
import { curvatureFactor, solveBy } from './curvatureFactor.ts';
import { curvaturesAt } from './curvaturesAt.ts';
import { type CutOff, cutOffTargets } from './cutOffTargets.ts';
import { type FarOut, farOut } from './farOut.ts';
import { type FewTelling, fewTelling } from './fewTelling.ts';
import { firstEstimate, hasEstimate, type Study } from './firstEstimate.ts';
import { ROWS_PER_COEFFICIENT } from './layout.ts';
import { type LeftOutGroup, leftOutGroups } from './leftOutGroups.ts';
import { type MissingCode, missingCodes } from './missingCodes.ts';
import { skewOf } from './skew.ts';
import { type SlopesOfMean, slopesOfMean } from './slopesOfMean.ts';
import { type Standardized, standardize } from './standardized.ts';
import { twoValues } from './twoValues.ts';
import { unboundedColumns } from './unboundedColumns.ts';
import { slopeOfSlope, type WeightedRisk, weightedRisk } from './weightedRisk.ts';

export type WhyLeftOut = 'constant' | 'combination' | 'nearly a combination';

export interface Pilot {
  readonly rows: number;
  /** How many of them count at all. */
  readonly counting: number;
  readonly loss: NamedLoss;
  /** A first estimate, with the intercept last where there is one. */
  readonly start: Vector;
  /** Whether the start is the loss's own estimate over these rows, as good as a step's on as many. */
  readonly isEstimate: boolean;
  /** Where the curvature at the start is the identity. */
  readonly coordinates: Coordinates;
  /** How much rows count by their features; null where they count alike. */
  readonly rowWeights: ((batch: SampleBatch) => Float64Array) | null;
  /** In those coordinates, the squared error of an estimate from n rows is the n-th part of this. */
  readonly noise: number;
  /** How many times as much the loss bends at a residual of 0 as on average: a row that the fit goes through seems to tell so much more than others. 1 for other losses than robust ones. */
  readonly bendAtFit: number;
  /** 1.4826 times the median absolute residual, or 1.2533 times the mean one where most targets are the same; 0 for other targets than linear ones. */
  readonly residualScale: number;
  /** The share of rows whose residuals are further off than FAR_OFF scales; 0 for other targets than linear ones. */
  readonly farShare: number;
  /** The targets where they have just two values; null otherwise, and for other targets than linear ones. */
  readonly twoTargets: readonly [number, number] | null;
  /** Bounds that many targets are exactly at, though few of the others are alike (cutOffTargets.ts); none for other targets than linear ones. */
  readonly cutOff: readonly CutOff[];
  /** Values of columns that seem to stand for what is missing (missingCodes.ts). */
  readonly missingCodes: readonly MissingCode[];
  /** Whether every target is a whole number of 0 or more, as counts are; false for other targets than linear ones. */
  readonly areCounts: boolean;
  /** How much further residuals go above a robust fit than below it, from -1 to 1 (skew.ts); 0 where that is slight, and for other losses. */
  readonly skew: number;
  /** Where least squares would have other slopes though no row is far off; null where it would not, for other losses, and beside a penalty. */
  readonly slopesOfMean: SlopesOfMean | null;
  /** Rows far out in their features, which the loss counts fully; null where it leaves far rows out itself, or where there is no finite estimate. */
  readonly farOut: Omit<FarOut, 'concentration'> | null;
  /** sqrt(sum of d^4) / sum of d^2, d^2 the leverage of rows: near 1 where one row has most of it. */
  readonly concentration: number;
  /** Whether a few rows have most of the curvature of a generalized linear model (bentConcentration.ts), as where counts grow along a skewed feature. */
  readonly isBentByFew: boolean;
  /** Of all weight, the share of the row that counts most. */
  readonly heaviest: number;
  /** Columns that leave their usual value in so few rows that the curvature along them is rough. */
  readonly rare: readonly { readonly column: number; readonly rows: number }[];
  /** Coefficients that few rows decide though their columns are not rare (fewTelling.ts), as where the reference of a text has few. */
  readonly few: readonly FewTelling[];
  /** Columns whose telling rows a loss that leaves far rows out does not count in good part. */
  readonly leftOutGroups: readonly LeftOutGroup[];
  /** The same of rows that lie far out in a column. */
  readonly leftOutFar: readonly LeftOutGroup[];
  /** How many rows have an event, or a class in doubt; null where these are many, or where the target is no class or count. */
  readonly fewEvents: number | null;
  /** Why more rows would tell much more; null where they would not. */
  readonly thin: Thin | null;
  /** Whether classes are told apart without error, so that there is no finite estimate. */
  readonly isApart: boolean;
  /** Whether the parameter of a robust loss is so far below the residuals that hardly any row tells the curvature. */
  readonly isTooNarrow: boolean;
  /** Columns along which there is no finite estimate (unboundedColumns.ts). */
  readonly unbounded: readonly number[];
  /** Columns that have one value in all rows that count, beside an intercept. */
  readonly constant: readonly number[];
  /** Columns that say nothing of their own, and why; a penalty leaves none out. */
  readonly leftOut: readonly { readonly column: number; readonly why: WhyLeftOut }[];
}

/** Few rows leave the usual value of a column, count much, have classes in doubt or events, or are within reach of the loss; or a few have most of the leverage, or of the curvature. */
export type Thin =
  | { readonly few: 'rows of a column'; readonly column: number }
  | { readonly few: 'weights' | 'events' | 'rows within reach' | 'rows with leverage' };

export interface PilotOptions {
  /** `auto`: logistic where the targets are all 0 or 1, squared where they have two other values, or most the same, otherwise one that leaves far rows out, tuned to the residuals. */
  readonly loss: NamedLoss | 'auto';
  readonly penalty?: number;
  readonly intercept: boolean;
  /** Rows of the whole run, which the loss is tuned for. */
  readonly runRows?: number;
  /** Names of the columns, for messages. */
  readonly names?: readonly string[];
}

/** In residual scales: one normal residual in five hundred million is so far off. */
export const FAR_OFF = 6;

export function studyPilot(given: SampleBatch, options: PilotOptions): Pilot {
  const { loss: wanted, intercept, penalty = 0, runRows = given.rows, names = [] } = options;
  requireUsable(given, names);
  const batch = rowsThatCount(given);
  const standardized = standardize(batch, intercept);
  const size = batch.columns.length + (intercept ? 1 : 0);
  // What rows tell is held against how many there are, so that here a row does so once on average.
  const { unit, effective } = countsOf(batch);
  // Means of the run are over all rows, those that do not count among them.
  const share = batch.rows / given.rows;
  const unitOfRun = unit * share;
  const study: Study = {
    batch: standardized.batch,
    weights: batch.weights?.map(weight => weight / unit) ?? new Float64Array(batch.rows).fill(1),
    intercept,
    penalties: penaltiesOf(standardized, size, penalty / unitOfRun),
  };
  const {
    loss,
    t: first,
    isEstimate,
    isApart = false,
    concentration = 0,
    residualScale,
    leverage,
    weights,
  } = firstEstimate(study, { loss: wanted, runRows: share * runRows });

  const weighed = { ...study, weights: weights ?? study.weights };
  const risk = weightedRisk(study.batch, weighed);
  const { curvature, slopes, bends, rising } = curvatureAt(weighed, loss.loss, first, risk);
  const factor = curvatureFactor(curvature, size, intercept);
  // A penalty leaves directions, but none that rows tell of.
  if (factor.kept.length === 0 || rising === 0) {
    throw new ArgumentError(
      `no direction is left to go: ${loss.loss.name} leaves out every row, or all columns are 0; ${loss.parameter === undefined ? 'look at the data with inspect' : 'give it a larger parameter, in units of the target'}`,
    );
  }
  const t = withoutLeftOut(first, factor, curvature);
  const isLinear = residualScale > 0;
  const residuals = isLinear ? risk.residuals(t, new Float64Array(batch.rows)) : new Float64Array();
  const whyLeftOut = (column: number): WhyLeftOut => {
    if (standardized.constant.includes(column)) return 'constant';
    return factor.near.includes(column) ? 'nearly a combination' : 'combination';
  };
  const leftOut = batch.columns.flatMap((_, column) =>
    factor.kept.includes(column) ? [] : [{ column, why: whyLeftOut(column) }],
  );
  const far = COUNT_FULLY.includes(loss.name) && !isApart ? farOut(study, loss.loss, first) : null;
  const unbounded =
    loss.loss.targets.least > -Infinity && !isApart && penalty === 0
      ? unboundedColumns(risk, { loss: loss.loss, t: first, bend: bends / batch.rows, intercept })
      : [];
  // A slope that is too small by chance hides how counts bend far out, but not how far out rows are.
  const bent =
    loss.loss.targets.least === -Infinity || isApart
      ? 0
      : Math.max(
          bentConcentration(weighed, { loss: loss.loss, t, risk, factor }),
          loss.name === 'poisson' ? far!.concentration : 0,
        );
  const isBentByFew =
    bent > Math.max(BENT_BY_FEW, BENT_BY_CHANCE / Math.sqrt(Math.min(batch.rows, BENT_ROWS)));
  const rare = rareOf(study.batch, standardized.constant);
  const coordinates: Coordinates = {
    size,
    rank: factor.kept.length,
    toTheta: phi => scaled(standardized.toTheta(factor.solveTransposed(phi)), 1 / Math.sqrt(unitOfRun)),
    ofGradient: gradient =>
      scaled(factor.solveFactor(standardized.ofGradient(gradient)), 1 / Math.sqrt(unitOfRun)),
  };
  const few = fewTelling(
    { ...batch, weights: weighed.weights },
    {
      coordinates,
      bend: (unitOfRun * bends) / batch.rows,
      few: Math.min(FEW_TELLING, batch.rows / FAR_FEWER),
    },
  ).filter(({ column }) => !rare.some(other => other.column === column));
  // A class that might as well be the other bends by 1/4, a count by what is expected of it.
  const telling = loss.name === 'logistic' ? 4 * bends : loss.name === 'poisson' ? bends : Infinity;
  const hasFewEvents =
    loss.loss.targets.least > -Infinity && !isApart && bends < EVENTS_PER_COEFFICIENT * size;
  // A row far below the parameter of a robust loss bends by 1, and one far beyond it by next to nothing.
  const isTooNarrow =
    loss.parameter !== undefined && rising < Math.min(ROWS_PER_COEFFICIENT * size, NARROW * batch.rows);
  const whyThin = (): Thin | null => {
    const enough = ROWS_PER_COEFFICIENT * size;
    const [column] = [
      ...[...rare, ...few].map(({ column }) => column),
      ...standardized.constant,
      ...unbounded,
    ];
    if (column !== undefined) return { few: 'rows of a column', column };
    if (effective < enough) return { few: 'weights' };
    if (telling < enough) return { few: 'events' };
    if (isTooNarrow) return { few: 'rows within reach' };
    const isLed = Math.max(concentration, far?.concentration ?? 0) > MOST_CONCENTRATED || isBentByFew;
    return isLed ? { few: 'rows with leverage' } : null;
  };
  const ofMean =
    isLinear && hasEstimate(loss.loss) && penalty === 0
      ? slopesOfMean(study, { loss: loss.loss, t, weights: weighed.weights, reach: FAR_OFF * residualScale })
      : null;
  const groupsLeftOut = (of: 'levels' | 'numbers'): readonly LeftOutGroup[] =>
    isLinear && LEAVE_OUT.includes(loss.name)
      ? leftOutGroups(study.batch, residuals, { loss: loss.loss, of })
      : [];
  return Object.freeze({
    rows: given.rows,
    counting: batch.rows,
    loss,
    start: standardized.toTheta(t),
    isEstimate,
    coordinates,
    noise: factor.kept.length * slopes * unit,
    rowWeights:
      leverage === undefined
        ? null
        : (batch: SampleBatch) =>
            leverage.weights(leverage.squares(standardized.columnsOf(batch), batch.rows)),
    bendAtFit:
      isLinear && hasEstimate(loss.loss) && bends > 0
        ? Math.max(1, (slopeOfSlope(loss.loss, 0, 0) * batch.rows) / bends)
        : 1,
    residualScale,
    twoTargets: isLinear ? twoValues(batch) : null,
    cutOff: isLinear ? cutOffTargets(batch) : [],
    missingCodes: missingCodes(batch),
    areCounts: isLinear && batch.target.every(isCount),
    farShare: isLinear ? shareBeyond(FAR_OFF * residualScale, residuals, study) : 0,
    skew:
      isLinear && hasEstimate(loss.loss)
        ? skewOf(residuals, { weights: batch.weights, scale: residualScale, reach: FAR_OFF })
        : 0,
    slopesOfMean: ofMean && { ...ofMean, theta: standardized.toTheta(ofMean.theta) },
    farOut: far && { ...far, without: far.without && standardized.toTheta(far.without) },
    concentration: far?.concentration ?? concentration,
    isBentByFew,
    heaviest: maxNorm(study.weights) / study.weights.reduce((sum, weight) => sum + weight, 0),
    rare,
    few,
    leftOutGroups: groupsLeftOut('levels'),
    leftOutFar: groupsLeftOut('numbers'),
    fewEvents: hasFewEvents ? Math.max(1, Math.round(bends)) : null,
    thin: whyThin(),
    isTooNarrow,
    isApart,
    unbounded,
    constant: standardized.constant,
    leftOut,
  });
}

const isCount = (target: number): boolean => target >= 0 && Number.isInteger(target);

/** Without rows of weight 0, so that nothing is made of them, and without weights where all others count once. */
function rowsThatCount(batch: SampleBatch): SampleBatch {
  const { columns, target, weights } = batch;
  if (weights === undefined || !weights.includes(0)) return batch;
  const counts = (_: number, i: number): boolean => i < batch.rows && weights[i] !== 0;
  const kept = weights.filter(counts);
  const rows = kept.length;
  return {
    rows,
    columns: columns.map(column => column.filter(counts)),
    target: target.filter(counts),
    ...(kept.some(weight => weight !== 1) && { weights: kept }),
  };
}

/** The mean weight, and how many rows of equal weight would tell as much: (sum of w)^2 / sum of w^2. */
function countsOf({ rows, weights }: SampleBatch): { readonly unit: number; readonly effective: number } {
  if (weights === undefined) return { unit: 1, effective: rows };
  const largest = maxNorm(weights);
  let [sum, squares] = [0, 0];
  for (const weight of weights) {
    sum += weight / largest;
    squares += (weight / largest) ** 2;
  }
  return { unit: (sum / rows) * largest, effective: sum ** 2 / squares };
}

/** The same predictions with 0 for columns that are left out: what they had goes to the columns that make them up. */
function withoutLeftOut(t: Vector, factor: RankFactor, curvature: Float64Array): Vector {
  const { size, kept } = factor;
  const found = t.slice();
  for (let j = 0; j < size; j++) {
    if (kept.includes(j)) continue;
    const made = solveBy(factor, curvature.subarray(j * size, (j + 1) * size));
    for (const k of kept) found[k]! += made[k]! * t[j]!;
    found[j] = 0;
  }
  return found;
}

/** Losses that count a row by its residual alone, and a large one fully. */
const COUNT_FULLY = ['logistic', 'poisson', 'squared', 'pseudo-huber'];

/** Losses that hardly count a row far off, or not at all. */
const LEAVE_OUT = ['tukey', 'geman-mcclure'];

/** Normal features of 100 rows a coefficient have 0.1 and less. */
const MOST_CONCENTRATED = 0.1;

/** Rows with so much of a curvature have others of their kind, with yet more of it, among the rows that the pilot has not seen. */
const BENT_BY_FEW = 0.03;

/** n rows of normal features have 1.3/sqrt n or less, of exponential ones 2 to 3. */
const BENT_BY_CHANCE = 2.5;

/** Of the rows; at 1.345 residual scales four in five do. */
const NARROW = 0.1;

/** With fewer, the fit has gone towards each of them, and rows say too little of how far: intervals of 95 % held 75 to 80 % with one event a coefficient, 89 % with two. */
const EVENTS_PER_COEFFICIENT = 5;

const FEW_TELLING = 100;
/** Of normal features a third of the rows tell, of those with ten times their kurtosis a thirtieth, though no column makes up others. */
const FAR_FEWER = 30;

/** In standardized units the usual value is 0. */
function rareOf({ rows, columns }: SampleBatch, constant: readonly number[]): Pilot['rare'] {
  return columns.flatMap((values, column) => {
    if (constant.includes(column)) return [];
    const telling = values.length - zerosIn(values);
    return telling < Math.min(FEW_TELLING, rows / 10) ? [{ column, rows: telling }] : [];
  });
}

/** In a function of its own, which is compiled once for all columns. */
function zerosIn(values: Float64Array): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] === 0) count++;
  return count;
}

const shareBeyond = (limit: number, values: Float64Array, { weights }: Pick<Study, 'weights'>): number =>
  meanOf(
    values.map(value => (Math.abs(value) > limit ? 1 : 0)),
    weights,
  );

/** gamma/2 theta_j^2 is gamma/(2 s_j^2) t_j^2, and the intercept's is 0. */
function penaltiesOf({ scales }: Standardized, size: number, penalty: number): Vector {
  const penalties = zeros(size);
  scales.forEach((scale, j) => {
    penalties[j] = penalty / scale ** 2;
  });
  return penalties;
}

/** The curvature at a point; mean slope^2 over mean bend, which is the noise of one coordinate; and the sums of all bends and of those above 0. */
function curvatureAt(
  { batch, weights, penalties, intercept }: Study,
  loss: Loss,
  t: Vector,
  risk: WeightedRisk,
): { curvature: Float64Array; slopes: number; bends: number; rising: number } {
  const { target, rows } = batch;
  const residuals = risk.residuals(t, new Float64Array(rows));
  let [squares, bends, rising] = [0, 0, 0];
  for (let i = 0; i < rows; i++) {
    const score = target[i]! - residuals[i]!;
    squares += (weights[i]! * loss.slope(score, target[i]!)) ** 2;
    const bend = weights[i]! * slopeOfSlope(loss, score, target[i]!);
    bends += bend;
    rising += Math.max(0, bend);
  }
  const slopes = squares / bends;
  return { curvature: safeCurvature(bends / rows), slopes, bends, rising };

  /** Where rows that count leave a direction open, all rows do, at the average bend. */
  function safeCurvature(level: number): Float64Array {
    const size = penalties.length;
    const rankOf = (matrix: Float64Array): number => curvatureFactor(matrix, size, intercept).kept.length;
    const { own, weighted, above } = curvaturesAt(risk, loss, t);
    const rankAbove = rankOf(above);
    // No matrix has more, and the moments take a look at all rows.
    if (rankAbove === size) return own;
    const moments = risk.derivatives(squared(), t).curvature;
    const rank = rankOf(moments);
    if (rankAbove === rank) return own;
    if (rankOf(weighted) === rank) return weighted;
    return moments.map((value, at) => {
      const penalty = at % (size + 1) === 0 ? penalties[at / (size + 1)]! : 0;
      return level * (value - penalty) + penalty;
    });
  }
}

/** Squares of larger values overflow, or their sums. */
export const LARGEST_VALUE = 1e150;

function requireUsable(batch: SampleBatch, names: readonly string[]): void {
  if (batch.weights?.every(weight => weight === 0)) {
    throw new ArgumentError(
      `none of the ${batch.rows} pilot rows counts: all have weight 0, or values that cannot be used; sluice inspect tells which columns have none`,
    );
  }
  const odd = batch.weights?.find(weight => !(weight >= 0 && weight < Infinity));
  if (odd !== undefined) refuse('weights', 'be finite numbers of 0 or more', odd);
  const large = [...batch.columns, batch.target].flatMap((column, j) => {
    if (maxNorm(column) <= LARGEST_VALUE) return [];
    const name = j < batch.columns.length ? `column ${JSON.stringify(names[j] ?? j)}` : 'the target';
    const odd = column.find(value => !Number.isFinite(value));
    if (odd !== undefined) refuse(name, 'hold finite numbers', odd);
    const beyond = column.filter(value => Math.abs(value) > LARGEST_VALUE);
    return [
      `${name} (${beyond[0]}${beyond.length > 1 ? ` and ${beyond.length - 1} more` : ''} of ${batch.rows})`,
    ];
  });
  if (large.length > 0) {
    throw new ArgumentError(
      `values beyond ${LARGEST_VALUE} are too large to square, in ${large.join(', ')}; mend or leave out the rows that have them, or if all values are so large, divide them by a power of ten`,
    );
  }
}
