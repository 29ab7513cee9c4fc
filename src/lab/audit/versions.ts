import { integerBelow, type Random, rademacher } from '../../math/random/random.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { counted } from '../../words.ts';
import { type Audit, breach, run, type Version } from './audit.ts';
import { lengthOf, limitsOf, movement, ROUNDING } from './movement.ts';
import type { Answer, Observation } from './observe.ts';

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

/** What the releases of a run are replaced by: an audit searches where they lead the run. */

/**
 * Releases as drawn, or some of them moved far in a direction that all blocks share. Half of the moved runs go the same
 * way in all steps: a row that enters every step then meets coefficients far from it each time, where it moves the sums
 * furthest. Where second moments come first, half of the moved runs stand still instead: moments of many rows that
 * hardly vary, so that whitened rows are long, and gradients of 0, so that the curvature is released where the loss has
 * the largest curvature.
 */
function steering({ random, declared }: Pick<Audit, 'random' | 'declared'>, isThrown: boolean): Answer {
  if (isThrown && declared.moments !== null && integerBelow(random, 2) === 0) return keepingStill(random);
  const isSteady = integerBelow(random, 2) === 0;
  const directions = new Map<number, Float64Array>();
  const turn = (size: number, rowsPerBlock: number): Float64Array => {
    const axis = integerBelow(random, size + 1);
    const reach = rowsPerBlock * [1, 30, 1e6][integerBelow(random, 3)]!;
    return Float64Array.from({ length: size }, (_, j) =>
      axis === size || axis === j ? reach * rademacher(random) : 0,
    );
  };
  return (_, { blocks, rowsPerBlock }, draw) => {
    const drawn = draw();
    if (!isThrown || (!isSteady && integerBelow(random, 3) === 0)) return drawn;
    const size = drawn.length / blocks;
    const known = isSteady ? directions.get(size) : undefined;
    const direction = known ?? turn(size, rowsPerBlock);
    directions.set(size, direction);
    return drawn.map((value, k) => value + direction[k % size]!);
  };
}

function keepingStill(random: Random): Answer {
  const many = [1e2, 1e3, 1e5][integerBelow(random, 3)]!;
  return (index, { rowsPerBlock }, draw) => {
    const still = draw().fill(0);
    // The total weight of the rows precedes the mean target.
    if (index === 0) still[still.length - 2] = many * rowsPerBlock;
    return still;
  };
}

/** The releases of another run, whatever these rows would have produced. */
const replaying =
  ({ answers }: Pick<Observation, 'answers'>): Answer =>
  (index, _, draw) => {
    const drawn = draw();
    return answers[index] ?? drawn;
  };

/** Checks that every release is charged before it is drawn, with the mu of its declared sensitivity and noise. */
function checkCharges(audit: Audit, { sums, trace, ledger }: Observation): void {
  const { noise } = audit.declared;
  const { entries, isPrivate } = ledger!;
  let unpaid = 0;
  for (const entry of trace) {
    if (entry.startsWith('charge ')) unpaid--;
    if (entry.startsWith('release ') && ++unpaid > 0)
      breach(audit, 'charge', 'a release was drawn before it was charged');
  }
  if (entries.length !== sums.length) {
    breach(
      audit,
      'charge',
      `the run made ${counted(sums.length, 'release')}, but its ledger charged ${entries.length}`,
    );
  }
  if (!isPrivate) {
    const open = entries.find(entry => entry.kind === 'nonPrivate');
    breach(
      audit,
      'charge',
      `the ledger says that the run is not private: ${open?.kind === 'nonPrivate' ? open.reason : 'its mu is infinite'}`,
    );
  }
  const least = (2 * noise.group * Math.sqrt(noise.squaredNorm)) / noise.scale;
  entries.forEach((entry, index) => {
    if (entry.kind === 'gaussian' && !(entry.mu >= least * (1 - ROUNDING))) {
      breach(
        audit,
        'charge',
        `release ${index + 1} is charged mu ${entry.mu}, but its declared sensitivity and noise give ${least}`,
      );
    }
  });
}

/**
 * Compares the distance between two neighbours' sums with what is declared, and remembers the furthest pair. `base` is
 * the version whose releases both were given.
 */
function considerPair(audit: Audit, base: Version, from: Version, to: Version): void {
  const { noise } = audit.declared;
  const moved = movement(from.seen, to.seen);
  const total = moved.squares.reduce((sum, square) => sum + square, 0n);
  audit.counts.pairs++;
  audit.counts.cells = Math.max(audit.counts.cells, moved.cells);
  moved.squares.forEach((square, index) => {
    if (square > (audit.releases[index] ?? -1n)) audit.releases[index] = square;
  });
  const { group, touches, most } = limitsOf(audit.declared);
  const far = moved.squares.findIndex(square => square > most);
  if (far >= 0) {
    breach(
      audit,
      'sensitivity',
      `one ${unitOf(noise)} moved the sums of release ${far + 1} by ${lengthOf(moved.squares[far]!)} grid steps, but ${lengthOf(most)} are declared`,
    );
  }
  if (moved.cells > group * touches || (far < 0 && total > BigInt(touches) * most)) {
    breach(
      audit,
      'disjointness',
      `one ${unitOf(noise)} moved ${counted(moved.cells, 'block')} over ${counted(moved.squares.length, 'release')}, but ${group * touches} ${group * touches === 1 ? 'is' : 'are'} accounted for: rows enter a block twice, or their places depend on the data`,
    );
  }
  if (audit.furthest === null || total > audit.furthest.total) {
    audit.furthest = { from: from.rows, to: to.rows, answers: base.seen.answers, moved, total };
  }
}

const unitOf = ({ group }: { group: number }): string => (group === 1 ? 'record' : `unit of ${group} records`);
