/**
 * The median of many values. A sample of them bounds it; compiled code counts the values below the bounds and gathers
 * those between, about a tenth, and only these are searched. Most values are visited once, without a branch.
 */
import { median, medianAt } from '../../math/median.ts';
import { sharedMemory } from '../../math/wasm/webAssembly.ts';
import { type Arithmetic, riskArithmetic } from './riskTile.ts';

const SAMPLE = 1001;

/** In ranks of the sample, from its middle: four standard deviations of the median's rank there. */
const REACH = 64;

const MANY = 16 * SAMPLE;

/** The order of the values may be lost. */
export function medianOfMany(values: Float64Array): number {
  const { length } = values;
  if (length < MANY) return median(values);
  const sample = new Float64Array(SAMPLE);
  for (let i = 0; i < SAMPLE; i++) sample[i] = values[Math.floor((i * length) / SAMPLE)]!;
  sample.sort();
  const centre = SAMPLE >> 1;
  const { below, between } = divide(values, sample[centre - REACH]!, sample[centre + REACH]!);
  const rank = (length >> 1) - below;
  // The sample may be unrepresentative, if the values are in some regular order.
  if (rank < 1 || rank >= between.length) return median(values);
  return medianAt(between, rank, length % 2 === 0);
}

let room: (Arithmetic & { readonly values: Float64Array }) | undefined;

function divide(
  values: Float64Array,
  low: number,
  high: number,
): { readonly below: number; readonly between: Float64Array } {
  const { length } = values;
  if (room === undefined || room.values.length < length) {
    const pages = Math.ceil((8 * length) / 2 ** 16);
    const memory = sharedMemory(pages);
    room = { ...riskArithmetic(memory), values: new Float64Array(memory.buffer) };
  }
  room.values.set(values);
  const below = room.countBelow(0, length, low);
  return { below, between: room.values.subarray(0, room.gather(0, length, low, high)) };
}
