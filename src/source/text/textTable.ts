import { ArgumentError, type DataError, dataError, requireInteger } from '../../errors.ts';
import { levelsOption } from '../../sample/levelTally.ts';
import { ROUND_OR_TEXT } from '../table/doubles.ts';
import { rankTexts } from '../table/rankBytes.ts';
import type { DiscoverRequest, Field, FieldKind, FillRequest, Frame, LevelRequest, Table } from '../table/table.ts';
import { trimEnd, trimStart } from './ascii.ts';
import type { ByteSource } from './byteSource.ts';
import { type ShapeOf, shapeNames } from './cellShape.ts';
import { type Decode, decodeBoolean, decodeMixed } from './decode.ts';
import { decodeExact, decodeInteger, decodeNumber, isWhole } from './decodeNumber.ts';
import { decodeTime } from './decodeTime.ts';
import { type Malformed, type Records, readRecords, type Split } from './readRecords.ts';

/** Text as records of cells, in whichever format. */
export interface TextRecords {
  readonly source: ByteSource;
  /** The number of bytes before the first record. */
  readonly skip: number;
  /** How bytes are cut into records with the cells of the requested columns. */
  readonly splitter: (wanted: readonly number[]) => Split;
  readonly malformed: Malformed;
  readonly shapeOf: ShapeOf;
  /** The text of a cell, with the format's escapes resolved. */
  readonly textOf: (bytes: Buffer, start: number, end: number) => string;
}

export interface TextTableOptions extends TextRecords {
  readonly format: 'csv' | 'ndjson';
  readonly fields: readonly Field[];
  /** If they have been counted; null by default. */
  readonly rows?: number | null;
  readonly declared: ReadonlyMap<string, FieldKind>;
}

type FrameOptions = Pick<TextTableOptions, 'fields' | 'declared' | 'shapeOf' | 'textOf'> & {
  readonly source: Pick<ByteSource, 'name'>;
};

/** Columns that are declared whole numbers hold them exactly; in others a number is the double nearest to it. */
const declaredDecoders: Readonly<Partial<Record<FieldKind, Decode>>> = {
  float: decodeNumber,
  integer: decodeInteger,
  exact: decodeExact,
  boolean: decodeBoolean,
  time: decodeTime,
  mixed: decodeMixed,
};

const decoders = { ...declaredDecoders, exact: decodeNumber };

/** A table over text, whose cells stay bytes until a frame is asked for them. */
export function textTable(options: TextTableOptions): Table {
  const { source, format, fields, rows = null } = options;
  const iterations = new Set<AsyncGenerator<Frame>>();
  return Object.freeze({
    name: source.name,
    format,
    fields,
    rows,
    isReadOnce: !source.isFile,
    frames(wanted: readonly number[]) {
      for (const field of wanted) requireInteger('field', field, 0, fields.length - 1);
      const frames = readFrames(options, [...new Set(wanted)], () => iterations.delete(frames));
      iterations.add(frames);
      return frames;
    },
    async close() {
      for (const frames of iterations) await frames.return(undefined);
      await source.close();
    },
  });
}

async function* readFrames(
  options: TextTableOptions,
  wanted: readonly number[],
  finished: () => void,
): AsyncGenerator<Frame> {
  const { source, skip, splitter, malformed } = options;
  const layout = { table: source.name, split: splitter(wanted), cells: wanted.length, skip, malformed };
  const slots = new Map(wanted.map((field, slot) => [field, slot]));
  try {
    for await (const records of readRecords(source.read(), layout)) yield frameOf(records, options, slots);
  } finally {
    finished();
  }
}

/** What the double nearest to a number lacks, if that is written as a whole number. */
const lackOf = (text: string, nearest: number): number =>
  isWhole(text) ? Number(BigInt(text.replace(/^\+/, '')) - BigInt(nearest)) : 0;

/** Records as a frame; `slots` has the slots of the requested fields. */
export function frameOf(
  records: Records,
  { source, fields, declared, shapeOf, textOf }: FrameOptions,
  slots: ReadonlyMap<number, number>,
): Frame {
  const { bytes, starts, ends, rows, firstRow, capacity } = records;

  const firstCell = ({ field, start, count }: FillRequest): number => {
    const slot = slots.get(field);
    if (slot === undefined)
      throw new ArgumentError(`field must be one of those requested from frames(), got ${field}`, 'ERR_ARGUMENT', {
        argument: 'field',
        value: field,
      });
    if (start < 0 || start + count > rows)
      throw new ArgumentError(`a frame of ${rows} rows has no rows from ${start} to ${start + count}`, 'ERR_ARGUMENT', {
        argument: 'start',
        value: start,
      });
    return slot * capacity + start;
  };
  const misfit = (index: number, row: number, start: number, end: number): DataError => {
    const { name: column, kind, isBlank = false } = fields[index]!;
    const place = { table: source.name, column, row };
    const shape = shapeOf(bytes, start, end);
    if (shape === 'whole' && declared.has(column) && (kind === 'exact' || kind === 'integer')) {
      return dataError(place, 'a whole number that a double cannot represent exactly', ROUND_OR_TEXT);
    }
    if (declared.has(column)) {
      return dataError(
        place,
        `${shapeNames[shape]} in a column of kind "${kind}" (as declared)`,
        'fix the row, or declare a type that fits every row, such as "text"',
      );
    }
    if (isBlank) {
      return dataError(
        place,
        `${shapeNames[shape]}, where a number is expected: the first rows of the table have no value`,
        `fix the row, skip such rows with \`nulls: 'skip'\`, declare levels with ${levelsOption(column)}, or leave the column out`,
      );
    }
    return dataError(
      place,
      `${shapeNames[shape]}, where the first rows of the table have ${fields[index]!.type}`,
      "fix the row, skip such rows with `nulls: 'skip'`, or leave the column out",
    );
  };

  /** Marks nulls, and passes every other cell on, of which `isNull` says whether it is one too; returns their number. */
  const eachCell = (request: FillRequest, isNull: (i: number, start: number, end: number) => boolean): number => {
    const { count, out, missing } = request;
    const cells = firstCell(request);
    let nulls = 0;
    for (let i = 0; i < count; i++) {
      const start = starts[cells + i]!;
      if (start >= 0 && !isNull(i, start, ends[cells + i]!)) continue;
      out[i] = 0;
      missing[i] = 1;
      nulls++;
    }
    return nulls;
  };
  const fillLevels = (request: LevelRequest | DiscoverRequest): number => {
    const { out } = request;
    const rankOf = rankTexts(request);
    return eachCell(request, (i, start, end) => {
      out[i] = rankOf(textOf(bytes, start, end));
      return false;
    });
  };

  return Object.freeze({
    rows,
    fill(request: FillRequest) {
      const { field, start: firstOfFill, count, out, lenient = false, nullsOnly = false, rest = false } = request;
      const { name: column, kind, type, nullTokens, isBlank = false } = fields[field]!;
      const decode = isBlank ? decodeNumber : (declared.has(column) ? declaredDecoders : decoders)[kind];
      if (decode === undefined)
        throw dataError({ table: source.name, column }, `is ${type}, which is not a number`, 'leave it out');
      if (nullsOnly && nullTokens === undefined) return eachCell(request, () => false);
      const absent = eachCell(request, (i, start, end) => {
        if (decode(bytes, start, end, out, i)) return false;
        // Spaces are so rare that they are looked for only now.
        const from = trimStart(bytes, start, end);
        if (decode(bytes, from, trimEnd(bytes, from, end), out, i)) return false;
        if (nullTokens?.includes(textOf(bytes, start, end).trim())) return true;
        if (!lenient) throw misfit(field, firstRow + firstOfFill + i, start, end);
        out[i] = NaN;
        return false;
      });
      if (rest) {
        const cells = firstCell(request);
        for (let i = 0; i < count; i++) {
          const start = starts[cells + i]!;
          out[i] = Math.abs(out[i]!) > 2 ** 53 ? lackOf(textOf(bytes, start, ends[cells + i]!).trim(), out[i]!) : 0;
        }
      }
      return absent;
    },
    fillLevels,
    discoverLevels: fillLevels,
  });
}
