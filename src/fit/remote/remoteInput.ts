import { concatMap, map, type Observable, range } from 'rxjs';
import { evenSums, type Part, type RoundEngine } from '../../engine/roundEngine.ts';
import { HASHES } from '../../engine/sql/rowHash.ts';
import { ArgumentError } from '../../errors.ts';
import { type Stage, type Step, trusted } from '../../flow/stage.ts';
import { type Layout, widened } from '../../plan/layout.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Chunk } from '../../sample/chunk.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import { samplesOf } from '../../sample/samples.ts';
import { counted } from '../../words.ts';
import { openInput, type RunInput, WIDEST_PILOT, type WiderInput } from '../input/openInput.ts';

/** A share of the rows by their hashes. */
type Range = NonNullable<Part>;

/** Whom a run tells what it has found about its rows, so that a later one over other rows is refused. */
type RequireSame = (name: string, fact: unknown) => void;

/**
 * The pilot's rows, fetched from an engine, and the chunks of the steps, which stay there and answer with block sums.
 * Parts have as many rows as their share of the hashes happens to have; the layout that is returned has these numbers.
 * They depend on ids alone, and every answer is checked against them: a table that has changed is refused.
 */
export async function remoteInput(
  engine: RoundEngine,
  layout: Layout,
  held: number,
  requireSame: RequireSame = () => {},
): Promise<WiderInput & { readonly held: number }> {
  if (layout.sharesPilot) {
    const rows = samplesOf(await gathered(engine, null, engine.rows));
    return { start: await openInput(rows, layout, held), layout, held };
  }
  const parts = partsOf(layout, held);
  const counts = await countsOf(engine, parts, layout.blocks);
  requireSame(
    'rows by part and block',
    counts.map(each => [...each]),
  );
  const sizes = counts.map(sum);
  const pilotCount = parts.pilot === null ? 0 : sizes[0]!;
  const steps = parts.pilot === null ? 0 : 1;
  const chunkSizes = sizes.slice(steps, steps + parts.chunks.length);
  const heldRows = parts.held === null ? 0 : sizes.at(-1)!;
  const own: Layout = {
    ...layout,
    pilotRows: pilotCount,
    rows: engine.rows - pilotCount - heldRows,
    schedule: layout.schedule && { chunks: chunkSizes, leftOver: 0 },
  };
  const pilotBatch = parts.pilot === null ? null : await gathered(engine, parts.pilot, pilotCount);
  const rounds = (
    used: Layout,
    ranges: readonly Range[],
    expected: readonly Float64Array[],
  ): Pick<RunInput, 'chunks' | 'sums'> => ({
    chunks: range(0, used.steps).pipe(map(index => chunkElsewhere(index, used.schedule?.chunks[index] ?? used.rows))),
    sums: plan => roundSums(plan, engine, ranges, expected),
  });
  const expected = counts.slice(steps, steps + parts.chunks.length);
  const start: RunInput = {
    features: engine.features,
    pilotBatch,
    countsAllRows: true,
    ...rounds(own, parts.chunks, expected),
    ...(parts.held !== null && { heldOut: samplesLater(engine, parts.held, heldRows) }),
  };
  const larger = widened(own, Math.floor(WIDEST_PILOT / (engine.features + 1)));
  if (pilotBatch === null || larger === null) return { start, layout: own, held: heldRows };
  const wider = async (): Promise<WiderInput> => {
    const end = larger.sharesPilot ? parts.chunks.length : parts.chunks.length - larger.steps;
    const pilotOfMore = await gathered(engine, { from: 0, to: parts.chunks[end - 1]!.to }, larger.pilotRows);
    if (!larger.sharesPilot)
      return {
        start: { ...start, pilotBatch: pilotOfMore, ...rounds(larger, parts.chunks.slice(end), expected.slice(end)) },
        layout: larger,
      };
    const inMemory = await openInput(samplesOf(pilotOfMore), larger, 0);
    return { start: { ...inMemory, ...(start.heldOut && { heldOut: start.heldOut }) }, layout: larger };
  };
  return { start: { ...start, wider }, layout: own, held: heldRows };
}

/** The rows of a part, as many as are expected. */
async function gathered(engine: RoundEngine, part: Part, expected: number): Promise<SampleBatch> {
  const batch = await engine.rowsOf(part);
  requireRows(engine, batch.rows, expected);
  return batch;
}

/** The chunks of a plan that was made beforehand, with as many rows in each as it says, up to chance. */
export async function plannedRounds(
  engine: RoundEngine,
  plan: Plan,
  requireSame: RequireSame = () => {},
): Promise<{ readonly chunks: Observable<Chunk>; readonly sums: (plan: Plan) => Stage<'step', 'sums'> }> {
  if (plan.estimation.kind === 'huber')
    throw new ArgumentError(
      'the Huber estimator needs the gradient of every single row, and an engine returns sums of blocks; read the rows here',
      'ERR_CONFLICT',
      { arguments: ['theorem'] },
    );
  const { steps, mode, rows } = plan;
  const used = mode === 'full' ? [rows] : steps.map(step => step.rows);
  const left = rows - used.reduce((all, each) => all + each, 0);
  const parts = partsOf({ pilotRows: 0, rows, schedule: { chunks: used } }, left);
  const counts = await countsOf(engine, parts, steps[0]!.blocks);
  requireSame(
    'rows by part and block',
    counts.map(each => [...each]),
  );
  const handle = (index: number): Chunk => chunkElsewhere(index, steps[index]!.rows);
  return {
    chunks: range(0, steps.length).pipe(map(handle)),
    sums: own => roundSums(own, engine, parts.chunks, counts),
  };
}

interface Parts {
  readonly pilot: Range | null;
  readonly chunks: readonly Range[];
  readonly held: Range | null;
}

/** How many rows each part should have. */
interface Shares {
  readonly pilotRows: number;
  readonly rows: number;
  readonly schedule: { readonly chunks: readonly number[] } | null;
}

/** Pilot, chunks and the rows held out, one after another, in proportion to their rows. */
export function partsOf({ pilotRows, rows, schedule }: Shares, held: number): Parts {
  const shares = [pilotRows, ...(schedule?.chunks ?? [rows]), held];
  const total = shares.reduce((all, share) => all + share, 0);
  let before = 0;
  const ranges = shares.map((share): Range => {
    const from = Math.round((before / total) * HASHES);
    before += share;
    return { from, to: Math.round((before / total) * HASHES) };
  });
  return {
    pilot: pilotRows === 0 ? null : ranges[0]!,
    chunks: ranges.slice(1, -1),
    held: held === 0 ? null : ranges.at(-1)!,
  };
}

async function countsOf(engine: RoundEngine, parts: Parts, blocks: number): Promise<readonly Float64Array[]> {
  const all = [...(parts.pilot ? [parts.pilot] : []), ...parts.chunks, ...(parts.held ? [parts.held] : [])];
  const counts = await engine.counts(all, blocks);
  const found = counts.reduce((rows, each) => rows + sum(each), 0);
  requireRows(engine, found, engine.rows);
  for (const each of counts)
    if (each.includes(0))
      throw new ArgumentError(
        `${counted(engine.rows, 'row')} in ${engine.name} leave a block without any: their \`id\` does not tell enough of them apart, or they are too few; name another \`id\`, or ask for fewer \`blocks\` or \`steps\``,
        'ERR_TOO_FEW_ROWS',
        { rows: engine.rows },
      );
  return counts;
}

const sum = (counts: Float64Array): number => counts.reduce((all, count) => all + count, 0);

/** Refuses an answer about other rows than those that the run began with. */
export function requireRows({ name }: Pick<RoundEngine, 'name'>, found: number, expected: number): void {
  if (found === expected) return;
  throw new ArgumentError(
    `the rows in ${name} have changed since the run began: where there were ${counted(expected, 'row')} there are ${found} now; run again over a table that nobody writes to`,
    'ERR_CHANGED',
    { expected, found },
  );
}

/** A chunk whose rows nobody here reads. */
const chunkElsewhere = (index: number, rows: number): Chunk => ({
  index,
  rows,
  batches: { async *[Symbol.asyncIterator]() {} },
  release: async () => {},
});

/** The estimate stage of rows elsewhere: one query for each step. */
function roundSums(
  { loss, intercept, steps }: Plan,
  engine: RoundEngine,
  ranges: readonly Range[],
  expected: readonly Float64Array[],
): Stage<'step', 'sums'> {
  return trusted({
    name: 'roundSums',
    kind: 'estimate',
    from: 'step',
    to: 'sums',
    run: concatMap(async ({ index, at, fits }: Step) => {
      const { chunk, blocks, rowsPerBlock } = steps[index]!;
      const place = chunk === 'all' ? 0 : index;
      const question = { part: ranges[place]!, blocks, intercept, asked: fits ?? [{ loss, at }] };
      const { counts, sums } = await engine.sums(question);
      counts.forEach((count, k) => {
        requireRows(engine, count, expected[place]![k]!);
      });
      return evenSums(behindEachOther(sums, blocks), counts, rowsPerBlock);
    }),
  });
}

/** The sums of every block: those of the first fit, then those of the next. */
function behindEachOther(sums: readonly Float64Array[], blocks: number): Float64Array {
  const size = sums[0]!.length / blocks;
  const joined = new Float64Array(sums.length * blocks * size);
  sums.forEach((own, k) => {
    for (let block = 0; block < blocks; block++)
      joined.set(own.subarray(block * size, (block + 1) * size), (block * sums.length + k) * size);
  });
  return joined;
}

/** The rows held out, fetched when they are asked for. */
const samplesLater = (engine: RoundEngine, part: Range, rows: number): NonNullable<RunInput['heldOut']> => ({
  rows,
  features: engine.features,
  weighted: true,
  batches: () => slicedBatches(engine, part, rows),
});

/** Rows of an engine, some at a time: all of them, unless a part is given. */
export async function* slicedBatches(
  engine: RoundEngine,
  part: Range = { from: 0, to: HASHES },
  rows = engine.rows,
): AsyncGenerator<SampleBatch> {
  let found = 0;
  for (const slice of slicesOf(part, rows)) {
    const batch = await engine.rowsOf(slice);
    found += batch.rows;
    yield batch;
  }
  requireRows(engine, found, rows);
}

/** Rows that are fetched at once: 20 features of them take 20 MB. */
const MOST_FETCHED = 2 ** 17;

/** A range in parts of about so many rows. */
function slicesOf({ from, to }: Range, rows: number): readonly Range[] {
  const count = Math.max(1, Math.ceil(rows / MOST_FETCHED));
  const place = (k: number): number => from + Math.round(((to - from) * k) / count);
  return Array.from({ length: count }, (_, k) => ({ from: place(k), to: place(k + 1) }));
}
