import { ArgumentError, requireChoice, requireInteger, requirePositive, requireProbability } from '../../errors.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { lossByName, type NamedLoss } from '../../method/loss/lossByName.ts';
import { type GivenLoss, namedLossOf } from '../../method/loss/namedLossOf.ts';
import { shiryaevRoberts } from '../../method/rule/shiryaevRoberts.ts';
import { type OnlinePlan, planOnline } from '../../plan/online/planOnline.ts';
import type { PrivateOnlineOptions } from '../../plan/online/planPrivateOnline.ts';
import type { Interval } from '../../sample/transform/scaling.ts';
import type { LiveDesign } from '../../source/live/liveDesign.ts';
import type { LiveColumns } from '../../source/live/liveSource.ts';
import type { ReadOptions } from '../../source/read/tableSamples.ts';
import { given } from '../call.ts';
import { declaredFeatures, type PrivateRequestOptions, scaledRequest } from '../private/privateRequest.ts';
import type { RunFacts } from './checkpoint.ts';

/** What is estimated from a stream: columns, loss, chunks, and the guarantee of a private run. */
export interface OnlineRequestOptions extends Pick<ReadOptions, 'features' | 'categorical' | 'weights' | 'nulls'> {
  /** The column to be explained. */
  readonly target: string;
  /** What columns hold whose type the first record would not tell. */
  readonly types?: LiveColumns;
  /** Whether the model has an intercept; it has unless told otherwise. */
  readonly intercept?: boolean;
  /** `auto` unless given: logistic where the pilot's targets are 0 and 1, otherwise pseudo-Huber with a learnt scale. */
  readonly loss?: GivenLoss | 'auto';
  /** The ridge penalty of each row. Not for a private run. */
  readonly penalty?: number;
  /** Rows of a chunk; planned unless given. */
  readonly chunk?: number;
  /** Rows after which a row counts 1/e of a new one; none is forgotten unless given. */
  readonly forget?: number;
  /** What an alarm does: `restart`, unless given, lets counting begin anew; `note` only tells. */
  readonly onAlarm?: 'restart' | 'note';
  /** The epsilon of the whole stream, which makes the run private. */
  readonly epsilon?: number;
  /** The delta of a private run: at most 1e-6. */
  readonly delta?: number;
  /** The range of every feature and of the target of a private run, from public knowledge and not from the data. */
  readonly bounds?: PrivateRequestOptions['bounds'];
  /** The column that says whose rows they are, for a private run that protects all rows of one unit together. */
  readonly unit?: string;
  /** How many rows of one unit count, for life; the others get a zero gradient. Goes with `unit`. */
  readonly maxPerUnit?: number;
  /** How many rows of one unit count in one chunk; 1 unless given. */
  readonly perChunk?: number;
}

/** Refuses what does not go together, before anything is opened. */
export function requireRequest(options: OnlineRequestOptions): void {
  const { target, loss = 'auto', onAlarm, epsilon, unit, maxPerUnit, perChunk, chunk, forget } = options;
  if (typeof target !== 'string' || target === '')
    throw new ArgumentError('`target` must be the name of the column to be explained', 'ERR_ARGUMENT', {
      argument: 'target',
      value: options.target,
    });
  if (loss !== 'auto') namedLossOf(loss);
  if (onAlarm !== undefined) requireChoice('`onAlarm`', onAlarm, ['restart', 'note']);
  if (chunk !== undefined) requireInteger('`chunk`', chunk, 1);
  if (forget !== undefined) requirePositive('`forget`', forget);
  if (epsilon === undefined) {
    const found = (['delta', 'bounds', 'unit', 'maxPerUnit', 'perChunk'] as const).find(
      name => options[name] !== undefined,
    );
    if (found !== undefined)
      throw new ArgumentError(
        `\`${found}\` is for private runs; give \`epsilon\` too, or leave it out`,
        'ERR_CONFLICT',
        { arguments: [found, 'epsilon'] },
      );
    return;
  }
  requirePositive('`epsilon`', epsilon);
  requireProbability('`delta`', options.delta!);
  if ((unit === undefined) !== (maxPerUnit === undefined))
    throw new ArgumentError("`unit` and `maxPerUnit` go together: `unit: 'person', maxPerUnit: 5`", 'ERR_CONFLICT', {
      arguments: ['unit', 'maxPerUnit'],
    });
  if (perChunk !== undefined && unit === undefined)
    throw new ArgumentError('`perChunk` goes with `unit` and `maxPerUnit`', 'ERR_CONFLICT', {
      arguments: ['perChunk', 'unit', 'maxPerUnit'],
    });
  for (const [name, why] of Object.entries(SHOWN))
    if (options[name as keyof typeof SHOWN] !== undefined)
      throw new ArgumentError(`\`${name}\` is not for private runs, because ${why}; leave it out`, 'ERR_NOT_PRIVATE', {
        argument: name,
      });
  declaredFeatures({ ...options, bounds: options.bounds ?? {} });
}

/** Options of runs that are not private which would show what rows hold. */
const SHOWN = {
  weights: 'row weights are data',
  nulls: 'a null would be told; a private run gives such rows a zero gradient',
  penalty: 'it would shrink coefficients in coordinates that nobody knows',
} as const;

/** What a checkpoint must have been written for. */
export const factsOf = ({ loss, ...options }: OnlineRequestOptions): RunFacts => ({
  ...given(options, FACTS),
  ...(loss !== undefined && loss !== 'auto' && { loss: lossFact(namedLossOf(loss)) }),
});

const FACTS = [
  ...(['target', 'features', 'categorical', 'weights', 'intercept', 'penalty', 'chunk', 'forget', 'onAlarm'] as const),
  ...(['epsilon', 'delta', 'bounds', 'unit', 'maxPerUnit', 'perChunk'] as const),
] satisfies readonly (keyof OnlineRequestOptions)[];

const lossFact = ({ name, parameter, loss }: NamedLoss): unknown => ({ name, parameter, penalty: loss.penalty });

/** The plan of a run without noise, for columns that the pilot settled. */
export function plainPlan(
  { loss = 'auto', intercept = true, ...options }: OnlineRequestOptions,
  features: number,
  isTwofold: boolean,
): OnlinePlan {
  const named = loss === 'auto' || loss === 'pseudo-huber' ? null : namedLossOf(loss).loss;
  return planOnline({
    features,
    intercept,
    loss: named ?? (loss === 'auto' && isTwofold ? lossByName('logistic').loss : 'pseudo-huber'),
    ...given(options, ['penalty', 'chunk', 'forget', 'onAlarm']),
  });
}

/** The loss as the model has it, whose scale may have been learnt or released. */
export function lossNow(
  { loss = 'auto' }: OnlineRequestOptions,
  { isTwofold }: Pick<LiveDesign, 'isTwofold'>,
  q: number,
): NamedLoss {
  if (loss === 'auto' && isTwofold) return lossByName('logistic');
  return loss === 'auto' || loss === 'pseudo-huber' ? lossByName('pseudo-huber', { parameter: q }) : namedLossOf(loss);
}

/** What a private run is planned from; no row decides on any of it. */
export function privateOnlineRequest(
  options: OnlineRequestOptions,
  columns: LiveDesign['columns'],
): { readonly request: PrivateOnlineOptions; readonly bounds: Readonly<Record<string, Interval>> } {
  const { loss = 'auto', epsilon, delta, maxPerUnit, perChunk } = options;
  const { scaling, scaled, bounds } = scaledRequest({ ...options, bounds: options.bounds ?? {} }, columns);
  const isReleased = loss === 'auto' || loss === 'pseudo-huber';
  return {
    bounds,
    request: {
      scaling,
      epsilon: epsilon!,
      delta: delta!,
      watch: shiryaevRoberts(),
      ...given(options, ['chunk', 'forget']),
      ...(!isReleased && { loss: scaled satisfies Loss }),
      ...(maxPerUnit !== undefined && { unit: { most: maxPerUnit, ...(perChunk !== undefined && { perChunk }) } }),
    },
  };
}
