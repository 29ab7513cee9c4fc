import { refuse, requireInteger } from '../../errors.ts';
import { type Random, rademacher } from '../../math/random/random.ts';
import { sampleBatch } from '../../sample/sampleBatch.ts';
import type { SyntheticSample } from './syntheticSample.ts';

/**
 * Theorem LBRidge and Proposition MatchData: w rows (x, 1) of X_(-i), the matrix X of w + 1 rows of signs without
 * its row i, and k rows (z, 0) of a matrix Z of signs with Z'Z = k I. At least (1 - tau) p columns of every X_(-i)
 * are consensus columns, all of one sign. Over C = B2(alpha_1 / sqrt p), alpha_1 < sqrt(1 - tau)/(1 + tau), such
 * data meet the condition of Theorem UPRidge,
 *
 *   inf over C of alpha_C ||gradient|| / beta_L >= S1 = (sqrt(1 - tau) - (1 + tau) alpha_1) / (alpha_1 (1 + tau)).
 *
 * The paper takes tau = 0.001, which needs p near 10^11; here tau = k / (w p) is free. Z is p columns of a
 * Hadamard matrix, so p <= k are powers of two. X is planted: its last floor(tau p) columns are random signs, the
 * others agree in every row. The theorem's X is a fingerprinting code instead, so these data satisfy the
 * proposition but cannot show the lower bound n^(-2/3).
 *
 *   p -> features, w -> codeRows, k -> orthogonalRows, i -> leftOut, alpha_1 -> alpha,
 *   sqrt(1 - tau)/(1 + tau) -> alphaLimit, alpha_1 / sqrt p -> radius, S1 -> gradientFloor
 */
export interface LowerBoundData extends SyntheticSample {
  readonly tau: number;
  readonly alpha: number;
  readonly alphaLimit: number;
  readonly radius: number;
  readonly gradientFloor: number;
}

/**
 * The same stream gives the same X and Z for every `leftOut`. `truth` is the theta' of the proof, alpha/p times the
 * planted signs, on the boundary of C. The default alpha makes S1 = 1.
 */
export function lowerBoundData({
  features,
  codeRows,
  orthogonalRows,
  leftOut = 0,
  alpha,
  random,
}: {
  features: number;
  codeRows: number;
  orthogonalRows: number;
  leftOut?: number;
  alpha?: number;
  random: Random;
}): LowerBoundData {
  requirePowerOfTwo('features', features, 1);
  requirePowerOfTwo('orthogonalRows', orthogonalRows, features);
  requireInteger('codeRows', codeRows, Math.floor(orthogonalRows / features) + 1);
  requireInteger('leftOut', leftOut, 0, codeRows);
  const tau = orthogonalRows / (codeRows * features);
  const alphaLimit = Math.sqrt(1 - tau) / (1 + tau);
  const scale = alpha ?? alphaLimit / 2;
  if (!(scale > 0 && scale < alphaLimit)) refuse('alpha', `be in (0, ${alphaLimit})`, scale);

  const consensus = features - Math.floor(orthogonalRows / codeRows);
  const truth = new Float64Array(features);
  const columns = Array.from({ length: features }, (_, j) => {
    const planted = rademacher(random);
    truth[j] = (scale * planted) / features;
    const code = Array.from({ length: codeRows + 1 }, () => (j < consensus ? planted : rademacher(random)));
    const orthogonal = Array.from({ length: orthogonalRows }, (_, i) => hadamard(i, j));
    return Float64Array.from([...code.toSpliced(leftOut, 1), ...orthogonal]);
  });
  const target = new Float64Array(codeRows + orthogonalRows).fill(1, 0, codeRows);
  return {
    batch: sampleBatch(columns, target),
    truth,
    tau,
    alpha: scale,
    alphaLimit,
    radius: scale / Math.sqrt(features),
    gradientFloor: alphaLimit / scale - 1,
  };
}

function requirePowerOfTwo(name: string, value: number, least: number): void {
  const isPower = Number.isInteger(value) && value >= least && value <= 2 ** 30 && (value & (value - 1)) === 0;
  if (!isPower) refuse(name, `be a power of two from ${least} to 2^30`, value);
}

/** The entry (-1)^popcount(i & j) of Sylvester's Hadamard matrix; for i, j < 2^m its columns are orthogonal. */
export const hadamard = (i: number, j: number): number => (isOdd(i & j) ? -1 : 1);

/** Whether the word has an odd number of ones: folded to its last four bits, then looked up in a table of 16. */
function isOdd(word: number): boolean {
  let folded = word ^ (word >>> 16);
  folded ^= folded >>> 8;
  folded ^= folded >>> 4;
  return ((0x6996 >>> (folded & 0xf)) & 1) === 1;
}
