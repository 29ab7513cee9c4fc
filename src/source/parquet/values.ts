/** Values one after the other, as doubles. */
export interface Values {
  /** Decodes the next `count` into `out`, from index `at` on. No more may be asked for than there are. */
  read(out: Float64Array, at: number, count: number): void;
}
