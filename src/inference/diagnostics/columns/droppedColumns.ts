import type { RankFactor } from '../../../math/rankFactor.ts';
import type { Vector } from '../../../math/vector.ts';
import type { PilotedRun } from '../../fittedRun.ts';
import type { FittedStudy } from '../../pilot/fittedStudy.ts';
import { solveBy } from '../../pilot/risk/curvatureFactor.ts';
import { about, type ExplainOptions, nameOf, type Tell } from '../notes.ts';

type DropReason = 'constant' | 'combination' | 'nearly a combination';

/** Dropped columns, which others determine: their coefficient is 0. None where there is a penalty. */
export function droppedColumns({ rows: { columns }, factor: { kept, near }, standardized: { constant } }: FittedStudy) {
  const whyOf = (column: number): DropReason => {
    if (constant.includes(column)) return 'constant';
    return near.includes(column) ? 'nearly a combination' : 'combination';
  };
  return columns.flatMap((_, column) => (kept.includes(column) ? [] : [{ column, why: whyOf(column) }]));
}

/**
 * The same predictions with coefficient 0 for dropped columns: theirs go to the columns that they are combinations of.
 */
export function withoutDropped(t: Vector, factor: RankFactor, curvature: Float64Array): Vector {
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

export const droppedNotes: Tell = ({ pilot, plan }, options) => {
  const references = plan.intercept ? leftOutLevels(pilot, options) : [];
  const of = (reason: DropReason): readonly string[] =>
    namesDropped(pilot, options, reason).filter(name => !references.includes(name));
  return [
    about(
      references,
      'is the reference level: its coefficient is 0, and those of the other levels are differences from it',
      'are reference levels: their coefficients are 0, and those of the other levels are differences from them',
    ),
    about(
      of('constant'),
      `has one value in ${allOf(pilot)}: its coefficient is 0`,
      `have one value each in ${allOf(pilot)}: their coefficients are 0`,
    ),
    about(
      of('combination'),
      'is a linear combination of other columns in the pilot rows: its coefficient is 0; remove it, or add `penalty`',
      'are linear combinations of other columns in the pilot rows: their coefficients are 0; remove them, or add `penalty`',
    ),
    about(
      of('nearly a combination'),
      'is nearly a linear combination of other columns, up to rounding: its coefficient is 0; use its difference from them instead, remove it, or add `penalty`',
      'are nearly linear combinations of other columns, up to rounding: their coefficients are 0; use their differences from them instead, remove them, or add `penalty`',
    ),
  ];
};

/** A penalty drops no column: it makes the coefficient of a constant one 0. */
export const constantNotes: Tell = ({ pilot }, { names }) => {
  const { constant, dropped } = pilot.columns;
  const found = constant.filter(column => !dropped.some(other => other.column === column));
  return about(
    found.map(column => nameOf(column, names)),
    `has one value in ${allOf(pilot)}: only the penalty determines its coefficient`,
    `have one value each in ${allOf(pilot)}: only the penalty determines their coefficients`,
  );
};

const namesDropped = (
  { columns }: PilotedRun['pilot'],
  { names }: ExplainOptions,
  ...reasons: readonly DropReason[]
): readonly string[] =>
  columns.dropped.flatMap(({ column, why }) => (reasons.includes(why) ? [nameOf(column, names)] : []));

/**
 * Beside an intercept, the declared levels of a text are one too many if they are all levels. Where exactly one is
 * dropped for that, it is the reference of the others.
 */
function leftOutLevels(pilot: PilotedRun['pilot'], options: ExplainOptions): readonly string[] {
  const combined = namesDropped(pilot, options, 'combination', 'nearly a combination');
  return Object.entries(options.categorical ?? {}).flatMap(([text, levels]) => {
    const found = levels.map(level => `${text}=${level}`).filter(name => combined.includes(name));
    return found.length === 1 ? found : [];
  });
}

const allOf = ({ rows: { count } }: PilotedRun['pilot']): string =>
  count === 1 ? 'the one pilot row' : `all ${count} pilot rows`;
