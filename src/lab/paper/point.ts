/** One y of one seed. */
export interface Point {
  readonly reading: string;
  readonly series: string;
  readonly x: number;
  readonly value: number;
}
