/** `sluice fit --theorem`: the run that a theorem prescribes for these rows. */

import { estimateByTheorem, type TheoremRun } from '../../fit/index.ts';
import { ArgumentError } from '../../index.ts';
import { wordsOf } from '../../words.ts';
import { estimateOptions } from '../flags/estimateOptions.ts';
import { type FitFlags, flagOf } from '../flags/fitFlags.ts';
import { namedLoss } from '../flags/parse.ts';
import { privateOptions, refusePrivateFlags } from '../flags/privateOptions.ts';
import { noteIntercept, SINGLE_ROWS, theoremFlags, theoremRequest, theoremRun } from '../flags/theoremFlags.ts';
import { readModel } from './readModel.ts';
import { fitPrivately, published, sourceOf } from './runFit.ts';

export async function theoremFitCommand(paths: readonly string[], asked: FitFlags): Promise<void> {
  const request = theoremRequest(asked);
  const { theorem } = request;
  const flags = theoremFlags(request, asked);
  const run = theoremRun(request);
  noteIntercept(theorem, asked);
  if (theorem.label === SINGLE_ROWS) return simulate(paths, flags, run);
  if (theorem.isPrivate) return fitPrivately(paths, flags, { ...privateOptions(flags), theorem: run });
  refusePrivateFlags(flags);
  const options = estimateOptions(flags);
  const start = flags.start === undefined ? {} : { start: await readModel(flags.start) };
  await published(paths, flags, watched =>
    estimateByTheorem(sourceOf(paths, flags), run, {
      ...options,
      ...start,
      ...watched,
      loss: namedLoss(flags.loss),
    }),
  );
}

/** The baseline of n^2 single-row steps, whose noise is drawn in floating point, which protects nobody. */
async function simulate(paths: readonly string[], flags: FitFlags, run: TheoremRun): Promise<void> {
  const { seed } = flags;
  if (seed === undefined)
    throw new ArgumentError(
      `theorem ${run.label} draws its noise in floating point, which protects nobody; give --seed S to simulate it, or choose another theorem for a private run`,
      'ERR_NOT_PRIVATE',
      { argument: '--theorem', value: run.label },
    );
  for (const key of wordsOf('calibration checkpoint ledger unit bounds normBound trace')) {
    if (flags[key] !== undefined)
      throw new ArgumentError(
        `${flagOf(key)} does not apply to theorem ${run.label}, which is only simulated; leave it out, and give L2 by --given lipschitz=L`,
        'ERR_CONFLICT',
        { arguments: [flagOf(key), '--theorem'] },
      );
  }
  const { simulatePrivateSgd } = await import('../../lab/paper/index.ts');
  const options = { ...estimateOptions(flags), loss: namedLoss(flags.loss), seed };
  await published(paths, flags, watched => simulatePrivateSgd(sourceOf(paths, flags), run, { ...options, ...watched }));
}
