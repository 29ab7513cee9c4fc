import { type Random, uniform } from './random.ts';

/**
 * The standard normal distribution by the ziggurat of Marsaglia and Tsang (2000): 256 layers of equal area V under f(x)
 * = exp(-x^2/2), the lowest of which includes the tail beyond R. Layer, sign and position use separate bits of two
 * words: 8 for the layer and 53 for the sign and position. So there is no coarse grid, and none of the correlations
 * that Doornik (2005) found in the original, which shares bits between them.
 *
 *   x_i (x_0 = V / f(R), x_1 = R, x_256 = 0) -> edges[i], f(x_i) -> heights[i]
 */
const LAYERS = 256;
const R = 3.654152885361009;
const V = 0.004928673233974655;
const POSITIONS = 2 ** 52;

const f = (x: number): number => Math.exp((-x * x) / 2);

interface Layers {
  readonly edges: Float64Array;
  readonly heights: Float64Array;
  /** A candidate in layer i is an integer from -2^52 upwards, plus 1/2, times steps[i]. */
  readonly steps: Float64Array;
}

let layers: Layers | undefined;

/** Computed for the first draw. */
function madeLayers(): Layers {
  const edges = new Float64Array(LAYERS + 1);
  edges[0] = V / f(R);
  edges[1] = R;
  for (let i = 2; i < LAYERS; i++) {
    const outer = edges[i - 1]!;
    edges[i] = Math.sqrt(-2 * Math.log(V / outer + f(outer)));
  }
  return { edges, heights: edges.map(f), steps: edges.map(edge => edge / POSITIONS) };
}

/** A draw of the standard normal distribution. */
export function normal(random: Random): number {
  layers ??= madeLayers();
  const { edges, steps } = layers;
  for (;;) {
    const word = random.word();
    const layer = word & 0xff;
    // Adding 1/2 keeps the positions symmetric about 0; the sum is exact in a double.
    const x = ((word >> 8) * 0x20000000 + (random.word() >>> 3) + 0.5) * steps[layer]!;
    if (Math.abs(x) < edges[layer + 1]!) return x;
    const settled = atTheEdge(layers, random, layer, x);
    if (settled !== undefined) return settled;
  }
}

/** Decides a candidate outside the next layer: returns a draw, or `undefined` if it is rejected. */
function atTheEdge({ heights }: Layers, random: Random, layer: number, x: number): number | undefined {
  if (layer === 0) return Math.sign(x) * beyond(random);
  const low = heights[layer]!;
  return low + (heights[layer + 1]! - low) * uniform(random) < f(x) ? x : undefined;
}

/** For callers that draw in bulk: a candidate in layer i below edges[i + 1] in absolute value is accepted at once. */
export function ziggurat() {
  layers ??= madeLayers();
  const made = layers;
  return {
    ...made,
    atTheEdge: (random: Random, layer: number, x: number): number | undefined => atTheEdge(made, random, layer, x),
  };
}

/** A draw from the tail beyond R, exact (Marsaglia 1964). */
function beyond(random: Random): number {
  for (;;) {
    const excess = -Math.log(uniform(random)) / R;
    if (-2 * Math.log(uniform(random)) > excess * excess) return R + excess;
  }
}
