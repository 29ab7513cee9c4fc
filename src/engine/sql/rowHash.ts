import { integerBelow } from '../../math/random/random.ts';
import { seeded } from '../../math/random/seeded.ts';
import type { Expression, Layers } from './layers.ts';

/**
 * A keyed hash of row ids, by which rows are assigned to pilot, chunks and blocks wherever they are:
 *
 *   h = c((c((c((id mod P + k1) mod P) + id mod Q + k2) mod P) + k3) mod P),   c(u) = u^3 mod P
 *
 *   P = 2^26 - 5 and Q = 2^26 - 27, primes; cubing permutes the numbers below P, since 3 does not divide P - 1
 *   k1, k2, k3 -> keys below P, from a seed
 *
 * No product reaches 2^52, so that whole numbers and doubles give the same. A row is assigned by its id alone, never by
 * what it holds, and the numbers of rows in the parts are random, not exact shares.
 */
export interface RowHash {
  /** Of an id from 0 to 2^53 - 1. */
  of(id: number): number;
  /** The same in a query. */
  in(layers: Layers, id: Expression): Expression;
}

/** Hashes are whole numbers from 0 up to, but not including, this. */
export const HASHES = 2 ** 26 - 5;
/** What is left of an id by this prime is enough for its dither, and exact in products. */
export const REDUCED_IDS = 2 ** 26 - 27;

export function rowHash(seed: string): RowHash {
  const random = seeded(seed, 'assignment');
  const [k1, k2, k3] = [0, 0, 0].map(() => integerBelow(random, HASHES)) as [number, number, number];
  const cube = (u: number): number => (((u * u) % HASHES) * u) % HASHES;
  return {
    of: id => cube((cube((cube(((id % HASHES) + k1) % HASHES) + (id % REDUCED_IDS) + k2) % HASHES) + k3) % HASHES),
    in({ sql, arithmetic: { named } }, id) {
      const cubed = (u: Expression): Expression => {
        const own = named(u);
        return sql`(${own} * ${own} % ${HASHES} * ${own} % ${HASHES})`;
      };
      const first = cubed(sql`((${id} % ${HASHES} + ${k1}) % ${HASHES})`);
      const second = cubed(sql`((${first} + ${id} % ${REDUCED_IDS} + ${k2}) % ${HASHES})`);
      return named(cubed(sql`((${second} + ${k3}) % ${HASHES})`));
    },
  };
}
