import type { BlockSummer } from '../../src/engine/kernel/blockSummer.ts';
import { type IntegerRequest, integerSummer } from '../../src/engine/kernel/integerSummer.ts';
import { FURTHEST } from '../../src/method/loss/gemanMcClure.ts';
import type { Loss, LossKernel } from '../../src/method/loss/loss.ts';

/** The reference kernel with the slopes of the compiled one, so that their integers can be compared bit by bit. */
export const referenceIntegerSummer = (request: IntegerRequest): BlockSummer => {
  const { loss } = request;
  return integerSummer(
    loss.kernel === undefined ? request : { ...request, loss: { ...loss, slope: kernelSlope(loss.kernel) } },
  );
};

/**
 * The slopes of the compiled kernels, by exactly the operations of wasm/assembly/rows.ts: equal in every bit, which
 * `Math.exp` or another form of the square root would not be. Neither WebAssembly nor JavaScript fuses a product into a
 * sum.
 */
export function kernelSlope({ kind, parameter }: LossKernel): Loss['slope'] {
  if (kind === 'squared') return (score, target) => score - target;
  if (kind === 'logistic') return logistic;
  if (kind === 'weighted-logistic') return weightedLogistic;
  if (kind === 'pseudo-huber') return pseudoHuber(parameter);
  return kind === 'tukey' ? tukey(parameter) : gemanMcClure(parameter);
}

const pseudoHuber =
  (q: number): Loss['slope'] =>
  (score, target) => {
    const residual = score - target;
    const size = Math.abs(residual);
    const least = q < size ? q : size;
    const ratio = least / (size < q ? q : size);
    return (residual < 0 ? -least : least) / Math.sqrt(1 + ratio * ratio);
  };

function gemanMcClure(q: number): Loss['slope'] {
  const furthest = FURTHEST * q;
  return (score, target) => {
    const residual = score - target;
    const size = Math.abs(residual);
    const held = furthest < size ? furthest : size;
    const ratio = held / q;
    const d = 1 + ratio * ratio;
    return (residual < 0 ? -held : held) / (d * d);
  };
}

const tukey =
  (c: number): Loss['slope'] =>
  (score, target) => {
    const residual = score - target;
    const size = Math.abs(residual);
    const held = c < size ? c : size;
    const ratio = held / c;
    const rest = 1 - ratio * ratio;
    return (residual < 0 ? -held : held) * rest * rest;
  };

function logistic(score: number, target: number): number {
  const rest = 1 - target;
  const e = decay(score);
  return (score < 0 ? rest * e - target : rest - target * e) / (1 + e);
}

function weightedLogistic(score: number, target: number): number {
  const rest = 1 - target;
  const e = decay(score);
  return (score < 0 ? rest * e - target : rest - target * e) * 0.5;
}

/** e^-|s|; derived in wasm/assembly/rows.ts. */
function decay(score: number): number {
  const size = -Math.abs(score);
  const minus = size < -746 ? -746 : size;
  const shifted = minus * 0.7213475204444817 + SHIFT;
  const n = shifted - SHIFT;
  const r = minus * 0.5 - n * 0.6931471803691238 - n * 1.9082149292705877e-10;
  const r2 = r * r;
  const r4 = r2 * r2;
  const p01 = 0.5000000000000011 + r * 0.16666666666666413;
  const p23 = 0.041666666666530155 + r * 0.008333333333494461;
  const p45 = 0.0013888888943630114 + r * 0.00019841269506578688;
  const p67 = 2.480149309890655e-5 + r * 2.7557586373840165e-6;
  const p89 = 2.763024837921144e-7 + r * 2.5000061602835666e-8;
  const p49 = p45 + r2 * p67 + r4 * p89;
  const tail = r + r2 * (p01 + r2 * p23 + r4 * p49);
  const root = (1 + tail) * powerOfTwo(n);
  return root * root;
}

/** 1.5 * 2^52 + 1023: adding it rounds to an integer. */
const SHIFT = 6755399441056767;

const bits = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));

/** 2^n by setting the exponent, for results that are normal numbers. */
function powerOfTwo(n: number): number {
  bits.setInt32(0, (n + 1023) << 20);
  return bits.getFloat64(0);
}
