/** The entry (-1)^popcount(i & j) of Sylvester's Hadamard matrix; for i, j < 2^m its columns are orthogonal. */
export const hadamard = (i: number, j: number): number => (isOdd(i & j) ? -1 : 1);

/** Whether the word has an odd number of ones: folded to its last four bits, then looked up in a table of 16. */
function isOdd(word: number): boolean {
  let folded = word ^ (word >>> 16);
  folded ^= folded >>> 8;
  folded ^= folded >>> 4;
  return ((0x6996 >>> (folded & 0xf)) & 1) === 1;
}
