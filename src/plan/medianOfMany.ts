/**
 * The median of many values. A sample of them gives bounds that it lies between; compiled code counts the values below and gathers those between, a tenth or so, and only there the middle is
 * looked for. Most values are looked at once, without a branch.
 */
import { median, medianAt } from '../math/median.ts';
import { Memory } from '../sample/webAssembly.ts';
import { type Arithmetic, arithmeticIn } from './riskTile.ts';

const SAMPLE = 1001;

/** In ranks of the sample, from its middle: four deviations of the rank that the median has there. */
const REACH = 64;

const MANY = 16 * SAMPLE;

/** The values' order may be lost. */
export function medianOfMany(values: Float64Array): number {
  const { length } = values;
  if (length < MANY) return median(values);
  const sample = new Float64Array(SAMPLE);
  for (let i = 0; i < SAMPLE; i++) sample[i] = values[Math.floor((i * length) / SAMPLE)]!;
  sample.sort();
  const centre = SAMPLE >> 1;
  const { below, between } = divide(values, sample[centre - REACH]!, sample[centre + REACH]!);
  const rank = (length >> 1) - below;
  // Values in an order of their own may have a sample that says nothing of them.
  if (rank < 1 || rank >= between.length) return median(values);
  return medianAt(between, rank, length % 2 === 0);
}

const PIECE = 8192;

let room: (Arithmetic & { readonly values: Float64Array }) | undefined;

function divide(
  values: Float64Array,
  low: number,
  high: number,
): { readonly below: number; readonly between: Float64Array } {
  if (room === undefined) {
    const memory = new Memory({ initial: 1, maximum: 1, shared: true });
    room = { ...arithmeticIn(memory), values: new Float64Array(memory.buffer) };
  }
  let below = 0;
  const pieces: Float64Array[] = [];
  for (let start = 0; start < values.length; start += PIECE) {
    const piece = values.subarray(start, start + PIECE);
    room.values.set(piece);
    below += room.countBelow(0, piece.length, low);
    pieces.push(room.values.slice(0, room.gather(0, piece.length, low, high)));
  }
  const between = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    between.set(piece, end);
    end += piece.length;
  }
  return { below, between };
}
