import { Type } from 'apache-arrow/enum';
import { ArgumentError, DataError, requireChoice } from '../../errors.ts';
import { settled } from '../../sample/shuffle/settled.ts';
import { listed } from '../../words.ts';
import { batchMaker, type Cells, type Column, type ColumnCells, cellsOf, columnOf } from '../memory/batches.ts';
import { batchOfDoubles } from '../memory/doubleColumns.ts';
import type { ArrowBatch } from '../memory/rowSource.ts';
import { leveled } from '../table/leveled.ts';
import type { Field, FieldKind, Frame, Table } from '../table/table.ts';
import type { DeclaredTypes } from '../text/openText.ts';
import type { LiveColumns, OpenLiveOptions } from './liveSource.ts';

/** A column of a stream: what it is called, what it holds, and how it becomes Arrow data. */
export interface LiveColumn {
  readonly field: Field;
  readonly column: Column;
}

/** A cell that is not of the kind of its column, which makes its row a bad one. */
export interface BadCell {
  readonly column: LiveColumn;
  /** The field of the frame. */
  readonly place: number;
  readonly error: DataError;
}

/** Rows of a frame without the bad ones, which are numbered from the first of those asked for. */
export interface LiveRows {
  readonly cells: readonly ColumnCells[];
  readonly rows: number;
  readonly bad: ReadonlyMap<number, BadCell>;
}

/** Which rows of a frame to read, and which of its fields is which column; null for a column of nulls. */
export interface LiveRequest {
  readonly frame: Frame;
  readonly places: readonly (number | null)[];
  readonly start: number;
  readonly count: number;
  /** Whether the frame is one of text, in which any cell may be of another kind than its column. */
  readonly isText: boolean;
  /** Rows to leave out, by their numbers among these. */
  readonly leaveOut?: ReadonlyMap<number, unknown>;
}

/**
 * The columns of a stream, fixed once for all of its records, whatever their formats: those that are declared, or those
 * of the first record. Columns that cannot be read are left out.
 *
 * Types of batches are those of `batches`: numbers are Float64, or whole numbers of a type that the first record has;
 * texts have a dictionary for each batch. A column without a value in the first record holds numbers.
 */
export interface LiveSchema {
  /** Null until they are fixed. */
  columns(): readonly LiveColumn[] | null;
  /** Fixes the columns, unless they are; returns whether there are any. */
  fix(fields: readonly Field[], format: Table['format']): boolean;
  /** What is known of the types of columns, for readers of text files. */
  types(): DeclaredTypes;
  /** A table whose whole numbers are texts where they are declared so, whatever type they have. */
  leveled(table: Table): Table;
  /** The field of every column; a text that says why not, if these fields are not those of the stream. */
  placesIn(fields: readonly Field[], format: Table['format']): readonly (number | null)[] | string;
  /** The cells are copied: they stay when the next frame is pulled. */
  read(request: LiveRequest): Promise<LiveRows>;
  /** Rows one after another as one batch. */
  batchOf(parts: readonly Pick<LiveRows, 'cells' | 'rows'>[]): ArrowBatch;
  /** Whether every column is one of doubles, so that `batchOfDoubles` will do. */
  holdsDoubles(): boolean;
  /** Columns of doubles without nulls as a batch; they are not copied. */
  batchOfDoubles(columns: readonly Float64Array[], rows: number): ArrowBatch;
  /** Rows without values. */
  nulls(count: number): ArrowBatch;
}

/**
 * In a private run columns must be declared, and no record can have other ones: a column that it lacks, or that is of
 * another kind, is a column of nulls, and so is a cell that cannot be read.
 */
export async function liveSchema({ columns: declared, types = {}, forPrivate }: OpenLiveOptions): Promise<LiveSchema> {
  for (const [name, is] of Object.entries({ ...types, ...declared }))
    requireChoice(`columns[${JSON.stringify(name)}]`, is, ['number', 'boolean', 'text', 'time']);
  if (forPrivate && declared === undefined)
    throw new ArgumentError(
      'a private stream needs `columns`, because they must not be chosen by what rows hold; name its target, features and unit',
      'ERR_NOT_PRIVATE',
      { argument: 'columns' },
    );
  const arrow = await import('apache-arrow');
  const columnFor = (field: Field, format: Table['format']): LiveColumn => ({
    field,
    column: columnOf(field, format, arrow),
  });
  const declaredColumns = (of: LiveColumns): readonly LiveColumn[] =>
    Object.entries(of).map(([name, is]) => {
      const kind = forPrivate && is === 'number' ? 'mixed' : KINDS[is];
      return columnFor(Object.freeze({ name, kind, type: `declared ${is}`, width: 1 }), 'ndjson');
    });
  let columns = declared && declaredColumns(declared);
  const texts = Object.entries({ ...types, ...declared }).flatMap(([name, is]) => (is === 'text' ? [name] : []));

  const fits = ({ field, column }: LiveColumn, other: Field, format: Table['format']): boolean => {
    if (format === 'csv' || format === 'ndjson') return true;
    const [ours, theirs] = [familyOf(field.kind), familyOf(other.kind)];
    const isNumeric = theirs === 'number' || (forPrivate && ['boolean', 'time'].includes(theirs));
    if (ours === 'number' && column.holds === undefined) return isNumeric;
    const isSame = column.holds === undefined || String(columnOf(other, format, arrow).type) === String(column.type);
    return ours === theirs && field.width === other.width && isSame;
  };

  let maker: ReturnType<typeof batchMaker> | undefined;
  const made = (cells: readonly ColumnCells[], rows: number): ArrowBatch => {
    maker ??= batchMaker(columns!, arrow);
    return maker(cells, rows);
  };
  const nulls = (count: number): ArrowBatch =>
    made(
      columns!.map(({ field }) => nullCells(field, count)),
      count,
    );
  let form: ArrowBatch | undefined;

  return {
    columns: () => columns ?? null,
    types: () =>
      Object.fromEntries(
        // Text has no vectors.
        (columns ?? declaredColumns(types)).flatMap(({ field: { name, kind } }) =>
          kind === 'vector' ? [] : [[name, kind]],
        ),
      ),
    leveled: table => leveled(table, texts, { ofDoubles: true }),
    fix: (fields, format) => {
      if (columns === undefined) {
        const own = fields.filter(({ name, kind }) => kind !== 'unsupported' && types[name] === undefined);
        const isText = format === 'csv' || format === 'ndjson';
        const known = new Map([
          ...own.map(field => [field.name, columnFor(isText ? fromText(field) : field, format)] as const),
          ...declaredColumns(types).map(column => [column.field.name, column] as const),
        ]);
        // In the order of the record, and then what it lacks.
        const names = new Set([...fields.map(({ name }) => name), ...Object.keys(types)]);
        const found = [...names].flatMap(name => known.get(name) ?? []);
        if (found.length > 0) columns = found;
      }
      return columns !== undefined;
    },
    placesIn: (fields, format) => {
      const lacking: string[] = [];
      let other: string | undefined;
      const places = columns!.map(column => {
        const { name, type } = column.field;
        const place = fields.findIndex(field => field.name === name);
        if (place >= 0 && fits(column, fields[place]!, format)) return place;
        if (place < 0) lacking.push(name);
        else other ??= `column ${JSON.stringify(name)} is ${fields[place]!.type}, but ${type} in this stream`;
        return null;
      });
      if (forPrivate) return places;
      if (lacking.length === 0) return other ?? places;
      return `there is no column ${listed(lacking, 'or')}, which this stream has`;
    },
    read: async ({ frame, places, start, count, isText, leaveOut = NONE }) => {
      const bad = new Map<number, BadCell>();
      const cells = await settled(
        columns!.map(async ({ field }, k) => {
          const place = places[k] ?? null;
          return place === null
            ? nullCells(field, count)
            : cellsOf(field, { frame, field: place, start, count, lenient: true });
        }),
      );
      for (const [k, column] of columns!.entries()) {
        const place = places[k] ?? null;
        if (column.field.kind === 'text' || place === null) continue;
        for (const one of cells[k]!.elements) {
          for (const i of doubtful(one, column)) {
            const error = isText && !forPrivate ? await whyBad(frame, place, start + i, column, one.doubles[i]!) : null;
            if (error !== null) bad.set(i, { column, place, error });
            else if (forPrivate || column.column.type.typeId !== Type.Float) setNull(one, i);
          }
        }
      }
      if (bad.size + leaveOut.size === 0) return { cells, rows: count, bad };
      const isKept = (_: number, row: number): boolean => !bad.has(row) && !leaveOut.has(row);
      const kept = cells.map(column => filtered(column, isKept));
      return { cells: kept, rows: new Uint8Array(count).filter(isKept).length, bad };
    },
    batchOf: parts => {
      const [first] = parts;
      const rows = parts.reduce((sum, part) => sum + part.rows, 0);
      if (parts.length === 1) return made(first!.cells, rows);
      const cellsIn = (k: number): readonly ColumnCells[] => parts.map(part => part.cells[k]!);
      return made(
        columns!.map(({ field }, k) => joined(field, cellsIn(k), rows)),
        rows,
      );
    },
    holdsDoubles: () => columns!.every(({ column: { type, holds } }) => type.typeId === Type.Float && !holds),
    batchOfDoubles: (doubles, rows) => {
      form ??= nulls(0);
      return batchOfDoubles(form.schema, doubles, rows);
    },
    nulls,
  };
}

const KINDS: Readonly<Record<LiveColumns[string], FieldKind>> = {
  number: 'float',
  boolean: 'boolean',
  text: 'text',
  time: 'time',
};

const familyOf = (kind: FieldKind): string => (['float', 'integer', 'exact', 'mixed'].includes(kind) ? 'number' : kind);

/**
 * A column of text by the first record alone: its numbers may have fractions later, and one without a value holds
 * numbers.
 */
const fromText = (field: Field): Field => {
  const isNumber = field.isBlank === true || familyOf(field.kind) === 'number';
  return isNumber ? Object.freeze({ name: field.name, kind: 'float', type: 'numbers', width: 1 }) : field;
};

const nullCells = ({ width }: Field, count: number): ColumnCells => ({
  levels: ['\ufffd'],
  elements: Array.from({ length: width }, () => ({
    doubles: new Float64Array(count),
    missing: new Uint8Array(count).fill(1),
    nullCount: count,
  })),
});

/** Rows whose number a lenient reader could not read, or that the type of the column cannot hold. */
function doubtful({ doubles, missing }: Cells, { column: { holds } }: LiveColumn): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < doubles.length; i++) {
    const value = doubles[i]!;
    const isFine = holds === undefined ? !Number.isNaN(value) : holds(value);
    if (!isFine && missing[i] === 0) found.push(i);
  }
  return found;
}

/** Null for a cell that does say NaN. */
async function whyBad(
  frame: Frame,
  field: number,
  row: number,
  { field: { name, type }, column }: LiveColumn,
  value: number,
): Promise<DataError | null> {
  if (column.holds !== undefined && !Number.isNaN(value))
    return new DataError(`column ${JSON.stringify(name)} is ${type}, which cannot hold ${value}`, { table: '' });
  try {
    await frame.fill({ field, start: row, count: 1, out: new Float64Array(1), missing: new Uint8Array(1) });
    return null;
  } catch (error) {
    if (error instanceof DataError) return error;
    throw error;
  }
}

function setNull(cells: Cells, row: number): void {
  cells.doubles[row] = 0;
  cells.missing[row] = 1;
  cells.nullCount++;
}

const NONE: ReadonlyMap<number, unknown> = new Map();

const filtered = ({ elements, levels }: ColumnCells, isKept: (value: number, row: number) => boolean): ColumnCells => ({
  levels,
  elements: elements.map(({ doubles, missing }) => {
    const left = missing.filter(isKept);
    return { doubles: doubles.filter(isKept), missing: left, nullCount: left.reduce((sum, mark) => sum + mark, 0) };
  }),
});

/** Cells of one column, one after another; the levels of each part are numbered behind those of the ones before. */
function joined({ kind, width }: Field, parts: readonly ColumnCells[], rows: number): ColumnCells {
  const levels: string[] = [];
  const elements = Array.from({ length: width }, (_, element) => {
    const [doubles, missing] = [new Float64Array(rows), new Uint8Array(rows)];
    let [at, nullCount] = [0, 0];
    for (const part of parts) {
      const cells = part.elements[element]!;
      const before = levels.length;
      doubles.set(kind === 'text' ? cells.doubles.map(rank => Math.max(rank, 0) + before) : cells.doubles, at);
      missing.set(cells.missing, at);
      at += cells.doubles.length;
      nullCount += cells.nullCount;
      levels.push(...part.levels);
    }
    return { doubles, missing, nullCount };
  });
  return { elements, levels };
}

/**
 * The columns of a batch of a stream, to declare them when the stream is opened again, so that another first record
 * does not choose others. Vectors cannot be declared.
 */
export function columnsOf({ schema: { fields } }: ArrowBatch): LiveColumns {
  return Object.fromEntries(
    fields.flatMap(({ name, type: { typeId } }) => {
      const is = HOLDS[typeId];
      return is === undefined ? [] : [[name, is]];
    }),
  );
}

const HOLDS: Readonly<Record<number, LiveColumns[string]>> = {
  [Type.Float]: 'number',
  [Type.Int]: 'number',
  [Type.Bool]: 'boolean',
  [Type.Timestamp]: 'time',
  [Type.Dictionary]: 'text',
};
