import { localEngine } from '../engine/local/localEngine.ts';
import { ArgumentError } from '../errors.ts';
import type { Fit } from '../flow/summarize.ts';
import { explainLevels } from '../inference/diagnostics/columns/levels.ts';
import type { Vector } from '../math/vector.ts';
import type { NamedLoss } from '../method/loss/lossByName.ts';
import type { Model } from '../model/model.ts';
import { planTheorem } from '../plan/theorem/planTheorem.ts';
import type { Prescription } from '../plan/theorem/prescription.ts';
import { traceTable } from '../sink/table/trace.ts';
import { passesOnce, type RowSource } from '../source/memory/rowSource.ts';
import { given, threadsFor, watchedRun } from './call.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type EstimateOptions, moreRows, openForEstimate, startOf, withCheckpoint } from './estimate.ts';
import { referenceLevels } from './estimateModel.ts';
import { fitPlan } from './fitPlan.ts';
import { isShuffled } from './input/withChunks.ts';
import { modelRecord } from './modelRecord.ts';
import { type Estimate, resultOf } from './result.ts';

/** A theorem of the paper with its arguments. */
export interface TheoremRun {
  /** The label of the theorem in the paper. */
  readonly label: string;
  /** Its arguments, as they were given. */
  readonly given: Readonly<Record<string, unknown>>;
  prescribe(rows: number, features: number): Prescription;
}

/** What is left to be said where a theorem prescribes everything else. */
export type TheoremEstimateOptions = Omit<EstimateOptions, 'loss'> & { readonly loss: NamedLoss };

/** Estimates as a theorem that is not about privacy prescribes: its rule, steps, chunks and aggregate, without intervals. */
export const estimateByTheorem = (
  source: RowSource,
  theorem: TheoremRun,
  options: TheoremEstimateOptions,
): Promise<Estimate<Fit>> =>
  withCheckpoint(source, Object.assign({ theorem }, options), kept => estimateWith(source, theorem, options, kept));

async function estimateWith(
  source: RowSource,
  theorem: TheoremRun,
  options: TheoremEstimateOptions,
  kept: Checkpoint | undefined,
): Promise<Estimate<Fit>> {
  const { loss, target, orderSeed, scratch } = options;
  const samples = await openForEstimate(source, options, loss);
  const engine = localEngine({ threads: threadsFor(samples, options.threads) });
  try {
    const streamed = passesOnce(source, options);
    const { order = streamed ? 'as-is' : 'shuffle' } = options;
    const names = samples.design.features.map(({ name }) => name);
    const prescription = theorem.prescribe(samples.rows, names.length);
    if (streamed) requireFresh(prescription);
    const plan = planTheorem(prescription, {
      rows: samples.rows,
      features: names.length,
      loss: loss.loss,
      ...(options.start !== undefined && { start: startOf(options.start, names, options) }),
    });
    const { steps, mode } = plan;
    const watched = watchedRun(options, `step 1/${steps.length}`, ...(isShuffled(plan, order) ? ['shuffling'] : []));
    const thetas: Vector[] = [];
    const fit = await fitPlan(watched.source(samples), plan, {
      order,
      shuffled: watched.shuffled,
      ...given({ orderSeed, scratch }),
      kernel: engine.summer,
      isHeld: prescription.radius !== null,
      ...(kept && { kept }),
      onIterate: iterate => {
        thetas.push(iterate.theta.slice());
        options.onIterate?.(iterate);
        watched.phase(`step ${Math.min(iterate.step + 1, steps.length)}/${steps.length}`);
      },
    });
    const levels = samples.levels();
    const { choices, notes } = explainLevels(levels);
    const { estimator } = prescription;
    const model = modelRecord(
      { fit, plan, loss },
      {
        theta: fit.theta,
        names,
        read: samples.rows,
        invalid: samples.tally.invalid,
        target,
        categorical: samples.design.categorical,
        times: samples.design.times ?? [],
        plan: {
          mode,
          steps: steps.length,
          chunks: mode === 'full' ? null : steps.map(step => step.rows),
          blocks: steps[0]!.blocks,
          aggregate: estimator.kind === 'huber' ? { huber: estimator.contamination } : estimator.kind,
          pilotRows: 0,
          order,
          ...theoremSet(prescription),
          theorem: theoremRecord(theorem, prescription),
          ...(orderSeed !== undefined && { orderSeed }),
        },
        ...(choices.length > 0 && { choices }),
        ...(notes.length > 0 && { notes }),
        ...referenceLevels(levels),
      },
    );
    return {
      ...resultOf(model),
      covariance: () => null,
      warnings: moreRows(samples),
      loss,
      plan,
      ledger: fit.ledger,
      trace: () => traceTable(model, thetas),
      run: fit,
    };
  } finally {
    await Promise.all([samples.close(), engine.close()]);
  }
}

/** Standard input cannot be read again for the next step. */
export function requireFresh({ mode }: Pick<Prescription, 'mode'>): void {
  if (mode === 'fresh') return;
  throw new ArgumentError(
    "standard input can be read once, but `mode: 'full'` reads it every step; use `mode: 'fresh'`, or save it as a file",
    'ERR_CONFLICT',
    { arguments: ['source', 'mode'] },
  );
}

/** A model's record of the theorem. */
export const theoremRecord = (
  { label, given }: TheoremRun,
  { claim, conditions }: Prescription,
): NonNullable<Model['plan']['theorem']> => ({ label, given, claim, conditions });

/** A model's record of the set that the theorem prescribes. */
export const theoremSet = ({ radius }: Prescription): Pick<Model['plan'], 'set' | 'radius'> =>
  radius === null ? {} : { set: 'l2', radius };
