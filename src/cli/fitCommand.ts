/** `sluice fit`: from files to a model. */
import {
  ArgumentError,
  type Estimate,
  estimate,
  layoutFor,
  localEngine,
  type Model,
  openSamples,
  openSql,
  type Samples,
  type TableSamples,
  tableSamples,
  version,
  writeWhole,
} from '../index.ts';
import type { FitFlags } from './fitFlags.ts';
import { type FitRequest, fitRequest } from './fitRequest.ts';
import { optional, wholeNumber } from './parse.ts';
import { type Progress, progress } from './progress.ts';
import { renderFit } from './renderFit.ts';

export async function fitCommand(paths: readonly string[], flags: FitFlags): Promise<void> {
  const request = fitRequest(flags);
  const streamed = paths.includes('-');
  const samples = await openData(paths, flags, request);
  const shown = progress({ quiet: flags.quiet === true });
  const threads = optional('--threads', flags.threads, wholeNumber);
  const engine = localEngine(threads === undefined ? {} : { threads });
  try {
    const order = request.estimate.order ?? (streamed ? 'as-is' : 'shuffle');
    const options = { ...request.estimate, order };
    const { steps, mode } = layoutFor(samples, options);
    if (streamed && order === 'as-is' && mode === 'full') {
      throw new ArgumentError(
        'standard input can be read once, but --mode full reads it every step; use --order shuffle',
      );
    }
    shown.phase(order === 'shuffle' ? 'shuffling' : 'pilot');
    const found = await estimate(watched(samples, shown), {
      ...options,
      kernel: engine.summer,
      names: samples.design.features.map(({ name }) => name),
      onPlan: () => shown.phase(`step 1/${steps}`),
      onIterate: ({ step }) => shown.phase(`step ${Math.min(step + 1, steps)}/${steps}`),
    });
    const model = modelOf(found, samples, request, order, flags);
    shown.end();
    if (flags.out !== undefined) await writeWhole(flags.out, `${JSON.stringify(model, null, 2)}\n`);
    process.stdout.write(flags.json ? `${JSON.stringify(model)}\n` : renderFit(model));
  } finally {
    shown.end();
    await engine.close();
    await samples.close();
  }
}

async function openData(
  paths: readonly string[],
  { sql }: FitFlags,
  { read }: FitRequest,
): Promise<TableSamples> {
  if (sql !== undefined) {
    if (paths.length > 0)
      throw new ArgumentError(`give either files or --sql, got both: ${paths.join(', ')}`);
    return tableSamples([await openSql(sql)], read);
  }
  if (paths.length === 0) {
    throw new ArgumentError('there is nothing to read; name files, - for standard input, or --sql');
  }
  if (paths.includes('-') && read.rows === undefined) {
    throw new ArgumentError('standard input does not say how many rows it has; give --rows N');
  }
  return openSamples(paths, { ...read, stdin: process.stdin });
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
  { fit, plan, loss, layout }: Estimate,
  { design, tally, rows }: TableSamples,
  { read, estimate: asked }: FitRequest,
  order: string,
  flags: FitFlags,
): Model {
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
    target: flags.target,
    features: names,
    categorical: read.categorical ?? {},
    intercept: plan.intercept ? fit.theta[names.length]! : null,
    coefficients: Object.fromEntries(names.map((name, j) => [name, fit.theta[j]!])),
    plan: {
      rule: plan.rule.name,
      mode: layout.mode,
      steps: layout.steps,
      chunks: layout.schedule?.chunks ?? null,
      blocks: layout.blocks,
      aggregate: asked.aggregate,
      pilotRows: layout.pilotRows,
      order,
      ...(asked.orderSeed === undefined ? {} : { orderSeed: asked.orderSeed }),
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
