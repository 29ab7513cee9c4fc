import { map, range } from 'rxjs';
import { type CellGrams, cellGrams, cellGramsFit, type GramWork } from '../../engine/kernel/cellGrams.ts';
import { type Stage, type Step, trusted } from '../../flow/stage.ts';
import type { Random } from '../../math/random/random.ts';
import { type Cell, cutCells, type Layout } from '../../plan/layout.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Chunk } from '../../sample/chunk.ts';
import type { BlockSums } from '../../sample/gradientSums.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';
import type { Samples } from '../../sample/samples.ts';
import { cellsInOrder, rowCells } from '../../sample/shuffle/rowCells.ts';
import { requireAll, requireDeclared } from '../../sample/shuffle/scatter.ts';
import type { FitSettings } from '../fitSamples.ts';
import type { RunInput } from './openInput.ts';

/** Whether one pass is enough: the loss is the squared one, and the moments of all blocks fit in memory. */
export function suitsGramPass(
  { features }: Pick<Samples, 'features'>,
  { loss, aggregate, intercept, layout }: Pick<FitSettings, 'loss' | 'aggregate' | 'intercept' | 'layout'>,
): boolean {
  const { blocks, schedule } = layout;
  const cells = countBlocks(cutCells(layout));
  return (
    loss !== 'auto' &&
    loss.loss.kernel?.kind === 'squared' &&
    (aggregate === 'auto' || aggregate === 'median-of-means' || aggregate === 'mean') &&
    // Blocks without rows have no cells; the plan refuses them.
    cells === blocks * (schedule?.chunks.length ?? 1) &&
    !layout.sharesPilot &&
    cellGramsFit({ size: intercept ? features + 1 : features, intercept, cells: cells + 1 })
  );
}

/**
 * One pass for the squared loss, which reads rows in the order of the file and writes none of them. A row's cell is
 * that of the shuffle, if there is one. The pilot's rows are kept in memory. Those of a block are added to its moments,
 * from which every step is computed. Rows that fill no block are added to moments of their own where blocks are of all
 * rows, and dropped otherwise.
 *
 * Reads all rows, in their order where there is no `random`; the result needs none of them any more.
 */
export async function gramPass(
  samples: Samples,
  layout: Layout,
  random: Random | null,
  work?: GramWork,
): Promise<RunInput> {
  const { features } = samples;
  const cells = cutCells(layout);
  const sizes = cells.map(({ rows }) => rows);
  const findCells = random === null ? cellsInOrder(sizes) : rowCells(sizes, random);
  const grams = cellGrams({ features, cells: countBlocks(cells) + 1 }, work);
  const owners = ownersOf(cells);
  const pilot = layout.pilotRows === 0 ? null : rowKeeper(samples, layout.pilotRows);
  let cell = new Uint32Array(0);
  let read = 0;
  try {
    for await (const batch of samples.batches()) {
      requireDeclared(batch, samples, read);
      if (cell.length !== batch.rows) cell = new Uint32Array(batch.rows);
      findCells(read, cell);
      pilot?.add(batch, cell);
      rename(cell, owners);
      grams.add(batch, cell);
      read += batch.rows;
    }
    requireAll(read, samples.rows);
  } catch (error) {
    grams.close();
    throw error;
  }
  return {
    features,
    pilotBatch: pilot?.kept() ?? null,
    chunks: range(0, layout.steps).pipe(map(index => readChunk(index, layout))),
    sums: plan => cellGramSums(plan, grams),
    close: grams.close,
  };
}

const countBlocks = (cells: readonly Cell[]): number => cells.filter(({ use }) => use === 'block').length;

/**
 * The moments that each cell's rows belong to, in the order of blocks, with a rest behind them; of neither, a number
 * past them all.
 */
function ownersOf(cells: readonly Cell[]): Uint32Array {
  let blocks = 0;
  return Uint32Array.from(cells, ({ use }) => (use === 'block' || use === 'rest' ? blocks++ : 2 ** 32 - 1));
}

function rename(cell: Uint32Array, names: Uint32Array): void {
  for (let i = 0; i < cell.length; i++) cell[i] = names[cell[i]!]!;
}

function rowKeeper({ features }: Pick<Samples, 'features'>, rows: number) {
  const columns = Array.from({ length: features }, () => new Float64Array(rows));
  const target = new Float64Array(rows);
  const weights = new Float64Array(rows).fill(1);
  let places: number[] = [];
  let filled = 0;
  let hasWeights = false;
  const keep = (from: Float64Array, to: Float64Array): void => {
    for (let k = 0; k < places.length; k++) to[filled + k] = from[places[k]!]!;
  };
  return {
    /** Keeps the rows of the first cell. */
    add(batch: SampleBatch, cell: Uint32Array): void {
      places = [];
      for (let i = 0; i < batch.rows; i++) if (cell[i] === 0) places.push(i);
      for (let j = 0; j < features; j++) keep(batch.columns[j]!, columns[j]!);
      keep(batch.target, target);
      if (batch.weights !== undefined) keep(batch.weights, weights);
      hasWeights ||= batch.weights !== undefined;
      filled += places.length;
    },
    /** The rows that were kept, once all have been added. */
    kept: (): SampleBatch => ({ rows, columns, target, ...(hasWeights && { weights }) }),
  };
}

/** A chunk whose rows have been read. */
const readChunk = (index: number, { rows, schedule }: Layout): Chunk => ({
  index,
  rows: schedule?.chunks[index] ?? rows,
  batches: { async *[Symbol.asyncIterator]() {} },
  release: async () => {},
});

/** The estimate stage from moments: those of the step's blocks, or of blocks of all rows. */
function cellGramSums({ steps }: Plan, grams: CellGrams): Stage<'step', 'sums'> {
  return trusted({
    name: 'cellGramSums',
    kind: 'estimate',
    from: 'step',
    to: 'sums',
    run: map(({ index, at }: Step): BlockSums<'raw'> => {
      const { chunk, blocks, rowsPerBlock, rest = 0 } = steps[index]!;
      const first = chunk === 'all' ? 0 : index * blocks;
      return {
        sums: grams.sumsAt(at, first, blocks),
        blocks,
        rowsPerBlock,
        privacy: 'raw',
        ...(rest > 0 && { rest: { sum: grams.sumsAt(at, blocks, 1), rows: rest } }),
      };
    }),
  });
}
