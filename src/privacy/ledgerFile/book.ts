import { ArgumentError } from '../../errors.ts';
import { type Composition, composition } from '../composition.ts';
import { epsilonFor, zeroConcentrated } from '../gaussianDp.ts';
import type { Budget } from '../gaussianNoise.ts';
import { commonProtection, type Protection } from './protection.ts';
import { isPromise, type LedgerRecord, type RunRecord } from './record.ts';
import { type Left, leftOf } from './room.ts';

/** What one run of a ledger file has spent. */
export interface RunAccount extends Omit<RunRecord, 'kind'> {
  readonly isFinished: boolean;
  readonly charges: number;
  /** Of what was charged; infinite if there are charges and the run has no guarantee. */
  readonly mu: number;
  /** At the run's delta. */
  readonly epsilon: number;
}

/** What all runs on a data set have spent together. */
export interface DatasetAccount {
  readonly dataset: string;
  readonly runs: readonly RunAccount[];
  /** What epsilon and mu protect; null before the first run. */
  readonly protects: Protection | null;
  readonly isPrivate: boolean;
  readonly mu: number;
  readonly rho: number;
  /** The delta of the budget; without one, that of the first run with a guarantee. */
  readonly delta: number | null;
  readonly epsilon: number | null;
  /** mu^2 of all runs with a guarantee: what has been spent of the budget. */
  readonly spent: number;
  readonly budget: Budget | null;
  /** What a further run may spend, at the delta of the budget. */
  readonly left: Left | null;
}

/**
 * The accounts of all data sets of a ledger file, entered line by line.
 *
 *   spent of a data set = sum of mu^2 charged, over its runs with a guarantee, for replacing what all its runs protect
 *
 * Guarantee. Runs may be chosen by what earlier ones released: Gaussian steps still compose by the sum of mu^2, as long
 * as no run begins that could exceed the budget (Smith and Thakurta, 2022). Under discrete Gaussian noise rho is exact,
 * and epsilon is accurate to the slack of `integerNoise`. A killed run costs what it charged.
 * A release by a run without a guarantee is not deducted from the budget, which it would make meaningless; it makes the
 * data set as a whole not private, with an infinite epsilon, for good.
 */
export interface Book {
  enter(record: LedgerRecord): void;
  account(dataset: string): DatasetAccount;
  accounts(): readonly DatasetAccount[];
  /** A run that has begun, with what it has charged; undefined where there is none. */
  find(run: string): Readonly<RunEntries> | undefined;
}

export interface RunEntries {
  readonly record: RunRecord;
  readonly cost: Composition;
  charges: number;
  isFinished: boolean;
}

export function openBook(): Book {
  const runs = new Map<string, RunEntries>();
  const underWay = (run: string): RunEntries => {
    const found = runs.get(run);
    if (found === undefined || found.isFinished) {
      throw new ArgumentError(`it belongs to run ${run}, which is not in progress there`, 'ERR_FILE', { run });
    }
    return found;
  };
  const account = (dataset: string): DatasetAccount =>
    accountOf(
      dataset,
      [...runs.values()].filter(({ record }) => record.dataset === dataset),
    );
  return {
    enter: record => {
      switch (record.kind) {
        case 'run':
          if (runs.has(record.run))
            throw new ArgumentError(`it begins run ${record.run} a second time`, 'ERR_FILE', { run: record.run });
          runs.set(record.run, { record, cost: composition(), charges: 0, isFinished: false });
          break;
        case 'charge': {
          const run = underWay(record.run);
          run.cost.enter(record.event);
          run.charges++;
          break;
        }
        case 'finished':
          underWay(record.run).isFinished = true;
      }
    },
    account,
    find: run => runs.get(run),
    accounts: () => [...new Set([...runs.values()].map(({ record }) => record.dataset))].map(account),
  };
}

/**
 * Computing an epsilon takes longer than everything else, and a run that opens the file reads none: each is computed on
 * demand.
 */
function accountOf(dataset: string, entries: readonly RunEntries[]): DatasetAccount {
  const runs = entries.map(runAccount);
  const promising = entries.filter(({ record }) => isPromise(record.guarantee));
  const spent = promising.reduce((sum, { cost }) => sum + cost.squaredMu, 0);
  const isPrivate = runs.every(run => run.mu < Infinity);
  const mu = isPrivate ? Math.sqrt(spent) : Infinity;
  const budget = entries.find(({ record }) => record.budget !== null)?.record.budget ?? null;
  const first = promising[0]?.record.guarantee;
  const delta = budget?.delta ?? (first !== undefined && isPromise(first) ? first.delta : null);
  return {
    dataset,
    runs,
    protects: commonProtection(runs.map(run => run.protects)),
    isPrivate,
    mu,
    rho: zeroConcentrated(mu),
    delta,
    get epsilon() {
      return delta === null ? (isPrivate ? null : Infinity) : epsilonFor(mu, delta);
    },
    spent,
    budget,
    get left() {
      return budget === null ? null : leftOf(budget, spent);
    },
  };
}

function runAccount({ record, cost, charges, isFinished }: RunEntries): RunAccount {
  const { kind, ...run } = record;
  const mu = isPromise(run.guarantee) || charges === 0 ? Math.sqrt(cost.squaredMu) : Infinity;
  return {
    ...run,
    isFinished,
    charges,
    mu,
    get epsilon() {
      return isPromise(run.guarantee) ? epsilonFor(mu, run.guarantee.delta) : mu;
    },
  };
}
