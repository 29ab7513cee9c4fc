import { refuse, requireInteger, requirePositive } from '../../errors.ts';
import { zeros } from '../../math/vector.ts';
import { mean } from '../../method/aggregate/mean.ts';
import type { Loss } from '../../method/loss/loss.ts';
import { pseudoHuber } from '../../method/loss/pseudoHuber.ts';
import { ridge } from '../../method/loss/ridge.ts';
import { type Information, information } from '../../method/rule/information.ts';
import type { PooledWatch } from '../../method/rule/pooled.ts';
import { shiryaevRoberts } from '../../method/rule/shiryaevRoberts.ts';
import { asGiven, flag, number, requireKnown } from '../../options.ts';
import { counted, toDigits } from '../../words.ts';
import { endless, type Plan, type Steps } from '../plan.ts';

/** What is known about a stream before its first row. */
export interface OnlinePlanOptions {
  /** The number of features, without the intercept; 256 at most. */
  readonly features: number;
  /** Whether there is one; true unless given. */
  readonly intercept?: boolean;
  /** Pseudo-Huber with a scale that is learnt from the rows, unless given. */
  readonly loss?: Loss | 'pseudo-huber';
  /** gamma of gamma/2 |theta|^2 for each row, beside that of the loss; 0 unless given. */
  readonly penalty?: number;
  /** Rows of a chunk; chosen by `precision`, `latency` or the number of coefficients unless given. */
  readonly chunk?: number;
  /** The error of predictions that a chunk would have on its own, in spreads of residuals. */
  readonly precision?: number;
  /** How old an estimate may be, in seconds, and how many rows arrive in one. */
  readonly latency?: { readonly seconds: number; readonly rowsPerSecond: number };
  /** Rows of the first chunk, with which the run begins; max(400, 10 k) for k coefficients unless given. */
  readonly pilot?: number;
  /** Rows after which a row counts 1/e of a new one; none is forgotten unless given. */
  readonly forget?: number;
  /** What an alarm does: `restart`, unless given, lets counting begin anew; `note` only tells. */
  readonly onAlarm?: 'restart' | 'note';
  /** Watches for changes; `shiryaevRoberts()` unless given. */
  readonly watch?: PooledWatch;
}

/** The plan of a stream that is not private, fixed before any row is read. */
export interface OnlinePlan extends Plan<Steps> {
  readonly rule: Information;
  /** Whether the scale of pseudo-Huber is learnt. */
  readonly learnsScale: boolean;
  /** Rows after which a row counts 1/e of a new one; null where none is forgotten. */
  readonly forget: number | null;
  /** Rows of its chunks, and why so many. */
  readonly figures: {
    /** Rows of the first chunk, and of those after it unless they end early. */
    readonly pilot: number;
    readonly chunk: number;
    /** Why so many, in whole sentences. */
    readonly reasons: readonly string[];
  };
}

/** Rows per coefficient that a pilot has, and the least it has: fewer leave odd fits that later chunks must mend. */
const PILOT_ROWS = 10;
const LEAST_PILOT = 400;
/** Rows of a chunk where nothing else is asked for: as many as factors of its curvature cost. */
const DEFAULT_CHUNK = 1000;
/** Chunks within the memory of a stream that forgets. */
const CHUNKS_REMEMBERED = 10;
/** E psi^2/(E psi')^2 in squared spreads, for pseudo-Huber and normal residuals. */
const ROW_VARIANCE = 1.1;

/**
 * The plan of an online estimate: rows of the pilot and of each chunk, without end, and the rule `information`.
 *
 *   chunk: precision e -> ceil(1.1 k/e^2),  latency -> seconds * rows per second,  otherwise max(1000, 10 k)
 *   pilot: max(400, 10 k), in whole chunks
 *
 * @example
 * planOnline({ features: 4 }).figures.chunk; // 1000
 */
export function planOnline(options: OnlinePlanOptions): OnlinePlan {
  requireKnown(options, {
    ...{ features: asGiven, intercept: flag, loss: asGiven, penalty: number, chunk: asGiven, precision: asGiven },
    ...{ latency: asGiven, pilot: asGiven, forget: asGiven, onAlarm: asGiven, watch: asGiven },
  });
  const { features, intercept = true, loss: given = 'pseudo-huber', onAlarm = 'restart' } = options;
  const size = requireInteger('features', features, 1) + (intercept ? 1 : 0);
  const forget = options.forget === undefined ? null : requirePositive('forget', options.forget);
  if (onAlarm !== 'restart' && onAlarm !== 'note') refuse('onAlarm', 'be "restart" or "note"', onAlarm);
  const learnsScale = given === 'pseudo-huber';
  const plain = learnsScale ? null : given;
  if (learnsScale && options.penalty)
    refuse('penalty', 'be 0 where the scale of pseudo-Huber is learnt', options.penalty);
  const loss = plain !== null && options.penalty ? ridge(plain, options.penalty) : plain;
  const { chunk, reason } = chunkRows(options, size, forget);
  const least = Math.max(LEAST_PILOT, PILOT_ROWS * size);
  const pilot =
    options.pilot === undefined ? chunk * Math.ceil(least / chunk) : requireInteger('pilot', options.pilot, size + 1);
  const rule = information({
    ...{ features, intercept, loss, chunk, forget, onAlarm },
    watch: options.watch ?? shiryaevRoberts(),
  });
  const stepOf = (t: number, rows: number) => ({ chunk: t, rows, blocks: 1, rowsPerBlock: rows, release: null });
  return Object.freeze({
    ...{ features, intercept, rule, learnsScale, forget },
    rows: Infinity,
    loss: loss ?? pseudoHuber(1),
    start: zeros(size),
    mode: 'fresh' as const,
    estimation: { kind: 'blocks' as const, aggregator: mean() },
    steps: endless(t => stepOf(t, t === 0 ? pilot : chunk)),
    leftOver: 0 as const,
    privacy: null,
    figures: Object.freeze({
      pilot,
      chunk,
      reasons: Object.freeze([
        reason,
        options.pilot === undefined
          ? `The pilot has ${counted(pilot, 'row')}: at least ${LEAST_PILOT} and ${PILOT_ROWS} for each of ${counted(size, 'coefficient')}, in whole chunks.`
          : `The pilot has ${counted(pilot, 'row')}, as asked for.`,
      ]),
    }),
  });
}

function chunkRows(
  { chunk, precision, latency }: OnlinePlanOptions,
  size: number,
  forget: number | null,
): { readonly chunk: number; readonly reason: string } {
  const asked = [chunk, precision, latency].filter(value => value !== undefined);
  if (asked.length > 1)
    refuse(
      'chunk, precision and latency',
      'be given one at a time',
      asked.length,
      'each decides on the rows of a chunk',
    );
  if (chunk !== undefined)
    return { chunk: requireInteger('chunk', chunk, 1), reason: `A chunk has ${counted(chunk, 'row')}, as asked for.` };
  if (precision !== undefined) {
    const rows = Math.ceil((ROW_VARIANCE * size) / requirePositive('precision', precision) ** 2);
    return {
      chunk: rows,
      reason: `A chunk has ${counted(rows, 'row')}, with which ${counted(size, 'coefficient')} predict to ${precision} of the spread of residuals.`,
    };
  }
  if (latency !== undefined) {
    const { seconds, rowsPerSecond } = latency;
    const rows = Math.max(
      1,
      Math.floor(requirePositive('latency.seconds', seconds) * requirePositive('latency.rowsPerSecond', rowsPerSecond)),
    );
    return {
      chunk: rows,
      reason: `A chunk has ${counted(rows, 'row')}, which arrive in ${seconds} s at ${toDigits(rowsPerSecond, 3)} rows per second.`,
    };
  }
  const rows = Math.max(DEFAULT_CHUNK, PILOT_ROWS * size);
  if (forget !== null && forget < CHUNKS_REMEMBERED * rows) {
    const fewer = Math.max(1, Math.floor(forget / CHUNKS_REMEMBERED));
    return { chunk: fewer, reason: `A chunk has ${counted(fewer, 'row')}, a tenth of those that are remembered.` };
  }
  return {
    chunk: rows,
    reason: `A chunk has ${counted(rows, 'row')}: at least ${DEFAULT_CHUNK} and ${PILOT_ROWS} for each of ${counted(size, 'coefficient')}.`,
  };
}

/** The rows of each chunk of an endless plan, from step `first` on: what `split` takes, and holds in memory. */
export function* onlineChunks({ steps }: { readonly steps: Steps }, first = 0): Generator<number, void> {
  for (let t = first; ; t++) yield steps.at(t)!.rows;
}
