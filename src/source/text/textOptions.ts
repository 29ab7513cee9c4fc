import type { DeclaredTypes } from './declaredKinds.ts';
import type { Malformed } from './records.ts';

export interface TextOptions {
  /** The table's name in messages: by default a file's path, or 'standard input'. */
  readonly name?: string;
  /** Types of columns. Those of the others are inferred from a sample: the first rows. */
  readonly types?: DeclaredTypes;
  /** The largest number of rows in the sample. A live stream waits for them; 0 relies on declared types alone. */
  readonly sampleRows?: number;
  /** How to treat an invalid record; an error by default. */
  readonly malformed?: Malformed;
}

export const SAMPLE_ROWS = 10_000;

export const nameOf = (from: string | AsyncIterable<Uint8Array>): string =>
  typeof from === 'string' ? from : 'standard input';
