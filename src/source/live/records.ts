import { isUtf8 } from 'node:buffer';
import { ArgumentError, DataError } from '../../errors.ts';
import { counted } from '../../words.ts';
import { CONTINUATION, decodeBatch, decodeMessage, isBatch } from '../arrow/message.ts';
import { openArrowStream } from '../arrow/openArrowStream.ts';
import type { Damaged } from '../arrow/region.ts';
import type { ArrowBatch } from '../memory/rowSource.ts';
import type { Field } from '../table/table.ts';
import { CLOSE_BRACKET, COMMA, CR, LF, OPEN_BRACE, OPEN_BRACKET, SPACE, TAB } from '../text/ascii.ts';
import { jsonShape, type ShapeOf, shapeNames } from '../text/cellShape.ts';
import { jsonText, spaceEnd, valueEnd } from '../text/jsonTokens.ts';
import { splitNdjson } from '../text/openNdjson.ts';
import type { Records, Split } from '../text/readRecords.ts';
import { frameOf } from '../text/textTable.ts';
import { doublesInPlace } from './doublesInPlace.ts';
import type { LiveRows, LiveSchema } from './liveSchema.ts';
import type { Arrival, DeadLetter, Item, Json, OpenLiveOptions } from './liveSource.ts';

/** What a broker hands over, or a line of a text: its bytes, which may be reused once the next group is pulled. */
export interface Message {
  readonly place: Json;
  readonly bytes: Uint8Array;
  /** Why it is no record, if that is known already. */
  readonly problem?: string;
}

export interface RecordsOptions extends Pick<OpenLiveOptions, 'forPrivate' | 'onDeadLetter'> {
  /** The name of the stream, for messages. */
  readonly name: string;
  readonly schema: LiveSchema;
  /** How a message that is one row of text is read; JSON unless given. */
  readonly text?: RowText;
}

/** A format of rows of text, one for each message. */
export interface RowText {
  readonly format: 'csv' | 'ndjson';
  /** The columns of a row, with what its values look like; null if it is malformed. */
  fieldsOf(row: Buffer): readonly Field[] | null;
  /** The columns that rows have, which may then be requested; null if every row has its own. */
  readonly names: readonly string[] | null;
  /** Takes lines, with the cells of these columns. Malformed lines are noted. */
  splitter(names: readonly string[]): Split;
  readonly shapeOf: ShapeOf;
  readonly textOf: (bytes: Buffer, start: number, end: number) => string;
}

/** Rows of one batch: enough for the costs of a batch to vanish, and few enough not to wait for. */
const MOST_ROWS = 4096;

/** Text of one batch. Together with its cells and their positions it takes a few times as much memory. */
const MOST_BYTES = 2 ** 22;

/**
 * The most rows of one message. A larger number is a damaged one: messages of brokers have at most some megabytes, and
 * memory for so many rows must not be taken for a claim.
 */
export const MOST_ROWS_CLAIMED = 2 ** 20;

/** The most characters of a record in a dead letter: enough to recognize it, and a file of them stays readable. */
const LONGEST_SHOWN = 2000;

/** The dead letter of a record, whose text is cut after 2,000 characters; bytes that are no text are left out. */
export function deadLetter(place: Json, reason: string, bytes: Uint8Array): DeadLetter {
  const head = Buffer.from(bytes.subarray(0, 4 * LONGEST_SHOWN));
  const text = head.includes(0) ? '' : head.toString();
  const isCut = text.length > LONGEST_SHOWN || head.length < bytes.length;
  return { place, reason, record: isCut && text !== '' ? `${text.slice(0, LONGEST_SHOWN)}…` : text };
}

/**
 * Messages as rows of a schema that is fixed for the stream. A message holds one row of text (a JSON object), a JSON
 * array of rows, or an Arrow stream, which has its own schema and any number of rows; which of them shows in its first
 * byte. Groups are the messages that wait together: rows of text in a group become one batch of at most 4,096 rows.
 *
 * A message that cannot be read, or that is not of the schema of the stream, is a dead letter, and so is a row of an
 * array; the others are used. Members of a JSON object that are no columns are ignored, and lacking ones are nulls.
 *
 * In a private run there are no dead letters, and every message keeps its number of rows, whatever it holds: one for
 * text, arrays included; for an Arrow stream the sum of the rows that the headers of its record batches state, up to the
 * first header that cannot be read, and one if none can. Rows that cannot be read are nulls.
 */
export async function* arrivalsOf(
  groups: AsyncIterable<readonly Message[]>,
  options: RecordsOptions,
): AsyncGenerator<Arrival> {
  const { forPrivate } = options;
  const reader = recordReader(options);
  for await (const group of groups) {
    for (const message of group) {
      const kind = message.problem === undefined ? kindOf(message.bytes, options.text) : 'other';
      if (kind === 'arrow') {
        if (reader.isStarted()) yield* reader.take();
        yield* reader.arrow(message);
      } else if (kind === 'row' || forPrivate) reader.addRow(message, kind === 'row' ? message.bytes : NO_ROW);
      else if (kind === 'array') reader.addArray(message);
      else if (kind === 'blank') reader.addRow(message, options.text?.names?.length === 1 ? NO_ROW : undefined);
      else reader.addBad(message, message.problem ?? (kind === 'empty' ? 'is empty' : NEITHER));
      if (reader.isFull()) yield* reader.take();
    }
    if (reader.isStarted()) yield* reader.take();
  }
}

/** A line that splitters make nulls of: no JSON object, too few cells, or a null where there is one column. */
const NO_ROW = Buffer.from('""');
const NEITHER = 'is neither a JSON object, nor an array of them, nor an Arrow stream';

/** A line, of which it is known what it holds, is a row or blank. */
function kindOf(bytes: Uint8Array, text: RowText | undefined) {
  let at = 0;
  while (at < bytes.length && (bytes[at] === SPACE || (bytes[at]! >= TAB && bytes[at]! <= CR))) at++;
  if (text !== undefined) return at < bytes.length ? 'row' : 'blank';
  if (at === bytes.length) return 'empty';
  if (bytes[at] === OPEN_BRACE) return 'row';
  if (bytes[at] === OPEN_BRACKET) return 'array';
  return bytes.length >= 4 && bytes.subarray(0, 4).every(byte => byte === 0xff) ? 'arrow' : 'other';
}

function recordReader({ name, schema, forPrivate, onDeadLetter, text = JSON_ROWS }: RecordsOptions) {
  /** The messages of the gathered rows, in order, with their rows so far. */
  let items: { readonly message: Message; rows: number }[] = [];
  /** The item of each gathered row. */
  let owners: number[] = [];
  let buffer = Buffer.allocUnsafeSlow(2 ** 16);
  let end = 0;
  /** Dead letters by the number of their item, because some are found before others. */
  const inPlace = doublesInPlace(schema, forPrivate);
  const letters: { readonly owner: number; readonly letter: DeadLetter }[] = [];
  const bury = (owner: number, place: Json, reason: string, bytes: Uint8Array): void => {
    letters.push({ owner, letter: deadLetter(place, reason, bytes) });
  };
  /** An item without rows that no arrival has told of yet: one stands for all before it. */
  let passed: Item | undefined;
  let rowReader: ReturnType<typeof readerOfRows> | undefined;

  /** Appends a row as a line. */
  const append = (bytes: Uint8Array, owner: number): void => {
    const needed = end + bytes.length + 2;
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed);
      buffer.copy(larger, 0, 0, end);
      buffer = larger;
    }
    buffer.set(bytes, end);
    if (bytes.includes(LF)) blankLineEnds(buffer, end, end + bytes.length);
    end += bytes.length;
    buffer[end++] = LF;
    owners.push(owner);
    items[owner]!.rows++;
  };
  const addBad = (message: Message, reason: string): void => {
    items.push({ message, rows: 0 });
    bury(items.length - 1, message.place, reason, message.bytes);
  };
  const rowsOf = (all: readonly { readonly message: Message; rows: number }[]): readonly Item[] => {
    const known: Item[] = passed === undefined ? [] : [passed];
    for (const { message, rows } of all) {
      if (known.at(-1)?.rows === 0) known.pop();
      known.push({
        rows,
        // Asked for when it is needed: a place may hold a digest, which costs more than reading the message.
        get place() {
          return message.place;
        },
      });
    }
    passed = undefined;
    return known;
  };
  /** Tells of dead letters first, so that none is lost if the run ends with these rows. */
  async function* arrival(batch: ArrowBatch | null, all: typeof items): AsyncGenerator<Arrival> {
    const found = letters.splice(0).sort((a, b) => a.owner - b.owner);
    for (const { letter } of found) await onDeadLetter?.(letter);
    const arrived = rowsOf(all);
    if (batch !== null && batch.numRows > 0) yield { batch, items: arrived };
    else passed = arrived.at(-1);
  }

  return {
    isStarted: (): boolean => items.length > 0,
    isFull: (): boolean => owners.length >= MOST_ROWS || end >= MOST_BYTES,
    addBad,
    /** Without a row it is only passed. */
    addRow: (message: Message, row?: Uint8Array): void => {
      items.push({ message, rows: 0 });
      if (row !== undefined) append(row, items.length - 1);
    },
    addArray: (message: Message): void => {
      const rows = elementsOf(message.bytes);
      if (rows === null) addBad(message, 'is not a JSON array');
      else if (rows.length > MOST_ROWS_CLAIMED) addBad(message, tooMany(rows.length));
      else {
        items.push({ message, rows: 0 });
        for (const row of rows) append(row, items.length - 1);
      }
    },
    /** The gathered rows. */
    async *take(): AsyncGenerator<Arrival> {
      const [all, rowOwners, lines] = [items, owners, buffer.subarray(0, end)];
      [items, owners, end] = [[], [], 0];
      let batch: ArrowBatch | null = null;
      let from = 0;
      let first = 0;
      const bad = (row: number, reason: string, start: number, stop: number): void => {
        const { message } = all[rowOwners[row]!]!;
        all[rowOwners[row]!]!.rows--;
        const place = message.bytes[0] === OPEN_BRACKET ? `row ${rowInArray(rowOwners, row)} of the array: ` : '';
        bury(rowOwners[row]!, message.place, place + reason, lines.subarray(start, stop));
      };
      // Rows before the first good one are bad, because nothing says what columns there are.
      while (first < rowOwners.length && schema.columns() === null) {
        const stop = lines.indexOf(LF, from);
        const row = Buffer.from(lines.subarray(from, stop + 1));
        const fields = text.fieldsOf(row);
        if (schema.fix(fields ?? [], text.format)) break;
        bad(first, fields === null ? NOT_ONE : NO_COLUMN, from, stop);
        from = stop + 1;
        first++;
      }
      if (first < rowOwners.length) {
        rowReader ??= readerOfRows(name, schema, text, forPrivate);
        batch = await rowReader(lines, from, rowOwners.length - first, (row, ...rest) => bad(first + row, ...rest));
      }
      yield* arrival(batch, all);
    },
    /** A message that is an Arrow stream. */
    async *arrow(message: Message): AsyncGenerator<Arrival> {
      let batch: ArrowBatch | null = null;
      try {
        batch = await arrowBatch(message.bytes, name, schema, inPlace);
      } catch (error) {
        // Whatever is wrong with bytes from outside, the stream goes on.
        if (forPrivate) batch = schema.nulls(privateRows(message.bytes));
        else bury(0, message.place, (error as Error).message, message.bytes);
      }
      yield* arrival(batch, [{ message, rows: batch?.numRows ?? 0 }]);
    },
  };
}

const NOT_ONE = 'is not a JSON object';
const NO_COLUMN = 'has no column that can be read';

const tooMany = (rows: number): string =>
  `has ${counted(rows, 'row')}, and a message may have at most ${MOST_ROWS_CLAIMED}; send several`;

const rowInArray = (owners: readonly number[], row: number): number => row - owners.indexOf(owners[row]!);

/** Line ends between tokens become other blanks; within a text they stay what JSON does not allow there. */
function blankLineEnds(bytes: Buffer, start: number, end: number): void {
  for (let at = start; at < end; at++) if (bytes[at] === LF) bytes[at] = CR;
}

/** The elements of a JSON array; null if it is none. */
function elementsOf(bytes: Uint8Array): readonly Uint8Array[] | null {
  const text = Buffer.allocUnsafe(bytes.length + 1);
  text.set(bytes);
  blankLineEnds(text, 0, bytes.length);
  text[bytes.length] = LF;
  const elements: Uint8Array[] = [];
  let at = spaceEnd(text, spaceEnd(text, 0) + 1);
  if (text[at] === CLOSE_BRACKET) return spaceEnd(text, at + 1) === bytes.length ? elements : null;
  for (;;) {
    const end = valueEnd(text, at);
    if (end < 0) return null;
    elements.push(text.subarray(at, end));
    at = spaceEnd(text, end);
    if (text[at] === CLOSE_BRACKET) return spaceEnd(text, at + 1) === bytes.length ? elements : null;
    if (text[at] !== COMMA) return null;
    at = spaceEnd(text, at + 1);
  }
}

/** Reads lines of text, each of which is a row. */
function readerOfRows(name: string, schema: LiveSchema, text: RowText, forPrivate: boolean) {
  const columns = schema.columns()!;
  const all = columns.map(({ field }) => field);
  const isThere = (field: Field): boolean => text.names === null || text.names.includes(field.name);
  const fields = all.filter(isThere);
  const places = all.map(field => (isThere(field) ? fields.indexOf(field) : null));
  const split = text.splitter(fields.map(field => field.name));
  const slots = new Map(fields.map((_, slot) => [slot, slot]));
  const reading = { ...text, source: { name }, fields, declared: new Map() };
  let room: Pick<Records, 'starts' | 'ends' | 'capacity'> | undefined;

  return async (
    lines: Buffer,
    from: number,
    count: number,
    bad: (row: number, reason: string, start: number, end: number) => void,
  ): Promise<ArrowBatch> => {
    if (room === undefined || room.capacity < count) {
      const capacity = Math.max(count, MOST_ROWS);
      const cells = fields.length * capacity;
      room = { capacity, starts: new Int32Array(cells), ends: new Int32Array(cells) };
    }
    const malformed = new Map<number, string>();
    const records: Records = { ...room, bytes: lines, firstRow: 0, rows: 0, size: 0, malformed };
    split(records, from, lines.length - 1, count, true);
    if (records.rows !== count) throw new Error(`${count} lines were taken for ${records.rows} rows`);
    if (forPrivate) malformed.clear();
    else if (!isUtf8(lines.subarray(from))) {
      eachLine(lines, from, (row, start, end) => {
        if (!isUtf8(lines.subarray(start, end))) malformed.set(row, 'has bytes that are not UTF-8');
      });
    }
    const frame = frameOf(records, reading, slots);
    const read = await schema.read({ frame, places, start: 0, count, isText: true, leaveOut: malformed });
    if (malformed.size + read.bad.size > 0) {
      const reasonOf = (row: number): string | undefined => {
        const cell = read.bad.get(row);
        if (cell === undefined || malformed.has(row)) return malformed.get(row);
        const { name: column, type } = cell.column.field;
        const at = cell.place * records.capacity + row;
        const shape = shapeNames[text.shapeOf(lines, records.starts[at]!, records.ends[at]!)];
        return `column ${JSON.stringify(column)} has ${shape}, but ${type} in this stream`;
      };
      eachLine(lines, from, (row, start, end) => {
        const reason = reasonOf(row);
        if (reason !== undefined) bad(row, reason, start, end);
      });
    }
    return schema.batchOf([read]);
  };
}

function eachLine(lines: Buffer, from: number, take: (row: number, start: number, end: number) => void): void {
  for (let row = 0, start = from; start < lines.length; row++) {
    const end = lines.indexOf(LF, start);
    take(row, start, end);
    start = end + 1;
  }
}

/** JSON objects. */
export const JSON_ROWS: RowText = {
  format: 'ndjson',
  names: null,
  shapeOf: jsonShape,
  textOf: jsonText,
  splitter: names => splitNdjson('', names, 'nulls'),
  fieldsOf: row => {
    const seen = new Set<string>();
    const none = { bytes: row, firstRow: 0, rows: 0, size: 0, capacity: 1, starts: NO_CELLS, ends: NO_CELLS };
    const malformed = new Map<number, string>();
    splitNdjson('', [], 'nulls', seen)({ ...none, malformed }, 0, row.length - 1, 1, true);
    return malformed.size > 0 ? null : fieldsIn(row, [...seen], JSON_ROWS);
  },
};

const NO_CELLS = new Int32Array(0);

/** What the values of one row look like. */
export function fieldsIn(
  row: Buffer,
  names: readonly string[],
  { splitter, shapeOf }: Pick<RowText, 'splitter' | 'shapeOf'>,
): readonly Field[] | null {
  const [starts, ends, malformed] = [new Int32Array(names.length), new Int32Array(names.length), new Map()];
  const records = { bytes: row, firstRow: 0, rows: 0, size: 0, capacity: 1, starts, ends, malformed };
  splitter(names)(records, 0, row.length - 1, 1, true);
  if (records.rows === 0 || malformed.size > 0) return null;
  return names.map((name, k) => {
    const shape = starts[k]! < 0 ? 'number' : shapeOf(row, starts[k]!, ends[k]!);
    const kind = shape === 'nested' ? 'unsupported' : shape === 'whole' || shape === 'number' ? 'float' : shape;
    return Object.freeze({ name, kind, type: TYPES[kind], width: 1 });
  });
}

const TYPES = {
  unsupported: 'objects or arrays',
  float: 'numbers',
  boolean: 'true or false',
  time: 'dates or times',
  text: 'text',
};

/** All rows of an Arrow stream as one batch. */
async function arrowBatch(
  bytes: Uint8Array,
  name: string,
  schema: LiveSchema,
  inPlace: ReturnType<typeof doublesInPlace>,
): Promise<ArrowBatch> {
  const plain = inPlace.read(bytes);
  if (plain !== null && plain.numRows <= MOST_ROWS_CLAIMED) return plain;
  const claimed = rowsClaimed(bytes) ?? 0;
  if (claimed > MOST_ROWS_CLAIMED) throw new ArgumentError(tooMany(claimed), 'ERR_TOO_LARGE', { rows: claimed });
  const table = schema.leveled(await openArrowStream(once(bytes), name));
  try {
    if (!schema.fix(table.fields, table.format)) throw new ArgumentError(NO_COLUMN, 'ERR_COLUMN', { columns: 0 });
    const places = schema.placesIn(table.fields, table.format);
    if (typeof places === 'string') throw new ArgumentError(places, 'ERR_COLUMN', { places });
    const parts: LiveRows[] = [];
    for await (const frame of table.frames(places.filter(place => place !== null)))
      parts.push(await schema.read({ frame, places, start: 0, count: frame.rows, isText: false }));
    inPlace.learn(bytes, table.fields, places);
    return schema.batchOf(parts);
  } finally {
    await table.close();
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The rows of a message whose rows cannot be read: what its headers state, or one. */
function privateRows(bytes: Uint8Array): number {
  const claimed = rowsClaimed(bytes) ?? 1;
  return claimed <= MOST_ROWS_CLAIMED ? claimed : 1;
}

/** The rows that the headers of record batches state, up to the first header that cannot be read; null without any. */
function rowsClaimed(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let rows: number | null = null;
  try {
    for (let at = 0; at + 8 <= bytes.length; ) {
      const length = view.getInt32(at + 4, true);
      if (view.getInt32(at, true) !== CONTINUATION || length <= 0 || at + 8 + length > bytes.length) break;
      const message = decodeMessage(bytes.subarray(at + 8, at + 8 + length), unreadable);
      if (isBatch(message)) rows = (rows ?? 0) + decodeBatch(message.content, unreadable).rows;
      at += 8 + length + message.bodyLength;
    }
  } catch {
    // What has been read so far counts.
  }
  return rows;
}

const unreadable: Damaged = problem => new DataError(problem, { table: '' });
