export interface Explanation {
  /** What the run chose by itself, and why. */
  readonly choices: readonly string[];
  /** What a reader of the estimate should know about the data. */
  readonly notes: readonly string[];
}
