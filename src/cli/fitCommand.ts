/** `sluice fit`: from files to a model. */
import {
  ArgumentError,
  cellsOf,
  type FittedSamples,
  fitSamples,
  type Layout,
  layoutRows,
  type Model,
  openSamples,
  type Samples,
  scatter,
  seeded,
  type TableSamples,
  version,
  writeWhole,
} from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { type FitRequest, fitRequest } from './fitRequest.ts';
import { type Progress, progress } from './progress.ts';
import { renderFit } from './renderFit.ts';

export async function fitCommand(paths: readonly string[], flags: FitFlags): Promise<void> {
  const request = fitRequest(flags);
  const { design, nulls, targets, declaredRows } = request;
  const streamed = paths.length === 1 && paths[0] === '-';
  if (streamed && declaredRows === undefined) {
    throw new ArgumentError('standard input does not say how many rows it has; give --rows N');
  }
  const samples = await openSamples(paths, {
    ...design,
    nulls,
    targets,
    stdin: process.stdin,
    ...(declaredRows === undefined ? {} : { rows: declaredRows }),
  });
  const shown = progress({ quiet: flags.quiet === true });
  try {
    const order = request.order ?? (streamed ? 'as-is' : 'shuffle');
    const layout = layoutRows(request.layoutFor(samples.rows, samples.features));
    if (streamed && order === 'as-is' && layout.mode === 'full') {
      throw new ArgumentError(
        'standard input can be read once, but --mode full reads it every step; use --order shuffle',
      );
    }
    const model = await run(samples, request, layout, order, flags, shown);
    shown.end();
    if (flags.out !== undefined) await writeWhole(flags.out, `${JSON.stringify(model, null, 2)}\n`);
    process.stdout.write(flags.json ? `${JSON.stringify(model)}\n` : renderFit(model));
  } finally {
    shown.end();
    await samples.close();
  }
}

async function run(
  samples: TableSamples,
  request: FitRequest,
  layout: Layout,
  order: 'shuffle' | 'as-is',
  flags: FitFlags,
  shown: Progress,
): Promise<Model> {
  const random = seeded(request.orderSeed, 'order');
  const shuffled =
    order === 'shuffle'
      ? scatter(watched(samples, shown), {
          cells: cellsOf(layout),
          random,
          ...(flags.scratch === undefined ? {} : { scratch: flags.scratch }),
        })
      : undefined;
  shown.phase(order === 'shuffle' ? 'shuffling' : 'pilot');
  try {
    const fitted = await fitSamples(shuffled ?? watched(samples, shown), {
      ...request,
      layout,
      names: samples.design.features.map(({ name }) => name),
      onPlan: () => shown.phase(`step 1/${layout.steps}`),
      onIterate: ({ step }) => shown.phase(`step ${Math.min(step + 1, layout.steps)}/${layout.steps}`),
    });
    return modelOf(fitted, samples, request, layout, order);
  } finally {
    await shuffled?.close();
  }
}

/** The same rows, counted as they pass. */
function watched(samples: Samples, shown: Progress): Samples {
  return {
    ...samples,
    async *batches() {
      let done = 0;
      for await (const batch of samples.batches()) {
        yield batch;
        done += batch.rows;
        shown.rows(done, samples.rows);
      }
    },
  };
}

function modelOf(
  { fit, plan, loss, pilotRows }: FittedSamples,
  samples: TableSamples,
  request: FitRequest,
  layout: Layout,
  order: string,
): Model {
  const { design, tally, rows } = samples;
  const names = design.features.map(({ name }) => name);
  const { ledger } = fit;
  return {
    format: 'sluice-model',
    version: 1,
    loss: {
      name: loss.name,
      ...(loss.parameter === undefined ? {} : { parameter: loss.parameter }),
      ...(plan.loss.penalty > 0 ? { ridge: plan.loss.penalty } : {}),
    },
    target: design.target.name,
    features: names,
    categorical: request.design.categorical ?? {},
    intercept: plan.intercept ? fit.theta[names.length]! : null,
    coefficients: Object.fromEntries(names.map((name, j) => [name, fit.theta[j]!])),
    plan: {
      rule: plan.rule.name,
      mode: layout.mode,
      steps: layout.steps,
      chunks: layout.schedule?.chunks ?? null,
      blocks: layout.blocks,
      aggregate: request.aggregate,
      pilotRows,
      order,
      ...(order === 'shuffle' ? { orderSeed: request.orderSeed } : {}),
    },
    ledger: {
      private: ledger.isPrivate,
      epsilon: null,
      delta: null,
      rho: ledger.isPrivate ? ledger.rho : null,
      entries: ledger.entries,
    },
    rows: { read: rows, used: fit.rows.used, leftOver: rows - fit.rows.used, invalid: tally.invalid },
    steps: fit.steps,
    createdWith: `sluice ${version}`,
  };
}
