/**
 * A tile of rows that stays in the cache, column by column, with compiled arithmetic over it (wasm/assembly/riskTile.ts): scores, and the sums that the
 * derivatives of a risk are made of. Rows go two at a time, so behind an odd number of them slope and bend must be 0.
 */
import { alignUp } from '../sample/kernelRegion.ts';
import { type CompiledModule, Instance, Memory, Module } from '../sample/webAssembly.ts';
import { riskTileBinary } from './wasm/riskTileBinary.ts';

export const TILE_ROWS = 1024;

export interface RiskTile {
  readonly columns: readonly Float64Array[];
  /** One coefficient per column. */
  readonly theta: Float64Array;
  readonly slopes: Float64Array;
  readonly bends: Float64Array;
  /** The columns times theta, once `score` was called. */
  readonly scores: Float64Array;
  score(rows: number): void;
  /** Adds to the sums, which `clear` begins anew. */
  addDerivatives(rows: number): void;
  clear(): void;
  /** Sum of slope * x_j. */
  sumOf(j: number): number;
  /** Sum of bend * x_j x_k, for k <= j. */
  momentOf(j: number, k: number): number;
}

/** Bytes from one column to the next, as in assembly/riskTile.ts: equal offsets in a page would compete for the same lines of the cache. */
const COLUMN_BYTES = 8 * TILE_ROWS + 64;

interface Arithmetic {
  readonly score: (job: number, rows: number) => void;
  readonly addDerivatives: (job: number, rows: number) => void;
}

let compiled: CompiledModule | undefined;

export function riskTile(size: number): RiskTile {
  const pairs = Math.ceil(size / 2);
  let end = 64;
  const take = (bytes: number): number => {
    const place = end;
    end = alignUp(place + bytes, 64);
    return place;
  };
  const places = {
    columns: take(2 * pairs * COLUMN_BYTES),
    theta: take(16 * pairs),
    scores: take(COLUMN_BYTES),
    slopes: take(COLUMN_BYTES),
    bends: take(COLUMN_BYTES),
    scaled: take(2 * COLUMN_BYTES),
    sums: take(16 * pairs),
    moments: take(16 * pairs * (pairs + 1)),
  };
  const pages = Math.ceil(end / 2 ** 16);
  const memory = new Memory({ initial: pages, maximum: pages, shared: true });
  const job = 0;
  new Uint32Array(memory.buffer, job).set([pairs, ...Object.values(places)]);
  compiled ??= new Module(Buffer.from(riskTileBinary, 'base64'));
  const { score, addDerivatives } = new Instance(compiled, { env: { memory } }).exports as Arithmetic;
  const view = (place: number, length: number): Float64Array =>
    new Float64Array(memory.buffer, place, length);
  const sums = view(places.sums, size);
  const moments = view(places.moments, 2 * pairs * (pairs + 1));
  return {
    columns: Array.from({ length: size }, (_, j) => view(places.columns + j * COLUMN_BYTES, TILE_ROWS)),
    theta: view(places.theta, size),
    slopes: view(places.slopes, TILE_ROWS),
    bends: view(places.bends, TILE_ROWS),
    scores: view(places.scores, TILE_ROWS),
    score: rows => score(job, rows),
    addDerivatives: rows => addDerivatives(job, rows),
    clear() {
      sums.fill(0);
      moments.fill(0);
    },
    sumOf: j => sums[j]!,
    momentOf(j, k) {
      const pair = j >> 1;
      return moments[2 * pair * (pair + 1) + 4 * (k >> 1) + 2 * (j & 1) + (k & 1)]!;
    },
  };
}
