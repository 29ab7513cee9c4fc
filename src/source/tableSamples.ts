/** Tables read one after the other as rows of features and a target, a bounded number of rows at a time. */
import { columnArena, type Slot } from '../sample/arena.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Samples } from '../sample/samples.ts';
import { dataError } from './dataError.ts';
import { columnsOf, type Design, type DesignOptions, designOf, sameDesign } from './design.ts';
import { designFiller, type FramePiece, type NullPolicy, type TargetRule } from './fillDesign.ts';
import type { Table } from './table.ts';

export interface ReadOptions extends DesignOptions {
  readonly nulls?: NullPolicy;
  readonly targets?: TargetRule | null;
  /** Rows of a batch. */
  readonly batchRows?: number;
  /** Declared number of rows, for tables that do not know theirs. */
  readonly rows?: number;
}

export interface TableSamples extends Samples {
  readonly design: Design;
  /** Of the latest pass: rows read so far, and how many of them were invalid. */
  readonly tally: { readonly read: number; readonly invalid: number };
  close(): Promise<void>;
}

/** Rows of a batch unless told: 20 features of it fit in 11 MB, and a read of one column is half a megabyte. */
export const BATCH_ROWS = 2 ** 16;

export async function tableSamples(tables: readonly Table[], options: ReadOptions): Promise<TableSamples> {
  const [first] = tables;
  if (first === undefined) throw dataError({ table: 'no table' }, 'was given', 'name at least one file');
  const { nulls = 'error', targets = null, batchRows = BATCH_ROWS } = options;
  const design = designOf(first, options);
  const designs = tables.map(table => sameDesign(first, table, design));
  const rows = options.rows ?? (await countRows(tables));
  if (rows === 0) throw dataError({ table: tables.map(({ name }) => name).join(', ') }, 'has no rows');
  const tally = { read: 0, invalid: 0 };

  /** The pieces of all tables in row order, none longer than a batch. */
  async function* pieces(): AsyncGenerator<FramePiece & { readonly design: Design }> {
    for (const [k, table] of tables.entries()) {
      const wanted = fieldsOf(designs[k]!);
      let firstRow = 0;
      for await (const frame of table.frames(wanted)) {
        for (let start = 0; start < frame.rows; start += batchRows) {
          const count = Math.min(batchRows, frame.rows - start);
          yield { frame, table: table.name, firstRow, start, count, design: designs[k]! };
        }
        firstRow += frame.rows;
      }
    }
  }

  async function* batches(): AsyncGenerator<SampleBatch> {
    tally.read = 0;
    tally.invalid = 0;
    const arena = columnArena({
      features: design.features.length,
      capacity: batchRows,
      slots: 2,
      weights: true,
    });
    const fillers = new Map(
      designs.map(own => [own, designFiller({ design: own, nulls, targets, capacity: batchRows })]),
    );
    const weighted = design.weights !== undefined;
    const source = pieces();
    let rest: (FramePiece & { readonly design: Design }) | undefined;

    /** Fills a slot from as many pieces as it takes: small frames share a batch, a large one is cut. */
    const fillSlot = async (slot: Slot): Promise<SampleBatch | undefined> => {
      let filled = 0;
      let invalid = 0;
      while (filled < batchRows && tally.read + filled < rows) {
        rest ??= (await source.next()).value ?? undefined;
        if (rest === undefined) break;
        const room = Math.min(batchRows - filled, rows - tally.read - filled);
        const piece = { ...rest, count: Math.min(rest.count, room) };
        invalid += await fillers.get(piece.design)!(piece, slot, filled);
        filled += piece.count;
        rest =
          piece.count < rest.count
            ? { ...rest, start: rest.start + piece.count, count: rest.count - piece.count }
            : undefined;
      }
      if (filled === 0) return undefined;
      tally.read += filled;
      tally.invalid += invalid;
      const cut = (column: Float64Array): Float64Array => column.subarray(0, filled);
      const batch = { rows: filled, columns: slot.columns.map(cut), target: cut(slot.target) };
      return weighted || invalid > 0 ? { ...batch, weights: cut(slot.weights) } : batch;
    };

    // One batch ahead: while the caller works on a batch, the next one is being read into the other slot.
    let ahead = fillSlot(arena.slots[0]!);
    try {
      for (let k = 1; ; k++) {
        const batch = await ahead;
        if (batch === undefined) break;
        ahead = fillSlot(arena.slots[k % 2]!);
        // Whoever leaves the loop never awaits it; its failure must not count as unhandled.
        ahead.catch(() => {});
        yield batch;
      }
      if (tally.read < rows) {
        throw dataError(
          { table: first!.name },
          `ended after ${tally.read} of ${rows} rows`,
          'declare the right --rows',
        );
      }
    } finally {
      await ahead.catch(() => {});
      await source.return(undefined);
    }
  }

  return {
    rows,
    features: design.features.length,
    weighted: design.weights !== undefined || nulls === 'skip',
    design,
    tally,
    batches,
    close: async () => {
      await Promise.all(tables.map(table => table.close()));
    },
  };
}

const fieldsOf = (design: Design): number[] => [...new Set(columnsOf(design).map(({ field }) => field))];

/** From metadata where the format has it, otherwise by one pass that decodes nothing. */
async function countRows(tables: readonly Table[]): Promise<number> {
  let total = 0;
  for (const table of tables) {
    if (table.rows !== null) {
      total += table.rows;
      continue;
    }
    for await (const frame of table.frames([])) total += frame.rows;
  }
  return total;
}
