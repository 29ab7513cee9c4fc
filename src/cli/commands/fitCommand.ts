/** `sluice fit`: from files to a model. */
import {
  ArgumentError,
  estimateModel,
  evaluateRows,
  type FitRowsOptions,
  type FittedRun,
  fitRows,
  layoutFor,
  type Model,
  readsOnce,
  type TableSamples,
} from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { fitRequest } from '../flags/fitRequest.ts';
import { heldMeasures, heldNotes, heldRows, refuseHoldout } from '../flags/holdOut.ts';
import { isPrivate, refusePrivateFlags } from '../flags/privateRequest.ts';
import { requireBlocks, requireUsedBlocks } from '../flags/requireBlocks.ts';
import { refuseGiven } from '../flags/theoremRequest.ts';
import { requireFitOutputs } from './fitOutputs.ts';
import { fitSession } from './fitSession.ts';
import { publish } from './publish.ts';
import { startFrom } from './startFrom.ts';
import { tellOfMore } from './tellOfMore.ts';
import { traceIterates } from './traceIterates.ts';
import { watchedRun } from './watchedRun.ts';
import { whereTooLarge, whyNoneCounts } from './whyNoneCounts.ts';

export async function fitCommand(paths: readonly string[], flags: FitFlags): Promise<void> {
  await requireFitOutputs(paths, flags);
  if (flags.theorem !== undefined) {
    refuseHoldout(flags, '--theorem');
    const { theoremFitCommand } = await import('./theoremFitCommand.ts');
    return theoremFitCommand(paths, flags);
  }
  refuseGiven(flags);
  if (isPrivate(flags)) {
    const { privateFitCommand } = await import('./privateFitCommand.ts');
    return privateFitCommand(paths, flags);
  }
  refusePrivateFlags(flags);
  const request = fitRequest(flags);
  const streamed = paths.includes('-');
  await fitSession(paths, flags, { ...request.read, knownLevels: {} }, async ({ samples, engine, shown }) => {
    const names = samples.design.features.map(({ name }) => name);
    const start = flags.start === undefined ? {} : { start: await startFrom(flags.start, names, request) };
    const constraint = request.constraint?.(names.length);
    const held = flags.holdout === undefined ? null : heldRows(flags.holdout, samples.rows);
    let holdout: Model['holdout'];
    const asked: FitRowsOptions = {
      ...request.estimate,
      ...start,
      ...(constraint && { constraint }),
      ...(held !== null && {
        heldOut: {
          rows: held,
          use: async (rows, found) => {
            holdout = heldMeasures(await evaluateRows(modelOf(found), rows));
          },
        },
      }),
    };
    const options = {
      ...asked,
      ...(streamed
        ? { ...onceThrough(samples, asked), readOnce: true }
        : { order: asked.order ?? 'shuffle' }),
    };
    const { order } = options;
    const layout = layoutFor(samples, options);
    requireBlocks(flags, layout);
    requireUsedBlocks(flags, layout);
    let { steps } = layout;
    const watched = watchedRun(shown, order, layout.pilotRows > 0 ? 'pilot' : `step 1/${steps}`);
    const trace = traceIterates(flags.trace);
    const { orderSeed } = request.estimate;
    const modelOf = (found: FittedRun): Model =>
      estimateModel(found, {
        target: flags.target,
        names,
        order,
        ...(orderSeed !== undefined && { orderSeed }),
        categorical: samples.design.categorical,
        heldOut: held ?? 0,
        invalid: samples.tally.invalid,
        unusable: samples.unusable(),
        passedOver: samples.design.passedOver ?? [],
        times: samples.design.times ?? [],
        ...(request.set && { set: request.set }),
        ...(flags.weights !== undefined && { weights: flags.weights }),
        levels: samples.levels(),
        ...(samples.design.classes && { classes: samples.design.classes }),
        nullTokens: samples.design.nullTokens ?? [],
      });
    const found = await fitRows(watched.source(samples), {
      ...options,
      shuffled: watched.shuffled,
      kernel: engine.summer,
      grams: engine.grams,
      names,
      onPilot: engine.start,
      onPlan: plan => {
        steps = plan.steps.length;
        watched.phase(`step 1/${steps}`);
      },
      onIterate: iterate => {
        trace.keep(iterate);
        watched.phase(`step ${Math.min(iterate.step + 1, steps)}/${steps}`);
      },
    }).catch(async error => {
      const told = whyNoneCounts(error, samples);
      throw streamed ? told : await whereTooLarge(told, samples);
    });
    shown.end();
    tellOfMore(samples);
    const model = modelOf(found);
    await publish(holdout === undefined ? model : withHoldout(model, holdout), paths, flags, trace, found);
  });
}

function withHoldout(model: Model, holdout: NonNullable<Model['holdout']>): Model {
  const notes = [...(model.notes ?? []), ...heldNotes(holdout, model.loss.name)];
  return { ...model, ...(notes.length > 0 && { notes }), holdout };
}

/**
 * A stream can be read once only, in fresh chunks as they arrive. Where steps need all rows, the shuffle stores them.
 * Rows that must keep their order are cut into fresh chunks, unless the pilot holds all of them or the squared loss
 * needs only their moments.
 */
function onceThrough(
  samples: TableSamples,
  options: FitRowsOptions,
): { order: 'shuffle' | 'as-is'; mode?: 'fresh' } {
  const { order, mode } = options;
  if (order === 'shuffle') return { order };
  if (layoutFor(samples, options).mode === 'fresh') return { order: 'as-is' };
  if (order === undefined) return { order: 'shuffle' };
  if (readsOnce(samples, options)) return { order };
  if (mode !== 'full') return { order, mode: 'fresh' };
  throw new ArgumentError(
    'standard input can be read once, but --mode full with --order as-is reads it every step; leave one of them out',
  );
}
