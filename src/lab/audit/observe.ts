import { requireFunction } from '../../errors.ts';
import type { Vector } from '../../math/vector.ts';
import type { PrivacyLedger } from '../../privacy/ledger.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import type { BlockSums } from '../../sample/gradientSums.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import type { Samples } from '../../sample/samples.ts';

/**
 * Anything that makes releases from rows; the last `Iterate` of a descent is such a result. It must pass its mechanism
 * through `watch`, and fix all randomness but the noise.
 */
export type Pipeline = (
  samples: Samples,
  watch: (mechanism: Mechanism) => Mechanism,
) => Promise<{
  readonly theta: Vector;
  readonly ledger: PrivacyLedger;
  /** Any other output, such as what intervals are computed from. */
  readonly disclosed?: Vector;
}>;

/** Supplies a release, given its index and sums: by calling `draw`, any number of times, or in any other way. */
export type Answer = (index: number, sums: BlockSums<'raw'>, draw: () => Float64Array) => Float64Array;

export interface Observation {
  /** The input of each release. */
  readonly sums: readonly BlockSums<'raw'>[];
  /** What was returned as each release. */
  readonly answers: readonly Float64Array[];
  /** What the pipeline did, in order: passes and pulls, charges, shapes of releases, errors. */
  readonly trace: readonly string[];
  /** The coefficients, and any other output. */
  readonly disclosed: Vector | null;
  readonly ledger: PrivacyLedger | null;
  readonly error: Error | null;
}

/**
 * One run of a pipeline, observed from inside: what its mechanism was given before noise, and everything it did that
 * must not depend on the rows. The audit never releases what it sees: its rows are synthetic, or belong to the user who
 * reads the result.
 */
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

/** Rows in batches of half of what remains, copied because the pipeline may change a batch in place. */
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
