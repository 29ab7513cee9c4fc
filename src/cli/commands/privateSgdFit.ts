/**
 * `sluice fit --theorem Util_Priv_SGD`: the baseline of n^2 single-row steps, over rows in memory. Its noise is drawn
 * in floating point, which protects nobody (docs/decisions/0002), so it runs only as a simulation, with a seed, and the
 * model says that it is not private.
 */
import {
  ArgumentError,
  blockSummer,
  gather,
  type Loss,
  MODEL_FORMAT,
  MODEL_VERSION,
  type Model,
  norm,
  privateSgd,
  type SampleBatch,
  seeded,
  type Vector,
  version,
  zeros,
} from '../../index.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { fitRequest } from '../flags/fitRequest.ts';
import { namedLoss } from '../flags/lossFlag.ts';
import { requireFeasible, type TheoremRequest, theoremRecord, theoremSet } from '../flags/theoremRequest.ts';
import { fitSession } from './fitSession.ts';
import { publish } from './publish.ts';

export async function privateSgdFit(
  paths: readonly string[],
  flags: FitFlags,
  asked: TheoremRequest,
): Promise<void> {
  const { seed, target } = flags;
  if (seed === undefined) {
    throw new ArgumentError(
      `theorem ${asked.theorem.label} draws its noise in floating point, which protects nobody; give --seed S to simulate it, or choose another theorem for a private run`,
    );
  }
  refuseOthers(flags);
  const { radius: _, ...others } = flags;
  const { read } = fitRequest(others);
  await fitSession(paths, flags, read, async ({ samples, shown }) => {
    const names = samples.design.features.map(({ name }) => name);
    const prescription = asked.prescribe(samples.rows, names.length);
    requireFeasible(prescription);
    const named = namedLoss(flags.loss);
    const { loss } = named;
    const data = await gather(samples.batches(), samples.rows, names.length);
    const { rows } = data;
    const { sigma, lipschitz } = prescription.privacy!;
    // One record per n draws, with the gradient over all rows after them: n^2 records would be too many for a file.
    const steps: Model['steps'][number][] = [];
    let theta: Vector = zeros(names.length);
    shown.phase('single rows');
    for (const iterate of privateSgd({ data, loss, prescription, random: seeded(seed, 'noise') })) {
      ({ theta } = iterate);
      steps.push({ step: iterate.gradients, rows, gradientNorm: gradientNorm(data, loss, theta), sigma });
      shown.rows(steps.length, rows);
    }
    shown.end();
    const model: Model = {
      format: MODEL_FORMAT,
      version: MODEL_VERSION,
      loss: { name: named.name, ...(named.parameter !== undefined && { parameter: named.parameter }) },
      target,
      features: names,
      categorical: read.categorical ?? {},
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
        theorem: theoremRecord(asked, prescription),
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
    await publish(model, paths, flags);
  });
}

function gradientNorm(data: SampleBatch, loss: Loss, at: Vector): number {
  const { rows } = data;
  const summer = blockSummer({ loss, at, blocks: 1, rowsPerBlock: rows });
  summer.add(data);
  return norm(summer.finish().sums) / rows;
}

/** Flags that have no meaning in a simulation on single rows. */
function refuseOthers({ calibration, ledger, unit, bounds, normBound, trace }: FitFlags): void {
  for (const [flag, value] of Object.entries({
    '--calibration': calibration,
    '--ledger': ledger,
    '--unit': unit,
    '--bounds': bounds,
    '--norm-bound': normBound,
    '--trace': trace,
  })) {
    if (value !== undefined) {
      throw new ArgumentError(
        `${flag} does not apply to theorem Util_Priv_SGD, which is only simulated; leave it out, and give L2 by --given lipschitz=L`,
      );
    }
  }
}
