import { type Random, uniform } from './random.ts';

/**
 * The standard normal law by the ziggurat of Marsaglia and Tsang (2000): 256 layers of equal area V under
 * f(x) = exp(-x^2/2), of which the lowest holds the tail beyond R. Layer, sign and position are made of
 * different bits of two words, 8 for the layer and 53 for the sign and position: no coarse grid, and none
 * of the correlations that Doornik (2005) found where the original lets them share bits.
 *
 *   x_i (x_0 = V / f(R), x_1 = R, x_256 = 0) -> edges[i], f(x_i) -> heights[i]
 */
const LAYERS = 256;
const R = 3.654152885361009;
const V = 0.004928673233974655;
const POSITIONS = 2 ** 52;

const f = (x: number): number => Math.exp((-x * x) / 2);

const edges = new Float64Array(LAYERS + 1);
edges[0] = V / f(R);
edges[1] = R;
for (let i = 2; i < LAYERS; i++) {
  const outer = edges[i - 1]!;
  edges[i] = Math.sqrt(-2 * Math.log(V / outer + f(outer)));
}
const heights = edges.map(f);
const steps = edges.map(edge => edge / POSITIONS);

export function normal(random: Random): number {
  for (;;) {
    const word = random.word();
    const layer = word & 0xff;
    // The half keeps the positions symmetric about 0; the sum is exact in a double.
    const x = ((word >> 8) * 0x20000000 + (random.word() >>> 3) + 0.5) * steps[layer]!;
    if (Math.abs(x) < edges[layer + 1]!) return x;
    const settled = atTheEdge(random, layer, x);
    if (settled !== undefined) return settled;
  }
}

/** A candidate that does not lie under the layer above its own becomes a draw, or none. */
function atTheEdge(random: Random, layer: number, x: number): number | undefined {
  if (layer === 0) return Math.sign(x) * beyond(random);
  const low = heights[layer]!;
  return low + (heights[layer + 1]! - low) * uniform(random) < f(x) ? x : undefined;
}

/**
 * For those who draw many at once. A candidate of layer i is a whole number from -2^52 on, plus 1/2, times steps[i];
 * below edges[i + 1] it is a draw.
 */
export const ziggurat = Object.freeze({ steps, edges, atTheEdge });

/** The tail beyond R, exactly (Marsaglia 1964). */
function beyond(random: Random): number {
  for (;;) {
    const excess = -Math.log(uniform(random)) / R;
    if (-2 * Math.log(uniform(random)) > excess * excess) return R + excess;
  }
}
