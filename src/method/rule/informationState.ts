import { type RankFactor, rankFactor } from '../../math/rankFactor.ts';
import { addScaled, type Vector } from '../../math/vector.ts';

/** Features so far, and what the rows of earlier chunks say, as a quadratic form around `theta`. */
export interface Knowledge {
  /** Of z; a scale of 0 is that of a column that has not varied. */
  readonly centre: Vector;
  readonly scale: Vector;
  /** In the coordinates of z, an intercept last. */
  readonly theta: Vector;
  /** A = sum of u psi' z z' + ridge I, row-major; all 0 for a column that has not varied. */
  readonly information: Float64Array;
  /** The point that the ridge draws to. */
  readonly prior: Vector;
}

/** All that an online estimate has learnt. Plain data. */
export interface InformationState extends Knowledge {
  /** Chunks so far, the pilot among them. */
  readonly step: number;
  /** What is left of a chunk whose rows are asked about again; null between chunks. */
  readonly pending: Pending | null;
  /** The ridge within A, which is forgotten as rows are. */
  readonly ridge: number;
  /** The scale of pseudo-Huber, that of the rows that A counts in full, and the least there may be; else 1, 1 and 0. */
  readonly q: number;
  readonly fullScale: number;
  readonly leastScale: number;
  /** Whether q is a guess, because the fit has left nothing of most rows so far. */
  readonly lacksScale: boolean;
  /** Rows that were learnt from; W, in which old ones may count less; and W2, with the squares of the weights. */
  readonly rows: number;
  readonly weight: number;
  readonly squaredWeight: number;
  /** Chunks before the one that counting began with, and chunks that were learnt from since, without a pilot. */
  readonly since: number;
  readonly chunks: number;
  /** For each coefficient the mean of x^2, the number of x, and W when its column first varied. */
  readonly spreads: Vector;
  readonly freedom: Vector;
  readonly began: Vector;
  /** For each coordinate the mean of y^2 and the number of y. */
  readonly pulls: Vector;
  readonly pulled: Vector;
  /** The mean of v_t = u sum psi^2/sum psi'. */
  readonly variance: number;
  /** Sums of u sum psi' and of u^2 sum psi^2: for classes they are alike, unless features separate them. */
  readonly bends: number;
  readonly slopes: number;
  /** Mean losses of rows before they were learnt from, of the last chunk and of all that were used; null before any. */
  readonly progressive: { readonly chunk: number; readonly all: number; readonly weight: number } | null;
  /** Chunks that were set aside: in a row up to now, and in all. */
  readonly asideInRow: number;
  readonly aside: number;
  /** The watch over x and y. */
  readonly watch: unknown;
  /** The latest change found: the chunks up to it, and the coefficient. */
  readonly alarm: { readonly step: number; readonly coefficient: number } | null;
}

/** What the first answer about a chunk says of it, before anything is learnt from it. */
export interface Found {
  readonly rows: number;
  readonly weight: number;
  readonly loss: number;
  /** The median of |residual|. */
  readonly deviation: number;
  readonly x: Vector;
  readonly y: Vector;
  /** The coordinate that is far out although two chunks before were set aside for that; null where there is none. */
  readonly farOut: number | null;
  /** The largest |z| of each coordinate. */
  readonly most: Vector;
}

export type Pending =
  /** Columns that first vary in this chunk, and what was known before it. */
  | { readonly kind: 'late'; readonly columns: readonly number[]; readonly before: Knowledge }
  | { readonly kind: 'again'; readonly before: Knowledge }
  /** A search for the minimum over a chunk and all before it. */
  | { readonly kind: 'search'; readonly search: Search };

export interface Search {
  /** Null for a pilot. */
  readonly found: Found | null;
  readonly before: Knowledge | null;
  /** The best point so far, the objective and the curvature of the chunk there. */
  readonly at: Vector;
  readonly value: number;
  readonly curvature: Float64Array;
  /** v_t and u sum psi' there, and the weight of the chunk's rows. */
  readonly variance: number;
  readonly bends: number;
  readonly weight: number;
  /** The Newton step, and the share of it that is on trial; 0 where derivatives at `at` are asked for. */
  readonly way: Vector;
  readonly share: number;
  readonly iteration: number;
  /** How often a pilot has chosen its q. */
  readonly round: number;
}

/** Chunks that means of x, y and v are remembered for, where old rows are forgotten. */
export const MEMORY = 200;

/** The factor of an information matrix. Every pivot that is more than rounding counts: the ridge is small beside many rows. */
export const factorOf = (matrix: Float64Array, size: number): RankFactor => rankFactor(matrix, size, 0);
/** A^-1 v, with 0 for coordinates that nothing is known of. */
export const solved = ({ solveFactor, solveTransposed }: RankFactor, v: Vector): Vector =>
  solveTransposed(solveFactor(v));
export const sumOf = (a: Float64Array, b: Float64Array): Float64Array => addScaled(a, 1, b);
