import { type OnlinePlan, planStream } from '../../fit/online/index.ts';
import { ArgumentError } from '../../index.ts';
import type { PrivateOnlinePlan } from '../../plan/index.ts';
import { featureCount } from '../flags/estimateOptions.ts';
import type { FitFlags } from '../flags/fitFlags.ts';
import { lossFlag } from '../flags/parse.ts';
import { declaredColumns } from '../flags/privateOptions.ts';
import { onlineOptions, type WatchFlags } from '../flags/watchFlags.ts';
import { counted, significant, table } from '../render/text.ts';

/** Flags of `fit` that a stream does not take; those with a default are given where they differ from it. */
const OF_FILES = {
  rows: '--rows',
  sql: '--sql',
  holdout: '--holdout',
  order: '--order',
  orderSeed: '--order-seed',
  method: '--method',
  set: '--set',
  radius: '--radius',
  step: '--step',
  momentum: '--momentum',
  start: '--start',
  aggregate: '--aggregate',
  blocks: '--blocks',
  mode: '--mode',
  steps: '--steps',
  schedule: '--schedule',
  theorem: '--theorem',
  given: '--given',
  normBound: '--norm-bound',
  clip: '--clip',
  tail: '--tail',
  rowLength: '--row-length',
  moments: '--moments',
  calibration: '--calibration',
  acceptLargeDelta: '--accept-large-delta',
} as const satisfies Partial<Record<keyof FitFlags, string>>;

/** `sluice plan --watch`: what a stream would cost and give, from flags alone. */
export function watchPlanCommand(flags: FitFlags & WatchFlags): void {
  for (const [key, flag] of Object.entries(OF_FILES)) {
    const value = flags[key as keyof typeof OF_FILES];
    if (value === undefined || value === 'auto' || value === 'none') continue;
    throw new ArgumentError(`${flag} does not apply to a stream; leave it out with --watch`, 'ERR_CONFLICT', {
      arguments: [flag, '--watch'],
    });
  }
  const options = onlineOptions(flags);
  const columns =
    options.epsilon === undefined
      ? Array.from({ length: featureCount(flags, options) }, (_, field) => ({ name: `x${field + 1}`, field }))
      : declaredColumns(flags);
  const plan = planStream(options, columns);
  const { features, intercept, figures } = plan;
  if (flags.json) {
    process.stdout.write(`${JSON.stringify({ ...seedNote(flags), features, intercept, ...figures })}\n`);
    return;
  }
  const head = `${counted(features, 'feature')}${intercept ? ' and an intercept' : ''}`;
  const lines = isPrivate(plan) ? privateLines(plan, flags, head) : plainLines(plan, head);
  process.stdout.write(`${lines.join('\n')}\n`);
}

const isPrivate = (plan: OnlinePlan | PrivateOnlinePlan): plan is PrivateOnlinePlan => plan.privacy !== null;

const seedNote = ({ seed }: WatchFlags): { readonly note?: string } =>
  seed === undefined ? {} : { note: 'NOT PRIVATE (seeded)' };

const plainLines = ({ figures: { pilot, chunk, reasons } }: OnlinePlan, head: string): readonly string[] => [
  head,
  `pilot    ${counted(pilot, 'row')}, which give the first estimate`,
  `chunk    ${counted(chunk, 'row')}, after each of which there is another`,
  ...reasons.map(reason => `  ${reason}`),
];

function privateLines(
  { figures, privacy, unit }: PrivateOnlinePlan,
  { loss, seed, forget }: WatchFlags,
  head: string,
): readonly string[] {
  const { mu, halfway, chunk, preamble, releases, cost, settledFrom, errors } = figures;
  const { epsilon, delta } = privacy!;
  const protects =
    unit === null
      ? 'what one row holds'
      : `what all rows of one unit hold, of which ${unit.most} count, at most ${unit.perChunk} in a chunk`;
  const name = loss === 'auto' ? 'pseudo-huber' : loss;
  const isReleased = name === 'pseudo-huber';
  return [
    ...(seed === undefined ? [] : ['NOT PRIVATE (seeded): a simulation of the plan below']),
    `${head}, scaled to [-1, 1] by their declared bounds`,
    `loss     ${isReleased ? 'pseudo-huber, with a scale that is released' : lossFlag(name).name}`,
    `privacy  (${epsilon}, ${delta}) for the whole stream, however long, mu ${significant(mu)}; it protects ${protects}, not that a row exists or when it came`,
    `m*       ${counted(Math.ceil(halfway), 'row')}: in a chunk of so many, noise adds as much to the error as sampling`,
    `chunk    ${counted(chunk, 'row')}: errors are ${significant(cost)} times those without noise`,
    `preamble ${counted(preamble, 'row')} before the first estimate with intervals: ${releases.map(({ kind, rows }) => `${kind} ${rows}`).join(', ')}`,
    `predicted error of predictions, in units of ${figures.unit}, within 15 % from ${counted(settledFrom, 'row')} on${forget === undefined ? '' : ', as long as old rows count'}:`,
    ...table([
      ['rows', 'error'],
      ...errors.map(({ rows, error }) => [String(rows), error === null ? 'none yet' : significant(error)]),
    ])
      .trimEnd()
      .split('\n')
      .map(line => `  ${line}`),
  ];
}
