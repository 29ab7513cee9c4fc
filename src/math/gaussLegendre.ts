/** Nodes and weights of the n-point Gauss-Legendre rule on [-1, 1], by Newton's method on the Legendre polynomial. */
function rule(points: number): { readonly nodes: Float64Array; readonly weights: Float64Array } {
  const nodes = new Float64Array(points);
  const weights = new Float64Array(points);
  for (let i = 0; i < points; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (points + 0.5));
    let slope = 0;
    for (let iteration = 0; iteration < 20; iteration++) {
      let previous = 1;
      let current = x;
      for (let k = 2; k <= points; k++) {
        [previous, current] = [current, ((2 * k - 1) * x * current - (k - 1) * previous) / k];
      }
      slope = (points * (x * current - previous)) / (x * x - 1);
      const change = current / slope;
      x -= change;
      if (Math.abs(change) < 1e-16) break;
    }
    nodes[i] = x;
    weights[i] = 2 / ((1 - x * x) * slope * slope);
  }
  return { nodes, weights };
}

/** Made when it is first used, because importing runs nothing. */
let rule20: ReturnType<typeof rule> | undefined;

/** The integral of a smooth function over [low, high] by the 20-point rule. */
export function integratePanel(f: (x: number) => number, low: number, high: number): number {
  rule20 ??= rule(20);
  const { nodes, weights } = rule20;
  const half = (high - low) / 2;
  const middle = low + half;
  let sum = 0;
  for (let i = 0; i < nodes.length; i++) sum += weights[i]! * f(middle + half * nodes[i]!);
  return half * sum;
}
