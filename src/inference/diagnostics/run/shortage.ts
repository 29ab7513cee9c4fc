import type { NamedLoss } from '../../../method/loss/lossByName.ts';
import { ROWS_PER_COEFFICIENT } from '../../../plan/layout.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import type { WeightSummary } from '../../pilot/standardized.ts';
import type { Pilot } from '../../pilot/studyPilot.ts';
import { quoted } from '../notes.ts';

/**
 * Few rows have another value than the usual one of a column, most of the weight, an event or a class in doubt, or a
 * residual within reach of the loss; or a few rows have most of the leverage or of the curvature.
 */
export type Shortage =
  | { readonly few: 'rows of a column'; readonly column: number }
  | { readonly few: 'weights' | 'events' | 'rows within reach' | 'rows with leverage' };

/** Normal features of 100 rows per coefficient have 0.1 and less. */
const MOST_CONCENTRATED = 0.1;

/**
 * What the pilot's rows are short of: the reason why its curvature is rough, so that a wider pilot would be much
 * better.
 *
 * Null where the pilot is short of nothing.
 */
export function shortageOf(
  { study, estimate: first, curvature }: FittedStudy,
  { estimate, columns, leverage }: Omit<Pilot, 'shortage'>,
  { effectiveRows }: WeightSummary,
): Shortage | null {
  const enough = ROWS_PER_COEFFICIENT * study.penalties.length;
  const { rare, weak, constant, unbounded } = columns;
  const [column] = [...[...rare, ...weak].map(({ column }) => column), ...constant, ...unbounded];
  if (column !== undefined) return { few: 'rows of a column', column };
  if (effectiveRows < enough) return { few: 'weights' };
  if (eventsIn(first.loss, curvature.total) < enough) return { few: 'events' };
  if (estimate.isLossTooNarrow) return { few: 'rows within reach' };
  const concentration = Math.max(first.concentration ?? 0, leverage.concentration);
  return concentration > MOST_CONCENTRATED || leverage.isCurvatureConcentrated ? { few: 'rows with leverage' } : null;
}

/** The effective number of events: a class at even odds has curvature 1/4, a count its expected value. */
const eventsIn = ({ name }: NamedLoss, curvature: number): number =>
  name === 'logistic' ? 4 * curvature : name === 'poisson' ? curvature : Infinity;

export function fewOf(thin: Shortage, names: readonly string[]): string {
  switch (thin.few) {
    case 'rows of a column':
      return `determine ${thin.column === names.length ? 'the intercept' : quoted(thin.column, names)}`;
    case 'weights':
      return 'have most of the weight';
    case 'events':
      return 'have an event or an uncertain class';
    case 'rows within reach':
      return 'are within reach of the loss';
    case 'rows with leverage':
      return 'have most of the leverage';
  }
}
