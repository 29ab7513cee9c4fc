import type { ArrowBatch } from '../memory/rowSource.ts';

/** What JSON can hold: positions and identities are stored in checkpoints. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * How far a stream has been used, as plain data: every item up to `after`, and the first `rows` rows of the item that
 * follows it. A chunk may end within a message that holds many rows.
 */
export interface Position {
  /** The source's own place of the last item that is used up; null where none is. */
  readonly after: Json;
  /** Rows of the next item that are used already. */
  readonly rows: number;
}

/** Rows that arrived together: the rows of one item or of several. */
export interface Arrival {
  /** Doubles without nulls may lie in memory that is used again once the next arrival is pulled. */
  readonly batch: ArrowBatch;
  /** The items in order, with their rows, which add up to those of the batch, and their places. */
  readonly items: readonly Item[];
}

/**
 * One message or line of a stream, or a piece of a file. One without rows, such as a bad message or the beginning of a
 * file, is used up as soon as the items before it are: its place is then the `after` of a position within the next.
 */
export interface Item {
  readonly rows: number;
  /** The source's place of the item: the `after` of a position that has used it up. May be made when it is asked for. */
  readonly place: Json;
}

/** A record that cannot be read, with where it came from and why. */
export interface DeadLetter {
  readonly place: Json;
  readonly reason: string;
  /** The record as it came, as far as it is text; cut at a stated length. */
  readonly record: string;
}

/** Columns by name, in their order, with what each holds. A number is rounded to the nearest double. */
export type LiveColumns = Readonly<Record<string, 'number' | 'boolean' | 'text' | 'time'>>;

/** How a stream is opened. */
export interface OpenLiveOptions {
  /** Where to go on; null at the beginning. */
  readonly from: Position | null;
  /** What `identity` was when `from` was stored; a stream that is not the same is refused. */
  readonly identity?: Json;
  /**
   * The columns of the stream, which other columns of a record do not change. Unless given they are those of the first
   * record, and then fixed. A private run gives them.
   */
  readonly columns?: LiveColumns;
  /** What columns hold whose type the first record would not tell, if `columns` are not given. */
  readonly types?: LiveColumns;
  /**
   * Whether nothing may depend on what rows hold: an item that cannot be read is then one row without values, in its
   * place, and there are no dead letters.
   */
  readonly forPrivate: boolean;
  /**
   * The secret of a private run under which its positions are sealed, for sources whose positions would say what rows
   * hold otherwise; the same whenever the run goes on.
   */
  readonly positionKey?: Uint8Array;
  /** Takes records that cannot be read; they are awaited. Never called for a private run. */
  readonly onDeadLetter?: (letter: DeadLetter) => Promise<void>;
  /** Takes what keeps rows from coming for a while, and null when it is over. */
  readonly onProblem?: (problem: string | null) => void;
  /** Ends the stream with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** A stream that has been opened. Its arrivals are pulled, so that a slow run does not make memory grow. */
export interface OpenStream {
  /**
   * What a checkpoint must find again: the name of the stream and when it was created, for a broker. In a private run
   * it holds nothing that rows decide.
   */
  readonly identity: Json;
  /** Whether more rows may come for ever. */
  readonly endless: boolean;
  /** To the end of the stream, if it has one. Can be iterated once. Every arrival has at least one row. */
  readonly arrivals: AsyncIterable<Arrival>;
  /** The items that wait behind the latest arrival, where the source knows. */
  lag(): number | null;
  close(): Promise<void>;
}

/** Rows that keep coming: NATS, Kafka, a folder, a growing file, standard input, or batches in this process. */
export interface LiveSource {
  /** For messages and pages; it holds no credentials. */
  readonly name: string;
  open(options: OpenLiveOptions): Promise<OpenStream>;
}
