import {
  type Aggregate,
  type Explanation,
  explainLevels,
  type Fit,
  fitPlan,
  isShuffled,
  type Model,
  modelRecord,
  type NamedLoss,
  type Plan,
  type Prescription,
  planTheorem,
  referenceLevels,
  type TableSamples,
} from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { type FitRequest, fitRequest } from '../flags/fitRequest.ts';
import { namedLoss } from '../flags/lossFlag.ts';
import { refusePrivateFlags } from '../flags/privateRequest.ts';
import {
  noteIntercept,
  requireFeasible,
  SINGLE_ROWS,
  type TheoremRequest,
  theoremLoss,
  theoremRecord,
  theoremRequest,
  theoremSet,
} from '../flags/theoremRequest.ts';
import { fitSession } from './fitSession.ts';
import { requireRereadable } from './openData.ts';
import { publish } from './publish.ts';
import { startFrom } from './startFrom.ts';
import { tellOfMore } from './tellOfMore.ts';
import { traceIterates } from './traceIterates.ts';
import { watchedRun } from './watchedRun.ts';

/** `sluice fit --theorem`: the run that a theorem prescribes for these rows. */
export async function theoremFitCommand(paths: readonly string[], flags: FitFlags): Promise<void> {
  const asked = theoremRequest(flags);
  const { theorem } = asked;
  const loss = theoremLoss(theorem, flags.loss);
  noteIntercept(theorem, flags);
  if (theorem.label === SINGLE_ROWS) {
    const { privateSgdFit } = await import('./privateSgdFit.ts');
    return privateSgdFit(paths, { ...flags, loss, intercept: false }, asked);
  }
  if (!theorem.isPrivate) return fitByTheorem(paths, { ...flags, loss, intercept: false }, asked);
  const [{ privateFitCommand }, { privateTheorem }] = await Promise.all([
    import('./privateFitCommand.ts'),
    import('../flags/privateTheorem.ts'),
  ]);
  return privateFitCommand(paths, { ...flags, loss, intercept: false }, privateTheorem(asked));
}

async function fitByTheorem(paths: readonly string[], flags: FitFlags, asked: TheoremRequest): Promise<void> {
  refusePrivateFlags(flags);
  const { radius: _, ...others } = flags;
  const request = fitRequest(others);
  const streamed = paths.includes('-');
  await fitSession(paths, flags, { ...request.read, knownLevels: {} }, async ({ samples, engine, shown }) => {
    const { order = streamed ? 'as-is' : 'shuffle', orderSeed, scratch } = request.estimate;
    const names = samples.design.features.map(({ name }) => name);
    const prescription = asked.prescribe(samples.rows, names.length);
    requireFeasible(prescription);
    requireRereadable(streamed, prescription.mode);
    const loss = namedLoss(flags.loss);
    const plan = planTheorem(prescription, {
      rows: samples.rows,
      features: names.length,
      loss: loss.loss,
      ...(flags.start !== undefined && { start: await startFrom(flags.start, names, request) }),
    });
    const { steps, mode } = plan;
    const watched = watchedRun(
      shown,
      isShuffled(plan, order) ? 'shuffle' : 'as-is',
      `step 1/${steps.length}`,
    );
    const trace = traceIterates(flags.trace);
    const fit = await fitPlan(watched.source(samples), plan, {
      order,
      shuffled: watched.shuffled,
      ...(orderSeed !== undefined && { orderSeed }),
      ...(scratch !== undefined && { scratch }),
      kernel: engine.summer,
      onIterate: iterate => {
        trace.keep(iterate);
        watched.phase(`step ${Math.min(iterate.step + 1, steps.length)}/${steps.length}`);
      },
    });
    shown.end();
    tellOfMore(samples);
    const model = plainModel({ fit, plan, loss }, samples, request, flags, {
      mode,
      steps: steps.length,
      chunks: mode === 'full' ? null : steps.map(step => step.rows),
      blocks: steps[0]!.blocks,
      aggregate: aggregateOf(prescription.estimator),
      pilotRows: 0,
      order,
      ...theoremSet(prescription),
      theorem: theoremRecord(asked, prescription),
    });
    await publish(model, paths, flags, trace);
  });
}

const aggregateOf = (estimator: Prescription['estimator']): Aggregate | string =>
  estimator.kind === 'huber' ? { huber: estimator.contamination } : estimator.kind;

/** The model file of a non-private run by a theorem. */
const plainModel = (
  run: { readonly fit: Fit; readonly plan: Plan; readonly loss: NamedLoss },
  { design, tally, rows, levels }: TableSamples,
  { estimate: { orderSeed } }: FitRequest,
  { target }: FitFlags,
  described: Model['plan'],
): Model =>
  modelRecord(run, {
    theta: run.fit.theta,
    names: design.features.map(({ name }) => name),
    read: rows,
    invalid: tally.invalid,
    target,
    categorical: design.categorical,
    times: design.times ?? [],
    plan: { ...described, ...(orderSeed !== undefined && { orderSeed }) },
    ...told(explainLevels(levels())),
    ...referenceLevels(levels()),
  });

const told = ({ choices, notes }: Explanation): Pick<Model, 'choices' | 'notes'> => ({
  ...(choices.length > 0 && { choices }),
  ...(notes.length > 0 && { notes }),
});
