import { ArgumentError, refuse, requireInteger } from '../../errors.ts';
import type { Random } from '../../math/random/random.ts';
import { requireBatch, type SampleBatch } from '../sampleBatch.ts';
import type { Samples } from '../samples.ts';
import { asLimited } from '../transform/perUnit.ts';
import { type Cells, memoryCells } from './cells.ts';
import { rowCells } from './rowCells.ts';
import { scratchCells } from './scratchCells.ts';
import { openScratchFile } from './scratchFile.ts';

/**
 * Rows in a seeded random order, without loading the file: each row's position is computed from its index (never from
 * its values), positions are divided into cells (a step's block, or the rows it leaves over), and one pass appends
 * every row to its cell. Cells have exact sizes, so a row's chunk and block are those of a uniformly random
 * permutation; within a block, rows keep the order of the file.
 */

export interface ScatterOptions {
  /** The sizes of consecutive cells of positions; they add up to the rows of the source. */
  readonly cells: readonly number[];
  /** The source of the order. */
  readonly random: Random;
  /** Rows are scattered in memory up to this many bytes, and to a temporary file beyond. */
  readonly memoryBytes?: number;
  /** The folder for a temporary file; the system's folder by default. */
  readonly scratch?: string;
}

const MEMORY_BYTES = 2 ** 26;

/** Rows in random order; closing them frees the memory or the temporary file that holds them. */
export interface ScatteredSamples extends Samples {
  close(): Promise<void>;
}

type Shape = Pick<Samples, 'rows' | 'features' | 'weighted'>;

const bytesOf = ({ rows, features, weighted }: Shape): number => rows * (features + (weighted ? 2 : 1)) * 8;

const requireMemory = (bytes: number): number =>
  bytes >= 0 ? bytes : refuse('memoryBytes', 'be a number of at least 0', bytes);

/**
 * Rejects a folder that cannot hold the temporary file needed to scatter these rows, if one is needed: for runs that
 * spend privacy budget before they scatter.
 */
export async function requireScratch(
  samples: Shape,
  { memoryBytes = MEMORY_BYTES, scratch }: Pick<ScatterOptions, 'memoryBytes' | 'scratch'> = {},
): Promise<void> {
  const bytes = bytesOf(samples);
  if (bytes > requireMemory(memoryBytes)) await (await openScratchFile(bytes, scratch)).close();
}

/** The scattering pass runs when rows are first requested; later passes read its result again. */
export function scatter(samples: Samples, options: ScatterOptions): ScatteredSamples {
  const { cells: sizes, random, memoryBytes = MEMORY_BYTES, scratch } = options;
  const total = sizes.reduce((sum, size) => sum + requireInteger('cells', size, 0), 0);
  requireInteger('the sum of cells', total, samples.rows, samples.rows);
  const layout = { sizes, features: samples.features, weighted: samples.weighted };
  const bytes = bytesOf(samples);
  requireMemory(memoryBytes);
  let scattered: Promise<Cells> | undefined;

  const run = async (): Promise<Cells> => {
    const cells = bytes <= memoryBytes ? memoryCells(layout) : await scratchCells(layout, scratch);
    try {
      const findCells = rowCells(sizes, random);
      let row = 0;
      let cell = new Uint32Array(0);
      for await (const batch of samples.batches()) {
        requireDeclared(batch, samples, row);
        if (cell.length < batch.rows) cell = new Uint32Array(batch.rows);
        findCells(row, cell.subarray(0, batch.rows));
        cells.add(batch, cell);
        row += batch.rows;
      }
      requireAll(row, samples.rows);
      return cells;
    } catch (error) {
      await cells.close();
      throw error;
    }
  };

  const made: ScatteredSamples = {
    rows: samples.rows,
    features: samples.features,
    weighted: samples.weighted,
    hasTarget: samples.hasTarget,
    async *batches() {
      scattered ??= run();
      yield* (await scattered).batches();
    },
    close: async () => {
      await (await scattered?.catch(() => undefined))?.close();
    },
  };
  return asLimited(made, samples);
}

/** Rejects rows that ended before there were as many as declared. */
export function requireAll(rows: number, expected: number): void {
  if (rows < expected)
    throw new ArgumentError(`the rows ended after ${rows} of ${expected}`, 'ERR_CHANGED', { rows, expected });
}

/**
 * Rejects a batch, after `read` rows, that does not match its source's declaration: other columns, more rows, or
 * weights although it should have none. Code that stores rows has no room for the excess, and rows of weight 0 would be
 * used.
 */
export function requireDeclared(
  batch: SampleBatch,
  { rows, features, weighted }: Pick<Samples, 'rows' | 'features' | 'weighted'>,
  read: number,
): void {
  requireBatch(batch, features);
  if (read + batch.rows > rows) {
    throw new ArgumentError(
      `the batches must have at most ${rows} rows in all, got more; set samples.rows to the true number`,
      'ERR_CHANGED',
      { expected: rows },
    );
  }
  if (batch.weights === undefined || weighted) return;
  throw new ArgumentError(
    'batches must have no weights if samples.weighted is false, got some; set weighted: true',
    'ERR_CONFLICT',
    { arguments: ['weighted', 'weights'] },
  );
}
