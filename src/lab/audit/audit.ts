import type { Random } from '../../math/random/random.ts';
import type { PrivatePlan } from '../../plan/private/planPrivate.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Adversary } from './adversary.ts';
import type { Movement } from './movement.ts';
import { type Answer, type Observation, observe, type Pipeline } from './observe.ts';

/** An audit in progress: its subject, and its findings so far. */
export interface Audit {
  readonly seed: string;
  readonly pipeline: Pipeline;
  readonly declared: PrivatePlan;
  readonly random: Random;
  readonly adversary: Adversary;
  readonly found: Map<Breach, string>;
  readonly counts: { runs: number; pairs: number; cells: number };
  /** The largest squared movement of every release. */
  readonly releases: bigint[];
  /** The run that all others must agree with. */
  first: Observation | null;
  furthest: Pair | null;
}

/** A data set and its run. */
export interface Version {
  readonly rows: SampleBatch;
  readonly seen: Observation;
}

/** Two versions, and the releases that both were given. */
export interface Pair {
  readonly from: SampleBatch;
  readonly to: SampleBatch;
  readonly answers: readonly Float64Array[];
  readonly moved: Movement;
  readonly total: bigint;
}

export const run = (audit: Audit, rows: SampleBatch, answer: Answer): Promise<Observation> => {
  audit.counts.runs++;
  return observe(audit.pipeline, rows, answer);
};

/** What an audit found wrong. */
export type Breach =
  | 'error'
  | 'not repeatable'
  | 'no mechanism'
  | 'control flow'
  | 'leak'
  | 'sensitivity'
  | 'disjointness'
  | 'charge'
  | 'noise'
  | 'repeated noise'
  | 'mu';

/** Keeps the first reason of each kind. */
export function breach({ found }: { readonly found: Map<Breach, string> }, kind: Breach, reason: string): void {
  if (!found.has(kind)) found.set(kind, reason);
}
