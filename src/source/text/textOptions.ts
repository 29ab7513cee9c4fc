import type { DeclaredTypes } from './declaredKinds.ts';
import type { Malformed } from './records.ts';

export interface TextOptions {
  /** How messages name the table: a file's path, or 'standard input', unless it is given. */
  readonly name?: string;
  /** Types of columns. Those of the others are taken from a sample: the first rows. */
  readonly types?: DeclaredTypes;
  /** The most rows in the sample. A live stream waits for them; 0 relies on declared types alone. */
  readonly sampleRows?: number;
  /** What becomes of a record that is none; it ends the reading unless told. */
  readonly malformed?: Malformed;
}

export const SAMPLE_ROWS = 10_000;

export const nameOf = (from: string | AsyncIterable<Uint8Array>): string =>
  typeof from === 'string' ? from : 'standard input';
