import type { Observable } from 'rxjs';
import { ArgumentError } from '../../errors.ts';
import { mean } from '../../flow/aggregateBy.ts';
import { descend } from '../../flow/descend.ts';
import type { Iterate } from '../../flow/iterate.ts';
import { perturb } from '../../flow/perturb.ts';
import { releaseSums } from '../../flow/releaseSums.ts';
import { split } from '../../flow/split.ts';
import { answerOf, type StoredRelease, stored } from '../../flow/stored.ts';
import { type PrivateReport, reportPrivate } from '../../inference/online/privateIntervals.ts';
import type { Random } from '../../math/random/random.ts';
import { secure } from '../../math/random/secure.ts';
import type { PooledState } from '../../method/rule/pooled.ts';
import { onlineChunks } from '../../plan/online/planOnline.ts';
import {
  type PrivateOnlineOptions,
  type PrivateOnlinePlan,
  planPrivateOnline,
} from '../../plan/online/planPrivateOnline.ts';
import { discreteGaussianMechanism } from '../../privacy/discreteGaussianMechanism.ts';
import type { PrivacyEvent } from '../../privacy/event.ts';
import { ledger } from '../../privacy/ledger.ts';
import type { StreamPlan } from '../../privacy/ledgerFile/openLedgerFile.ts';
import type { Samples } from '../../sample/samples.ts';
import { scaledSamples } from '../../sample/transform/scaledSamples.ts';
import type { UnitTable } from '../../sample/transform/unitTable.ts';

/** What a checkpoint of a private stream holds beside its position: all of it was released, or is public. */
export interface PrivateCheckpoint {
  /** The state before the release, and the release that it has not seen yet. */
  readonly state: PooledState;
  readonly release: StoredRelease;
}

/** How a private stream is run. */
export interface PrivateOnlineRun {
  /**
   * Stores a checkpoint, and the counts of units that its rows have changed, where there are units; the release is used
   * once this resolves. Both must become durable together: append the counts to their file first, and let the checkpoint
   * say how long that file was.
   */
  readonly write: (checkpoint: PrivateCheckpoint, units: Uint8Array | null) => Promise<void>;
  /** The last checkpoint, to go on from; rows then begin at release `checkpoint.release.step + 1`. */
  readonly from?: PrivateCheckpoint;
  /** The table of units, where the plan protects these. */
  readonly units?: UnitTable;
  /** Awaited after every iterate. */
  readonly settle?: (iterate: Iterate) => Promise<void>;
  /** Whether the run ends with this state, before another row is taken; only the end of the rows ends it unless given. */
  readonly until?: (state: PooledState) => boolean;
}

/** A private stream, ready to run. */
export interface PrivateOnline {
  readonly plan: PrivateOnlinePlan;
  /** What the whole stream costs: one event, however many releases there are. Charge it before `run`. */
  readonly event: PrivacyEvent;
  /** The line of a ledger file for the run. */
  ledgerPlan(about: Pick<StreamPlan, 'target' | 'createdWith' | 'stream'> & { readonly unit?: string }): StreamPlan;
  /** One iterate per release, from rows that were opened for a private run; a unit is their last column. Runs once. */
  run(rows: Samples, how: PrivateOnlineRun): Observable<Iterate>;
  /** The state that a checkpoint leads to: its release is used again, without new noise. */
  resumed(checkpoint: PrivateCheckpoint): PooledState;
  report(state: PooledState, options?: { readonly level?: number }): PrivateReport;
}

/**
 * A private stream from declared facts: its plan, its one charge, its stages and its report. See `planPrivateOnline` for
 * the guarantee. Noise from anything but `secure()` makes a simulation, and the event says so.
 *
 * @example
 * const bounds = { intervals: [{ least: 0, most: 80 }] };
 * const scaling = scalingOf({ features: 1, bounds, target: { least: 0, most: 200 }, intercept: true, scalesTarget: true });
 * privateOnline({ scaling, epsilon: 1, delta: 1e-6 }).plan.figures.releases[0].kind; // 'moments'
 */
export function privateOnline({
  random = secure(),
  ...options
}: PrivateOnlineOptions & { readonly random?: Random }): PrivateOnline {
  const plan = planPrivateOnline(options);
  const mechanism = discreteGaussianMechanism(plan.noise, random);
  const event = mechanism.event(plan.steps.at(0)!.release!);
  let hasRun = false;
  const resumed = ({ state, release }: PrivateCheckpoint): PooledState => plan.rule.step(state, answerOf(release));
  return Object.freeze({
    plan,
    event,
    ledgerPlan: ({ unit, ...about }) => ({
      ...about,
      stream: { ...about.stream, ...(plan.unit !== null && { perChunk: plan.unit.perChunk }) },
      guarantee:
        event.kind === 'gaussian'
          ? { mu: event.mu, epsilon: options.epsilon, delta: options.delta }
          : { notPrivate: event.reason },
      protects: plan.unit === null ? 'row' : { unit: unit ?? 'unit', maxPerUnit: plan.unit.most },
      event,
    }),
    run: (rows, { write, from, units, settle, until }) => {
      if (hasRun) {
        throw new ArgumentError(
          'this private stream has been run, and a second run could read rows for a second release; make another one, and go on from the last checkpoint',
          'ERR_NOT_PRIVATE',
          { argument: 'source' },
        );
      }
      let state = from === undefined ? plan.rule.init(plan.start) : resumed(from);
      const at = from === undefined ? {} : { from: { state, step: from.release.step + 1 } };
      const first = at.from?.step ?? 0;
      const steps = { ...plan, ...at };
      const sums = releaseSums(plan, units);
      function* sizes(): Generator<number> {
        for (const size of onlineChunks(plan, first)) {
          if (until?.(state)) return;
          yield size;
        }
      }
      const chunks = split(scaledSamples(rows, plan.scaling), { chunks: sizes(), first });
      hasRun = true;
      return chunks.pipe(
        descend(
          {
            ...steps,
            spent: ledger([event]),
            settle: async iterate => {
              state = iterate.state as PooledState;
              await settle?.(iterate);
            },
          },
          sums,
          perturb(mechanism, steps),
          stored((release, counts) => write({ state, release }, counts), steps, units),
          mean(),
        ),
      );
    },
    resumed,
    report: (state, how) => reportPrivate(state, plan, how),
  } satisfies PrivateOnline);
}
