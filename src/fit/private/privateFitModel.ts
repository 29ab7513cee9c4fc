import { ArgumentError, refuse } from '../../errors.ts';
import { type AskedOfPlanner, explainPrivate } from '../../inference/diagnostics/explainPrivate.ts';
import type { PrivateFit } from '../../inference/fittedRun.ts';
import { privateUncertainty } from '../../inference/intervals/private/privateUncertainty.ts';
import type { NamedLoss } from '../../method/loss/lossByName.ts';
import type { Model } from '../../model/model.ts';
import type { MomentPlan, PrivatePlan } from '../../plan/private/planPrivate.ts';
import { requireKept } from '../../privacy/gaussianNoise.ts';
import { integerRelease } from '../../privacy/integerNoise.ts';
import type { Interval } from '../../sample/transform/scaling.ts';
import { toDigits } from '../../words.ts';
import type { EstimatedRows } from '../estimateModel.ts';
import { modelRecord, namedUncertainty } from '../modelRecord.ts';

/** What was asked for and declared, which neither plan nor fit knows. */
export interface PrivateRows extends Pick<EstimatedRows, 'target' | 'names' | 'categorical' | 'times' | 'set'> {
  /** In the units of the data; the plan has that of scaled rows. */
  readonly loss: NamedLoss;
  /** The planner's options. */
  readonly asked: AskedOfPlanner;
  /** How many rows were read; as many as were planned for unless given. */
  readonly read?: number;
  /** As declared, by columns. */
  readonly bounds?: Readonly<Record<string, Interval>>;
  readonly normBound?: number;
  /** The column that names whom the guarantee protects, where that is not a row. */
  readonly unit?: string;
  /** Where a theorem prescribed the plan. */
  readonly theorem?: NonNullable<Model['plan']['theorem']>;
  /** Where the run stands in a ledger file. */
  readonly file?: NonNullable<Model['ledger']['file']>;
  /** What should be told of the request itself; told first. */
  readonly warnings?: readonly string[];
}

/**
 * What `fitPrivate` found, as the model file that reports, predictions and evaluations take: coefficients by name,
 * intervals, choices, notes and the account of what was spent. It holds released values and public facts only.
 */
export function privateFitModel(
  found: PrivateFit,
  privatePlan: PrivatePlan,
  {
    target,
    names,
    categorical = {},
    times = [],
    set,
    loss,
    asked,
    read = privatePlan.plan.rows,
    bounds = {},
    normBound,
    unit,
    theorem,
    file,
    warnings = [],
  }: PrivateRows,
): Model {
  const { plan, noise, clip, unitRows, moments, tail, scaling } = privatePlan;
  const { epsilon, delta, calibration, lipschitz } = plan.privacy!;
  const { ledger } = found.fit;
  const { isPrivate } = ledger;
  requireOwnPlan(found, privatePlan, unit);
  const told = explainPrivate(found, privatePlan, { asked, isByTheorem: theorem !== undefined, names });
  const notes = [...warnings, ...told.notes];
  return modelRecord(
    { fit: found.fit, plan, loss },
    {
      theta: found.theta,
      names,
      read,
      invalid: null,
      ...(told.choices.length > 0 && { choices: told.choices }),
      ...(notes.length > 0 && { notes }),
      ...uncertaintyOf(found, privatePlan, names),
      target,
      categorical,
      times,
      plan: {
        mode: plan.mode,
        steps: plan.steps.length,
        chunks: plan.mode === 'full' ? null : plan.steps.map(step => step.rows),
        tail,
        blocks: plan.steps[0]!.blocks,
        aggregate: plan.steps[0]!.blocks === 1 ? 'mean' : 'median-of-means',
        calibration,
        bounds,
        ...(normBound !== undefined && { normBound }),
        lipschitz,
        ...(set && { set: set.kind, radius: set.radius }),
        ...(clip !== null && { clip }),
        ...(scaling.rowLength !== undefined && { rowLength: scaling.rowLength }),
        ...(moments && { moments: momentAccount(moments, plan) }),
        ...(unit !== undefined && { unit, maxPerUnit: unitRows }),
        ...(theorem && { theorem }),
      },
      ledger: {
        private: isPrivate,
        ...(!isPrivate && { note: 'NOT PRIVATE (seeded)' }),
        epsilon: isPrivate ? epsilon : null,
        delta: isPrivate ? delta : null,
        mu: isPrivate ? ledger.mu : null,
        rho: isPrivate ? ledger.rho : null,
        slack: noise.slack,
        unit: unit ?? 'row',
        ...(file && { file }),
        entries: ledger.entries,
      },
    },
  );
}

/**
 * The model states the plan's epsilon, delta and unit, so the run must have spent what that plan's noise costs, and
 * that must keep what is stated.
 */
function requireOwnPlan({ fit }: PrivateFit, { plan, noise }: PrivatePlan, unit: string | undefined): void {
  const { isPrivate, mu } = fit.ledger;
  if (!isPrivate) return;
  if (!(mu <= noise.mu * (1 + ROUNDING))) {
    throw new ArgumentError(
      `the fit has spent mu ${mu}, but the plan is for ${noise.mu}; give the plan that the fit was made with`,
      'ERR_CONFLICT',
      { arguments: ['found', 'plan'], mu },
    );
  }
  requireKept('the ledger', mu, plan.privacy!);
  if (unit !== undefined && plan.privacy!.unitRows === undefined) {
    refuse(
      '`unit`',
      'be left out where the plan protects single rows',
      unit,
      'plan with `unitRows`, and limit rows by perUnit',
      'ERR_NOT_PRIVATE',
    );
  }
}

const ROUNDING = 1e-9;

function uncertaintyOf(
  { theta, released }: PrivateFit,
  plan: PrivatePlan,
  names: readonly string[],
): Pick<Model, 'uncertainty'> {
  const found = privateUncertainty(plan, released);
  if (found === null) return {};
  const { errors, reach, ifEven } = found;
  const end = (sign: 1 | -1) => theta.map((value, j) => value + sign * reach * errors[j]!);
  return {
    uncertainty: namedUncertainty(
      { ...found, lower: end(-1), upper: end(1) },
      names,
      ifEven === null
        ? 'from the declared noise and from what was released: how features vary, how the risk curves and how much gradients vary; for independent rows, and wide where noise hides that'
        : `from the declared noise, if rows are independent, features fill a fifth of their bounds or more and are not alike, residuals are of a usual size and effects no larger than the plan supposes; ${toDigits(1 / ifEven, 6)} times as wide as if features filled all of their bounds`,
    ),
  };
}

/** The parameters of a release of second moments. */
export function momentAccount(
  { noise, norm, whitenedLength }: MomentPlan,
  { rows }: PrivatePlan['plan'],
): { readonly sigma: number; readonly norm: number; readonly rowLength: number } {
  const { sigma } = integerRelease(noise, { chunk: 'all', rowsPerBlock: rows });
  return { sigma, norm, rowLength: whitenedLength };
}
