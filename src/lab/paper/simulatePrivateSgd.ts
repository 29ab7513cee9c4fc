import { blockSummer } from '../../engine/kernel/blockSummer.ts';
import { watchedRun } from '../../fit/call.ts';
import { moreRows, openForEstimate } from '../../fit/estimate.ts';
import {
  type TheoremEstimateOptions,
  type TheoremRun,
  theoremRecord,
  theoremSet,
} from '../../fit/estimateByTheorem.ts';
import { resultOf } from '../../fit/result.ts';
import { seeded } from '../../math/random/seeded.ts';
import { norm, type Vector, zeros } from '../../math/vector.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { MODEL_FORMAT, MODEL_VERSION, type Model } from '../../model/model.ts';
import { gather } from '../../sample/gather.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { RowSource } from '../../source/memory/rowSource.ts';
import { version } from '../../version.ts';
import { privateSgd, requireFewRows } from './privateSgd.ts';

/**
 * The baseline of n^2 single-row steps, over rows in memory, as theorem Util_Priv_SGD prescribes it. Its noise is drawn
 * in floating point, which protects nobody (docs/decisions/0002), so it runs only as a simulation, with a seed, and the
 * model says that it is not private.
 */
export async function simulatePrivateSgd(
  source: RowSource,
  theorem: TheoremRun,
  options: TheoremEstimateOptions & { readonly seed: string },
): Promise<{ readonly model: Model; readonly warnings: readonly string[] }> {
  const { loss: named, target, seed } = options;
  const { loss } = named;
  const samples = await openForEstimate(source, options, named);
  try {
    const names = samples.design.features.map(({ name }) => name);
    requireFewRows(samples.rows);
    const prescription = theorem.prescribe(samples.rows, names.length);
    const watched = watchedRun(options, 'reading');
    const data = await gather(watched.source(samples).batches(), samples.rows, names.length);
    const { rows } = data;
    const { sigma, lipschitz } = prescription.privacy!;
    // One record per n draws, with the gradient over all rows after them: n^2 records would be too many for a file.
    const steps: Model['steps'][number][] = [];
    let theta: Vector = zeros(names.length);
    for (const iterate of privateSgd({ data, loss, prescription, random: seeded(seed, 'noise') })) {
      ({ theta } = iterate);
      steps.push({ step: iterate.gradients, rows, gradientNorm: gradientNorm(data, loss, theta), sigma });
      options.onProgress?.({ phase: 'single rows', rows: steps.length, of: rows });
    }
    const model: Model = {
      format: MODEL_FORMAT,
      version: MODEL_VERSION,
      loss: { name: named.name, ...(named.parameter !== undefined && { parameter: named.parameter }) },
      target,
      features: names,
      categorical: samples.design.categorical,
      intercept: null,
      coefficients: Object.fromEntries(names.map((name, j) => [name, theta[j]!])),
      plan: {
        rule: prescription.rule,
        mode: 'one row at a time, drawn with replacement',
        steps: prescription.steps,
        chunks: null,
        aggregate: 'mean',
        calibration: 'paper',
        lipschitz,
        sigma,
        ...theoremSet(prescription),
        theorem: theoremRecord(theorem, prescription),
      },
      ledger: {
        private: false,
        note: 'NOT PRIVATE (seeded)',
        epsilon: null,
        delta: null,
        rho: null,
        unit: 'row',
        entries: [],
      },
      rows: { read: samples.rows, used: rows, leftOver: 0, invalid: samples.tally.invalid },
      steps,
      createdWith: `sluice ${version}`,
    };
    return { ...resultOf(model), warnings: moreRows(samples) };
  } finally {
    await samples.close();
  }
}

function gradientNorm(data: SampleBatch, loss: Loss, at: Vector): number {
  const { rows } = data;
  const summer = blockSummer({ loss, at, blocks: 1, rowsPerBlock: rows });
  summer.add(data);
  return norm(summer.finish().sums) / rows;
}
