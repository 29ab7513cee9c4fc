/** Where few rows of the pilot decide, so that more of them would tell much more. */
import type { NamedLoss } from '../loss/lossByName.ts';
import type { Coordinates } from '../math/coordinates.ts';
import type { RankFactor } from '../math/rankFactor.ts';
import type { Vector } from '../math/vector.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import { CONCENTRATION_ROWS, curvatureConcentration } from './curvatureConcentration.ts';
import { type HighLeverage, highLeverage } from './highLeverage.ts';
import type { Pilot, Shortage } from './pilot.ts';
import { rareColumns } from './rareColumns.ts';
import type { Study } from './study.ts';
import { unboundedColumns } from './unboundedColumns.ts';
import { weakCoefficients } from './weakCoefficients.ts';
import type { WeightedRisk } from './weightedRisk.ts';

export type InformationDiagnostics = Pick<
  Pilot,
  | 'highLeverage'
  | 'concentration'
  | 'isCurvatureConcentrated'
  | 'rareColumns'
  | 'weakCoefficients'
  | 'fewEvents'
  | 'rarerClass'
  | 'isTooNarrow'
  | 'unboundedColumns'
  | 'shortage'
>;

/** What a pilot should have, for the curvature that steps on fresh chunks take from it. */
export const ROWS_PER_COEFFICIENT = 100;

/** Losses that count a row by its residual alone, and a large one fully. */
const UNBOUNDED_BY_LEVERAGE = ['logistic', 'poisson', 'squared', 'pseudo-huber'];

/** Normal features of 100 rows a coefficient have 0.1 and less. */
const MOST_CONCENTRATED = 0.1;

/**
 * Rows with so much of a curvature have others of their kind, with yet more of it, among the rows that the pilot has
 * not seen.
 */
const CONCENTRATED = 0.03;

/** n rows of normal features have 1.3/sqrt n or less, of exponential ones 2 to 3. */
const CONCENTRATED_BY_CHANCE = 2.5;

/** Of the rows; at 1.345 residual scales four in five do. */
const NARROW = 0.1;

/**
 * With fewer, the fit has gone towards each of them, and rows say too little of how far: intervals of 95 % held 75 to
 * 80 % with one event a coefficient, 89 % with two.
 */
const EVENTS_PER_COEFFICIENT = 5;

const FEW_ROWS = 100;
/**
 * Of normal features a third of the rows tell, of those with ten times their kurtosis a thirtieth, though no column
 * makes up others.
 */
const FAR_FEWER = 30;

export interface CurvedStudy {
  readonly loss: NamedLoss;
  /** The first estimate, and the same without columns that are left out. */
  readonly first: Vector;
  readonly t: Vector;
  readonly isSeparated: boolean;
  /** Of leverage, as far as the first estimate knows it (leverage.ts). */
  readonly concentration: number;
  /** By leverage too, where that counts. */
  readonly weights: Float64Array;
  readonly risk: WeightedRisk;
  readonly factor: RankFactor;
  /** Sums over rows of how much the loss bends, and of that where it is above 0. */
  readonly bends: number;
  readonly rising: number;
  readonly coordinates: Coordinates;
  /** The mean weight of the run's rows. */
  readonly unitOfRun: number;
  /** How many rows of equal weight would tell as much. */
  readonly effective: number;
  readonly constant: readonly number[];
  readonly toTheta: (t: Vector) => Vector;
}

/** `rows` are those of the study in the units of the data. */
export function informationDiagnostics(
  study: Study,
  rows: SampleBatch,
  curved: CurvedStudy,
): InformationDiagnostics {
  const { loss, first, isSeparated, risk, factor, bends, rising, constant, toTheta } = curved;
  const { batch, penalties, intercept } = study;
  const size = penalties.length;
  const isGeneral = loss.loss.targets.least > -Infinity;
  const far =
    UNBOUNDED_BY_LEVERAGE.includes(loss.name) && !isSeparated ? highLeverage(study, loss.loss, first) : null;
  const unbounded =
    isGeneral && !isSeparated && penalties.every(penalty => penalty === 0)
      ? unboundedColumns(risk, { loss: loss.loss, t: first, bend: bends / batch.rows, intercept })
      : [];
  const isCurvatureConcentrated = isGeneral && !isSeparated && isLedByFew(study, curved, far);
  const rare = rareColumns(batch, { constant, few: FEW_ROWS });
  const weak = weakCoefficients(
    { ...rows, weights: curved.weights },
    {
      coordinates: curved.coordinates,
      bend: (curved.unitOfRun * bends) / batch.rows,
      few: Math.min(FEW_ROWS, batch.rows / FAR_FEWER),
    },
  ).filter(({ column }) => !rare.some(other => other.column === column));
  const concentration = far?.concentration ?? curved.concentration;
  const enough = ROWS_PER_COEFFICIENT * size;
  // A row far below the parameter of a robust loss bends by 1, and one far beyond it by next to nothing.
  const isTooNarrow = loss.parameter !== undefined && rising < Math.min(enough, NARROW * batch.rows);
  const shortageOf = (): Shortage | null => {
    const [column] = [...[...rare, ...weak].map(({ column }) => column), ...constant, ...unbounded];
    if (column !== undefined) return { few: 'rows of a column', column };
    if (curved.effective < enough) return { few: 'weights' };
    if (eventsIn(loss, bends) < enough) return { few: 'events' };
    if (isTooNarrow) return { few: 'rows within reach' };
    const isLed =
      Math.max(curved.concentration, concentration) > MOST_CONCENTRATED || isCurvatureConcentrated;
    return isLed ? { few: 'rows with leverage' } : null;
  };
  const hasFewEvents = isGeneral && !isSeparated && bends < EVENTS_PER_COEFFICIENT * size;
  return {
    highLeverage: far && {
      ...far,
      estimates: far.estimates && {
        without: toTheta(far.estimates.without),
        all: toTheta(far.estimates.all),
      },
    },
    concentration,
    isCurvatureConcentrated,
    rareColumns: rare,
    weakCoefficients: weak,
    fewEvents: hasFewEvents ? Math.max(1, Math.round(bends)) : null,
    rarerClass: hasFewEvents && loss.name === 'logistic' ? rarerIn(rows.target) : null,
    isTooNarrow,
    unboundedColumns: unbounded,
    shortage: shortageOf(),
  };

  /** A slope that is too small by chance hides how counts bend far out, but not how far out rows are. */
  function isLedByFew(study: Study, { loss, t, weights }: CurvedStudy, far: HighLeverage | null): boolean {
    const bent = Math.max(
      curvatureConcentration({ ...study, weights }, { loss: loss.loss, t, risk, factor }),
      loss.name === 'poisson' ? far!.concentration : 0,
    );
    return (
      bent >
      Math.max(CONCENTRATED, CONCENTRATED_BY_CHANCE / Math.sqrt(Math.min(batch.rows, CONCENTRATION_ROWS)))
    );
  }
}

/** Of targets of 0 and 1. */
function rarerIn(target: Float64Array): number {
  const ones = target.reduce((count, value) => (value === 1 ? count + 1 : count), 0);
  return Math.min(ones, target.length - ones);
}

/** Rows' worth of events: a class that might as well be the other bends by 1/4, a count by what is expected of it. */
const eventsIn = ({ name }: NamedLoss, bends: number): number =>
  name === 'logistic' ? 4 * bends : name === 'poisson' ? bends : Infinity;
