/** A sequence of values, as doubles. */
export interface Values {
  /**
   * Decodes the next `count` values into `out`, from index `at` on. The caller must not ask for more than there are.
   */
  read(out: Float64Array, at: number, count: number): void;
}
