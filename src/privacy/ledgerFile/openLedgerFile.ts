import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ArgumentError, refuse } from '../../errors.ts';
import type { PrivacyEvent } from '../event.ts';
import { muFor } from '../gaussianDp.ts';
import { type Budget, requireKept } from '../gaussianNoise.ts';
import type { DatasetAccount, RunEntries } from './book.ts';
import { type LedgerWriter, ledgerWriter } from './ledgerWriter.ts';
import { type Protection, requireProtection, requireSameProtection } from './protection.ts';
import { type Guarantee, isPromise, type RunRecord, requireBudget, requireGuarantee } from './record.ts';
import { fits, requireRoom } from './room.ts';

/** Whose account a ledger file is opened for. */
export interface LedgerOptions {
  /** The declared name of the data, by which runs compose; a hash of the data would itself be a release. */
  readonly dataset: string;
  /** What all runs on the data set may spend together; the first one given stays. */
  readonly budget?: Budget;
}

/** What a run declares before it begins: its target, its guarantee, and what it protects. */
export type RunPlan = Pick<RunRecord, 'target' | 'guarantee' | 'createdWith' | 'stream'> & {
  readonly protects: Protection;
};

/** A run on a stream: what it declares, and the one event that all its releases cost together. */
export type StreamPlan = RunPlan & Required<Pick<RunRecord, 'stream'>> & { readonly event: PrivacyEvent };

/** An open ledger file, locked for this process. */
export interface LedgerFile {
  /** The current account of the data set. */
  readonly account: DatasetAccount;
  /** The hash of the last line. */
  readonly head: string;
  begin(plan: RunPlan): LedgerRun;
  /**
   * Goes on with a run that was begun by an earlier process; it must be the same that is planned, and what it has yet to
   * charge must still fit in the budget. Charges nothing by itself.
   */
  resume(run: string, plan: RunPlan): LedgerRun;
  /**
   * Begins a run on a stream and charges it once for all its releases; returns its name when both are on disk. The file
   * may be closed while the run goes on.
   */
  beginStream(plan: StreamPlan): string;
  /**
   * Finds a run on a stream that has begun and been charged, and not ended; it must be the same that is planned. It
   * charges nothing: each row is still in one release.
   */
  resumeStream(run: string, plan: StreamPlan): void;
  /** Records that a run on a stream has ended. */
  finishStream(run: string): void;
  /** Releases the lock; a run that is not finished stays unfinished. */
  close(): void;
}

/** A run under way, whose releases are charged one by one. */
export interface LedgerRun {
  /** The name of the run in the file. */
  readonly id: string;
  /** What the run has stated that it protects. */
  readonly protects: Protection;
  /** How often it was charged, by earlier processes too. */
  readonly charges: number;
  /** Whether an end was recorded, by this process or an earlier one. */
  readonly isFinished: boolean;
  /** Returns once the charge is on disk. */
  charge(event: PrivacyEvent): void;
  /** Records that the run has ended. */
  finish(): void;
}

/**
 * The ledger file of private runs: append-only, one line per event, on disk before any noise is drawn.
 *
 * Guarantee. Whatever a run released is recorded in the file, even if the process was killed at any moment: a charge
 * returns only once its line is on disk. What a run states is true of all that it may charge: its mu keeps its epsilon
 * and delta. Runs on one declared data set compose. A run that could exceed the data set's
 * budget is refused before it begins, and so is one that protects something other than the runs before it; a charge
 * beyond what its run guarantees is refused before its noise is drawn.
 * Edge cases. The first budget given for a data set stays: a later run may be held to a smaller one, for itself, but
 * not to a larger one.
 *
 * Locks the file for this process, verifies it, and repairs a torn last line; creates the file if there is none.
 */
export function openLedgerFile(path: string, { dataset, budget }: LedgerOptions): LedgerFile {
  requireName('dataset', dataset);
  const asked = budget === undefined ? null : requireBudget('budget', budget);
  const writer = ledgerWriter(path);
  try {
    return session(writer, dataset, asked, boundOf(writer.account(dataset), asked));
  } catch (error) {
    writer.close();
    throw error;
  }
}

function session(writer: LedgerWriter, dataset: string, asked: Budget | null, bound: Budget | null): LedgerFile {
  let underWay: string | null = null;
  const found = (run: string, kind: 'stream' | 'fit'): Readonly<RunEntries> => {
    const known = writer.find(run);
    const isSought =
      kind === 'stream' ? known?.record.stream !== undefined && !known.isFinished : known?.record.stream === undefined;
    if (known !== undefined && isSought) return known;
    throw new ArgumentError(
      `run ${run} of a ${kind} is not ${kind === 'stream' ? 'in progress ' : ''}in the ledger, so its releases are not accounted for; name the ledger that it began with`,
      'ERR_NOT_PRIVATE',
      { run },
    );
  };
  const requireSame = ({ record }: Readonly<RunEntries>, plan: RunPlan): void => {
    const differs = (['target', 'guarantee', 'protects', 'stream'] as const).find(
      name => !isDeepStrictEqual(record[name], plan[name]),
    );
    if (differs === undefined && record.dataset === dataset) return;
    throw new ArgumentError(
      `run ${record.run} of the ledger differs from the one that would go on, in its ${differs ?? 'dataset'}; go on with the same options, or begin another run, which is charged anew`,
      'ERR_CONFLICT',
      { run: record.run, differs: differs ?? 'dataset' },
    );
  };
  const requireIdle = (): void => {
    if (underWay === null) return;
    throw new ArgumentError(`run ${underWay} is in progress; finish it before another begins`, 'ERR_CONFLICT', {
      run: underWay,
    });
  };
  const going = (id: string): LedgerRun => {
    underWay = id;
    const entries = writer.find(id)!;
    const { guarantee, protects } = entries.record;
    const requireUnderWay = (): void => {
      if (underWay !== id || entries.isFinished)
        throw new ArgumentError(`run ${id} has ended; begin another to charge more`, 'ERR_CONFLICT', { run: id });
    };
    return {
      id,
      // Every run that this version begins says what it protects.
      protects: protects!,
      get charges() {
        return entries.charges;
      },
      get isFinished() {
        return entries.isFinished;
      },
      charge: event => {
        requireUnderWay();
        requireWithin(guarantee, entries.cost.squaredMuWith(event));
        writer.append({ kind: 'charge', run: id, event });
      },
      finish: () => {
        requireUnderWay();
        writer.append({ kind: 'finished', run: id, at: now() });
        underWay = null;
      },
    };
  };

  const begin = (plan: RunPlan): LedgerRun => {
    requireIdle();
    const guarantee = requireGuarantee(plan.guarantee);
    // Not asked of lines that are read: what they cost is what they charged, whatever they state.
    if (isPromise(guarantee)) requireKept('guarantee', guarantee.mu, guarantee);
    const protects = requireProtection(plan.protects);
    // Also for a run without a guarantee: it may set the budget, which must have a defined unit of protection.
    requireSameProtection(dataset, writer.account(dataset).protects, protects);
    if (bound !== null && isPromise(guarantee)) {
      requireRoom(dataset, guarantee, bound, writer.account(dataset).spent);
    }
    const { target, createdWith } = plan;
    const id = randomUUID();
    writer.append({
      kind: 'run',
      run: id,
      at: now(),
      dataset,
      target,
      guarantee,
      protects,
      budget: asked,
      createdWith,
      ...(plan.stream !== undefined && { stream: plan.stream }),
    });
    return going(id);
  };
  return {
    get account() {
      return writer.account(dataset);
    },
    get head() {
      return writer.head();
    },
    begin,
    resume: (run, plan) => {
      requireIdle();
      const entries = found(run, 'fit');
      requireSame(entries, plan);
      const { guarantee } = entries.record;
      // Another run may have spent what this one had left.
      if (bound !== null && isPromise(guarantee) && !entries.isFinished)
        requireRoom(dataset, guarantee, bound, Math.max(0, writer.account(dataset).spent - entries.cost.squaredMu));
      return going(run);
    },
    beginStream: plan => {
      const run = begin(plan);
      run.charge(plan.event);
      underWay = null;
      return run.id;
    },
    resumeStream: (run, plan) => {
      const entries = found(run, 'stream');
      requireSame(entries, plan);
      // Killed between its two lines: no noise can have been drawn, so the charge is made now.
      if (entries.charges > 0) return;
      requireWithin(entries.record.guarantee, entries.cost.squaredMuWith(plan.event));
      writer.append({ kind: 'charge', run, event: plan.event });
    },
    finishStream: run => {
      found(run, 'stream');
      writer.append({ kind: 'finished', run, at: now() });
    },
    close: () => writer.close(),
  };
}

function requireWithin(guarantee: Guarantee, squaredMu: number): void {
  if (!isPromise(guarantee) || fits(squaredMu, guarantee.mu ** 2)) return;
  throw new ArgumentError(
    `the run guarantees mu ${guarantee.mu}, but this charge would bring it to ${Math.sqrt(squaredMu)}; plan it with all its releases`,
    'ERR_BUDGET',
    { mu: guarantee.mu },
  );
}

const now = (): string => new Date().toISOString();

/** Names that look the same must be the same, or each spelling of a data set would have a budget to itself. */
function requireName(name: string, value: string): void {
  if (typeof value !== 'string' || value === '' || value !== value.trim() || /\p{Cc}/u.test(value)) {
    refuse(name, 'be one line of text without leading or trailing spaces', value, 'name the data that the run reads');
  }
  if (/[\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(value)) {
    refuse(name, 'have no invisible characters', value, 'retype the name');
  }
  if (value !== value.normalize('NFC')) {
    refuse(name, 'be written in composed characters (Unicode NFC)', value, 'retype the name');
  }
}

/** The budget that a run is held to: the data set's, or a smaller one. */
function boundOf({ dataset, budget, runs }: DatasetAccount, asked: Budget | null): Budget | null {
  if (budget === null || asked === null) return asked ?? budget;
  if (fits(muFor(asked.epsilon, asked.delta) ** 2, muFor(budget.epsilon, budget.delta) ** 2)) return asked;
  const since = runs.find(run => run.budget !== null)!.at;
  throw new ArgumentError(
    `\`budget\` must be at most what data set ${JSON.stringify(dataset)} was given on ${since}, epsilon ${budget.epsilon} at delta ${budget.delta}, got epsilon ${asked.epsilon} at delta ${asked.delta}; leave it out, or give a smaller one: a budget is not raised after the fact`,
    'ERR_BUDGET',
    { dataset, budget, asked },
  );
}
