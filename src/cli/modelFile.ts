import { type Fit, type Model, type NamedLoss, type Plan, version } from '../index.ts';

/** What only the kind of run can tell. */
export type ModelAccount = Pick<Model, 'plan' | 'ledger' | 'categorical' | 'target'> & {
  /** In the units of the data, an intercept last. */
  readonly theta: Float64Array;
  readonly names: readonly string[];
  readonly read: number;
  readonly invalid: number | null;
} & Pick<Model, 'uncertainty' | 'choices' | 'notes' | 'holdout'>;

/** A run as the model file has it. */
export function modelFile(
  { fit, plan, loss }: { readonly fit: Fit; readonly plan: Plan; readonly loss: NamedLoss },
  { theta, names, read, invalid, target, categorical, plan: described, ledger, ...told }: ModelAccount,
): Model {
  return {
    format: 'sluice-model',
    version: 1,
    loss: {
      name: loss.name,
      ...(loss.parameter !== undefined && { parameter: loss.parameter }),
      ...(plan.loss.penalty > 0 && { ridge: plan.loss.penalty }),
    },
    target,
    features: names,
    categorical,
    intercept: plan.intercept ? theta[names.length]! : null,
    coefficients: Object.fromEntries(names.map((name, j) => [name, theta[j]!])),
    plan: { rule: plan.rule.name, ...described },
    ledger,
    rows: { read, used: fit.rows.used, leftOver: read - fit.rows.used, invalid },
    steps: fit.steps,
    ...told,
    createdWith: `sluice ${version}`,
  };
}
