import { requireInteger } from '../../errors.ts';
import { ziggurat } from '../../math/random/normal.ts';
import type { Random } from '../../math/random/random.ts';
import { columnDrawsBinary } from '../../math/wasm/binaries.ts';
import { arithmeticIn } from '../../math/wasm/webAssembly.ts';
import type { Arena } from '../../sample/arena.ts';

export interface ColumnStream extends Random {
  /** Uniform on the open interval between `low` and `high`, up to rounding. */
  uniform(out: Float64Array, low: number, high: number): void;
  /** Normal with mean 0. */
  normal(out: Float64Array, deviation: number): void;
  /**
   * Adds draws of Student's t with an integer number of degrees: a normal divided by the root mean square of that many
   * others.
   */
  addStudentT(out: Float64Array, degrees: number): void;
}

interface Arithmetic {
  readonly word: (stream: number) => number;
  readonly uniforms: (stream: number, out: number, end: number, low: number, width: number) => void;
  readonly normals: (
    stream: number,
    out: number,
    end: number,
    deviation: number,
    steps: number,
    edges: number,
    open: number,
  ) => number;
  readonly addScaled: (column: number, out: number, end: number, factor: number) => void;
  readonly addSquares: (column: number, out: number, end: number) => void;
  readonly addStudentT: (normals: number, squares: number, out: number, end: number, degrees: number) => void;
}

/**
 * Rows for which the normals of Student's t fit in the scratch. This many are always drawn, so that a draw does not
 * depend on how many follow it.
 */
const PIECE_ROWS = 512;

/**
 * Whole columns of random numbers, drawn in the memory from which kernels read them: drawing numbers one at a time,
 * from generic words, takes several times as long as the descents under study. The words come from xoshiro256++
 * (Blackman and Vigna, 2019), seeded by eight words of another stream.
 *
 * Each column has a separate stream, so the first rows of a long column equal those of a short one.
 *
 * For an arena whose kernel is idle, because its scratch is used.
 */
export function columnDraws({ memory, region }: Arena) {
  const arithmetic = arithmeticIn<Arithmetic>(columnDrawsBinary, memory);
  let end = region.scratch;
  const take = (numbers: number): Float64Array => {
    const taken = new Float64Array(memory.buffer, end, numbers);
    end += taken.byteLength;
    return taken;
  };
  const [{ byteOffset: state }, open] = [take(4), take(1)];
  const [above, others, squares] = [take(PIECE_ROWS), take(PIECE_ROWS), take(PIECE_ROWS)];
  const layers = ziggurat();
  const [steps, edges] = [layers.steps, layers.edges].map(table => {
    const copy = take(table.length);
    copy.set(table);
    return copy.byteOffset;
  }) as [number, number];

  const normal: ColumnStream['normal'] = (out, deviation) => {
    const last = out.byteOffset + out.byteLength;
    for (let from = out.byteOffset; from < last; ) {
      from = arithmetic.normals(state, from, last, deviation, steps, edges, open.byteOffset);
      if (from === last) return;
      const at = (from - out.byteOffset) / 8;
      const settled = layers.atTheEdge(stream, open[0]!, out[at]!);
      if (settled === undefined) continue;
      out[at] = deviation * settled;
      from += 8;
    }
  };
  const stream: ColumnStream = {
    isSecure: false,
    word: () => arithmetic.word(state) >>> 0,
    uniform: ({ byteOffset, byteLength }, low, high) =>
      arithmetic.uniforms(state, byteOffset, byteOffset + byteLength, low, high - low),
    normal,
    addStudentT: (out, degrees) => {
      requireInteger('degrees', degrees, 1);
      for (let start = 0; start < out.length; start += PIECE_ROWS) {
        normal(above, 1);
        squares.fill(0);
        for (let k = 0; k < degrees; k++) {
          normal(others, 1);
          arithmetic.addSquares(others.byteOffset, squares.byteOffset, squares.byteOffset + squares.byteLength);
        }
        const from = out.byteOffset + 8 * start;
        const to = Math.min(from + 8 * PIECE_ROWS, out.byteOffset + out.byteLength);
        arithmetic.addStudentT(above.byteOffset, squares.byteOffset, from, to, degrees);
      }
    },
  };
  return {
    /** Starts a stream. Only the last stream started can be drawn from. */
    begin: (random: Random): ColumnStream => {
      new Uint32Array(memory.buffer, state, 8).set(Array.from({ length: 8 }, () => random.word()));
      return stream;
    },
    /** Adds factor * column to `out`. */
    addScaled: ({ byteOffset, byteLength }: Float64Array, column: Float64Array, factor: number): void =>
      arithmetic.addScaled(column.byteOffset, byteOffset, byteOffset + byteLength, factor),
  };
}
