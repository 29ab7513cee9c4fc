import { requireInteger, requireProbability } from '../../errors.ts';

/** psi(7/18) = 0.29158826... */
export const PSI = (11 / 18) * Math.log(11 / 18 / 0.9) + (7 / 18) * Math.log(7 / 18 / 0.1);

/**
 * alg:HTGE, the number of blocks of the geometric median of means:
 *
 *   b = floor(log(1/zeta) / psi(7/18)) + 1,   psi(x) = (1 - x) log((1 - x)/0.9) + x log(x/0.1),   b <= n/2
 *
 *   zeta -> failureProbability, n -> rows, floor(n/b) -> rowsPerBlock
 *
 * b(zeta): enough blocks for the median to fail with probability at most zeta.
 */
export function blockCount(failureProbability: number): number {
  requireProbability('failureProbability', failureProbability);
  return Math.floor(-Math.log(failureProbability) / PSI) + 1;
}

/** Divides `rows` into equal blocks; `leftOver` do not fill one, and no step uses them. */
export function blockLayout(rows: number, blocks: number) {
  requireInteger('rows', rows, 1);
  requireInteger('blocks', blocks, 1, rows);
  const rowsPerBlock = Math.floor(rows / blocks);
  return { blocks, rowsPerBlock, leftOver: rows - blocks * rowsPerBlock };
}
