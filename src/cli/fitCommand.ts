/** `sluice fit`: from files to a model. */
import { ArgumentError, estimate, explainEstimate, layoutFor, type TableSamples } from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { type FitRequest, fitRequest } from './fitRequest.ts';
import { fitSession } from './fitSession.ts';
import { namedUncertainty, plainModel } from './plainModel.ts';
import { isPrivate, refusePrivateFlags } from './privateRequest.ts';
import { publish } from './publish.ts';
import { startFrom } from './startFrom.ts';
import { refuseGiven } from './theoremRequest.ts';
import { watchedRun } from './watchedRun.ts';

export async function fitCommand(paths: readonly string[], flags: FitFlags): Promise<void> {
  if (flags.theorem !== undefined) {
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
  await fitSession(paths, flags, request.read, async ({ samples, engine, shown }) => {
    const names = samples.design.features.map(({ name }) => name);
    const start = flags.start === undefined ? {} : { start: await startFrom(flags.start, names, request) };
    const constraint = request.constraint?.(names.length);
    const asked = { ...request.estimate, ...start, ...(constraint && { constraint }) };
    const options = {
      ...asked,
      ...(streamed ? onceThrough(samples, asked) : { order: asked.order ?? 'shuffle' }),
    };
    const { order } = options;
    const { steps, pilotRows } = layoutFor(samples, options);
    const watched = watchedRun(shown, order, pilotRows > 0 ? 'pilot' : `step 1/${steps}`);
    const found = await estimate(watched.source(samples), {
      ...options,
      shuffled: watched.shuffled,
      kernel: engine.summer,
      grams: engine.grams,
      names,
      onPlan: () => watched.phase(`step 1/${steps}`),
      onIterate: ({ step }) => watched.phase(`step ${Math.min(step + 1, steps)}/${steps}`),
    });
    const { layout } = found;
    const { estimation } = found.plan;
    const model = plainModel(
      found,
      samples,
      request,
      flags,
      {
        mode: layout.mode,
        steps: layout.steps,
        chunks: layout.schedule?.chunks ?? null,
        blocks: layout.blocks,
        aggregate: estimation.kind === 'huber' ? request.estimate.aggregate : estimation.aggregator.name,
        pilotRows: layout.pilotRows,
        sharesPilot: layout.sharesPilot,
        order,
      },
      {
        ...(found.uncertainty && { uncertainty: namedUncertainty(found.uncertainty, names) }),
        ...explainEstimate(found, { names, order, isLossOpen: request.estimate.loss === 'auto' }),
      },
    );
    shown.end();
    if (samples.hasMore()) {
      process.stderr.write(`sluice: the data go on after ${samples.rows} rows, where --rows ends them\n`);
    }
    await publish(model, flags);
  });
}

/**
 * A stream passes once, in fresh chunks as they come. Where steps need all rows, they are shuffled, which keeps them; rows that are to stay in their
 * order are cut into fresh chunks, but for the squared loss, whose moments are all that full mode needs.
 */
function onceThrough(
  samples: TableSamples,
  options: FitRequest['estimate'],
): { order: 'shuffle' | 'as-is'; mode?: 'fresh' } {
  const { order, mode, loss } = options;
  if (order === 'shuffle') return { order };
  if (layoutFor(samples, options).mode === 'fresh') return { order: 'as-is' };
  if (order === undefined) return { order: 'shuffle' };
  if (mode !== 'full') return { order, mode: 'fresh' };
  if (loss !== 'auto' && loss?.name === 'squared') return { order };
  throw new ArgumentError(
    'standard input can be read once, but --mode full with --order as-is reads it every step; leave one of them out',
  );
}
