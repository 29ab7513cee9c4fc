/** Columns that the rows determine poorly or not at all, and columns with codes for missing values. */
import type { Coordinates } from '../../math/coordinates.ts';
import { isGlm } from '../../method/loss/glm.ts';
import type { FittedStudy } from '../pilot/fittedStudy.ts';
import { type CollinearColumns, collinearColumns } from './collinearColumns.ts';
import { type DroppedColumn, droppedColumns } from './droppedColumns.ts';
import { type MissingCode, missingCodes } from './missingCodes.ts';
import { type RareColumn, rareColumns } from './rareColumns.ts';
import { unboundedColumns } from './unboundedColumns.ts';
import { type WeakCoefficient, weakCoefficients } from './weakCoefficients.ts';

export interface ColumnDiagnostics {
  /** Beside an intercept, columns with one value in all rows of positive weight. */
  readonly constant: readonly number[];
  /** Columns without a coefficient of their own, and why; none where there is a penalty. */
  readonly dropped: readonly DroppedColumn[];
  /** Groups of nearly collinear columns. */
  readonly collinear: readonly CollinearColumns[];
  /** Columns that leave their usual value in so few rows that the curvature along them is rough. */
  readonly rare: readonly RareColumn[];
  /** Other coefficients that few rows determine, as where few rows have the reference level of a text. */
  readonly weak: readonly WeakCoefficient[];
  /** Columns along which a generalized linear model has no finite estimate. */
  readonly unbounded: readonly number[];
  readonly missingCodes: readonly MissingCode[];
}

/** Fewer rows than this are few. */
const FEW_ROWS = 100;

/**
 * With normal features a third of the rows determine a coefficient; with features of ten times their kurtosis a
 * thirtieth, though no columns are collinear.
 */
const FAR_FEWER = 30;

export function columnDiagnostics(
  fitted: FittedStudy,
  { coordinates, meanWeight }: { readonly coordinates: Coordinates; readonly meanWeight: number },
): ColumnDiagnostics {
  const { study, rows, standardized, estimate, weights, risk, curvature, factor } = fitted;
  const { batch, penalties, intercept } = study;
  const { loss, isSeparated = false } = estimate;
  const { constant } = standardized;
  const meanCurvature = curvature.total / batch.rows;
  const rare = rareColumns(batch, { constant, few: FEW_ROWS });
  const weak = weakCoefficients(
    { ...rows, weights },
    {
      coordinates,
      bend: (meanWeight * curvature.total) / batch.rows,
      few: Math.min(FEW_ROWS, batch.rows / FAR_FEWER),
    },
  );
  const mayBeUnbounded = isGlm(loss) && !isSeparated && penalties.every(penalty => penalty === 0);
  return {
    constant,
    dropped: droppedColumns(rows.columns.length, factor, constant),
    collinear: collinearColumns(curvature.matrix, { factor, intercept, columns: rows.columns }),
    rare,
    weak: weak.filter(({ column }) => !rare.some(other => other.column === column)),
    unbounded: mayBeUnbounded
      ? unboundedColumns(risk, { loss: loss.loss, t: estimate.t, bend: meanCurvature, intercept })
      : [],
    missingCodes: missingCodes(rows),
  };
}
