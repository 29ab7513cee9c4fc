import type { Vector } from '../math/vector.ts';
import type { Loss } from '../method/loss/loss.ts';
import type { BlockSums } from '../sample/gradientSums.ts';
import type { SampleBatch } from '../sample/sampleBatch.ts';
import type { Scaling } from '../sample/transform/scaling.ts';
import type { Whitening } from '../sample/transform/whitening.ts';
import type { Quantization } from './kernel/integerSummer.ts';
import type { CurvatureRequest, MomentRequest } from './kernel/wholeSummer.ts';

/** Rows whose hash is from `from` up to, but not including, `to`; null for all rows. */
export type Part = { readonly from: number; readonly to: number } | null;

/** Which sums a round asks for: gradients of one or several losses, each at a point of its own, in one pass. */
export interface RoundQuestion {
  readonly part: Part;
  readonly blocks: number;
  readonly intercept: boolean;
  readonly asked: readonly { readonly loss: Loss; readonly at: Vector }[];
}

/** The rows of every block, those of weight 0 included, and for every question the sums by block and coordinate. */
export interface RoundAnswer {
  readonly counts: Float64Array;
  readonly sums: readonly Float64Array[];
}

/** How rows are moved before a private sum: into bounds, and then perhaps into whitened coordinates. */
export interface PrivateRowChange {
  readonly scaling: Scaling;
  readonly whitened: { readonly whitening: Whitening; readonly rowLength: number } | null;
}

/** Whole numbers that a private run sums over rows: gradients, second moments, or what shows the curvature. */
export type WholeQuestion = { readonly change: PrivateRowChange } & (
  | ({ readonly kind: 'gradients'; readonly part: Part; readonly blocks: number; readonly intercept: boolean } & {
      readonly loss: Loss;
      readonly at: Vector;
      readonly quantization: Quantization;
    })
  | { readonly kind: 'moments'; readonly request: MomentRequest }
  | { readonly kind: 'curvature'; readonly request: Omit<CurvatureRequest, 'loss'> & { readonly loss: Loss } }
);

export interface WholeAnswer {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
}

/**
 * Where the rows of a run are, and what is asked about them: how many there are, some of them, and sums of their
 * gradients by block. Rows belong to parts and blocks by the keyed hash of their ids (sql/rowHash.ts): block k of b has
 * those whose hash leaves k when divided by b.
 */
export interface RoundEngine {
  /** For messages: `DuckDB`, `Spark`. */
  readonly name: string;
  /** All rows, those that cannot be used included. */
  readonly rows: number;
  readonly features: number;
  /** The rows in each block of each part; parts do not overlap. */
  counts(parts: readonly NonNullable<Part>[], blocks: number): Promise<readonly Float64Array[]>;
  /** The rows of a part, in the order of their hashes. Rows that cannot be used have weight 0. */
  rowsOf(part: Part): Promise<SampleBatch>;
  sums(question: RoundQuestion): Promise<RoundAnswer>;
  wholeSums(question: WholeQuestion): Promise<WholeAnswer>;
}

/**
 * Block sums as if all blocks had the same number of rows, so that each counts as its mean does. Blocks by hash have
 * somewhat different numbers.
 */
export function evenSums(sums: Float64Array, counts: Float64Array, rowsPerBlock: number): BlockSums<'raw'> {
  const blocks = counts.length;
  const size = sums.length / blocks;
  const even = sums.map((sum, place) => (sum * rowsPerBlock) / counts[Math.floor(place / size)]!);
  return { sums: even, blocks, rowsPerBlock, privacy: 'raw' };
}
