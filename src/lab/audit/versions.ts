/** Runs of neighbouring data sets, and what must be the same in all of them. */
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { replaying, steering } from './answers.ts';
import { type Audit, run, type Version } from './audit.ts';
import { breach } from './breach.ts';
import { checkCharges } from './checkCharges.ts';
import { considerPair } from './considerPair.ts';
import { movement } from './movement.ts';
import type { Observation } from './observe.ts';

/** A data set whose run its neighbours are compared with; null where that run already failed. */
export async function begin(audit: Audit, kind: number): Promise<Version | null> {
  const { plan } = audit.declared;
  const rows = audit.adversary.rows(plan.rows, kind, plan.steps[0]!.rowsPerBlock);
  const seen = await run(audit, rows, steering(audit, kind % 2 === 1));
  audit.first ??= seen;
  if (!sameFlow(audit, seen)) return null;
  if (seen.error !== null) {
    breach(audit, 'error', `the pipeline failed: ${seen.error.message}`);
    return null;
  }
  if (seen.sums.length === 0) {
    breach(
      audit,
      'no mechanism',
      'the pipeline never asked its watched mechanism for a release; pass the mechanism through watch',
    );
    return null;
  }
  const again = await run(audit, rows, replaying(seen));
  if (again.trace.join() !== seen.trace.join() || movement(seen, again).cells > 0) {
    breach(
      audit,
      'not repeatable',
      'two runs on the same rows and the same releases differ before noise; fix the order of rows and all randomness but the noise',
    );
    return null;
  }
  checkCharges(audit, seen);
  return { rows, seen };
}

/** Runs a neighbour and compares it with all versions before it; null where the comparison failed. */
export async function compare(
  audit: Audit,
  base: Version,
  versions: readonly Version[],
  rows: SampleBatch,
): Promise<Version | null> {
  const seen = await run(audit, rows, replaying(base.seen));
  if (!sameFlow(audit, seen)) return null;
  if (seen.disclosed!.some((value, j) => !Object.is(value, base.seen.disclosed![j]))) {
    breach(
      audit,
      'leak',
      'with the same releases, two neighbours end with different coefficients or other outputs: data bypass the mechanism',
    );
  }
  for (const version of versions) considerPair(audit, base, version, { rows, seen });
  return { rows, seen };
}

/** Any two data sets of the same size are linked by a chain of neighbours, so all runs must do the same. */
function sameFlow(audit: Audit, { trace, error }: Observation): boolean {
  const first = audit.first!;
  const at = Array.from({ length: Math.max(trace.length, first.trace.length) }).findIndex(
    (_, i) => trace[i] !== first.trace[i],
  );
  if (at < 0) return true;
  const [here, there] = [first.trace, trace].map(entries => entries[at] ?? 'nothing more');
  const message = (first.error ?? error)?.message;
  breach(
    audit,
    'control flow',
    `what the pipeline does depends on the rows: one run did "${here}" where another did "${there}"${message === undefined ? '' : `; one of them failed: ${message}`}`,
  );
  return false;
}
