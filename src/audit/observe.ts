/**
 * One run of a pipeline as somebody inside would see it: what its mechanism was given before noise, and everything it
 * did that must not depend on the rows. What the audit sees is never released: its rows are made up, or the user's own
 * for the user's own eyes.
 */
import { requireFunction } from '../math/check.ts';
import type { Vector } from '../math/vector.ts';
import type { PrivacyLedger } from '../privacy/ledger.ts';
import type { Mechanism } from '../privacy/mechanism.ts';
import type { BlockSums } from '../sample/blockSums.ts';
import { rowsBetween, type SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';

/**
 * Whatever makes releases from rows; the last `Iterate` of a descent is such a result. It passes its mechanism through
 * `watch`, and fixes all randomness but the noise.
 */
export type Pipeline = (
  samples: Samples,
  watch: (mechanism: Mechanism) => Mechanism,
) => Promise<{
  readonly theta: Vector;
  readonly ledger: PrivacyLedger;
  /** Whatever else leaves it, such as what intervals are made of. */
  readonly disclosed?: Vector;
}>;

/** What a release becomes, `index` of them before it: by `draw`, as often as it likes, or anything else. */
export type Answer = (index: number, sums: BlockSums<'raw'>, draw: () => Float64Array) => Float64Array;

export interface Observation {
  /** What each release was made from. */
  readonly sums: readonly BlockSums<'raw'>[];
  /** What was handed on instead. */
  readonly answers: readonly Float64Array[];
  /** What it did, in order: passes and pulls, charges, shapes of releases, errors. */
  readonly trace: readonly string[];
  /** Coefficients, and whatever else left it. */
  readonly disclosed: Vector | null;
  readonly ledger: PrivacyLedger | null;
  readonly error: Error | null;
}

export async function observe(pipeline: Pipeline, rows: SampleBatch, answer: Answer): Promise<Observation> {
  requireFunction('pipeline', pipeline);
  const sums: BlockSums<'raw'>[] = [];
  const answers: Float64Array[] = [];
  const trace: string[] = [];
  const note = (...what: readonly unknown[]): void => {
    trace.push(what.map(item => (typeof item === 'string' ? item : JSON.stringify(item))).join(' '));
  };
  const watch = (mechanism: Mechanism): Mechanism => ({
    ...mechanism,
    event: release => {
      note('charge', release);
      return mechanism.event(release);
    },
    perturb: (given, release) => {
      const { sums: values, ...shape } = given;
      note('release', values.length, shape, release);
      const index = sums.push({ ...given, sums: values.slice() }) - 1;
      const found = answer(index, given, () => mechanism.perturb(given, release).sums);
      answers.push(found.slice());
      const { blocks, rowsPerBlock } = given;
      return { sums: found.slice(), blocks, rowsPerBlock, privacy: 'released' };
    },
  });
  try {
    const { theta, ledger, disclosed = [] } = await pipeline(watchedSamples(rows, note), watch);
    note('end', ledger.entries, theta.length, disclosed.length);
    const all = Float64Array.of(...theta, ...disclosed);
    return { sums, answers, trace, disclosed: all, ledger, error: null };
  } catch (error) {
    note('error', String(error));
    return {
      sums,
      answers,
      trace,
      disclosed: null,
      ledger: null,
      error: error instanceof Error ? error : new Error(String(error)),
    };
  }
}

/** Rows in batches of half of what is left, copied because a batch may be changed in place. */
function watchedSamples(rows: SampleBatch, note: (...what: readonly unknown[]) => void): Samples {
  return {
    rows: rows.rows,
    features: rows.columns.length,
    weighted: rows.weights !== undefined,
    async *batches() {
      note('pass');
      try {
        for (let start = 0; start < rows.rows; ) {
          const end = start + Math.ceil((rows.rows - start) / 2);
          note('pull', start);
          yield copied(rowsBetween(rows, start, end));
          start = end;
        }
      } finally {
        note('pass ends');
      }
    },
  };
}

const copied = ({ rows, columns, target, weights }: SampleBatch): SampleBatch => ({
  rows,
  columns: columns.map(column => column.slice()),
  target: target.slice(),
  ...(weights && { weights: weights.slice() }),
});
