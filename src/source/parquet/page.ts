import { encodings, type PageHeader, pageTypes } from './format.ts';
import { requireCount } from './guarded.ts';
import { hybrid } from './hybrid.ts';
import { type ColumnValues, pageValues, plainValues, prefixed, type Values } from './pageValues.ts';

/** A data page, ready to be read. */
export interface Page {
  /** Null if every row has a value. */
  readonly presence: Presence | null;
  /** The values that are present. */
  readonly values: Values;
}

export interface PageSource {
  readonly header: PageHeader;
  readonly body: Uint8Array;
  readonly decompress: (bytes: Uint8Array, decodedLength: number) => Uint8Array;
}

/**
 * The number of rows in a page: none, if it is not a data page. In a column without lists, each value (or null) is a
 * row.
 */
export function pageRows({ type, data, dataV2 }: PageHeader): number {
  if (type === pageTypes.data) return requireCount('rows', data?.values);
  return type === pageTypes.dataV2 ? requireCount('rows', dataV2?.values) : 0;
}

/** Opens a data page of either version of the format. */
export function dataPage(source: PageSource, highestLevel: number, column: ColumnValues): Page {
  const { type, data, dataV2 } = source.header;
  const isFirst = type === pageTypes.data;
  const rows = pageRows(source.header);
  const { presence, bytes } = (isFirst ? firstVersion : secondVersion)(source, highestLevel, rows);
  const encoding = encodings[(isFirst ? data : dataV2)!.encoding!];
  return { presence, values: pageValues(encoding, column, bytes, presence?.count ?? rows) };
}

/** The values of a dictionary page. */
export function dictionaryPage({ header, body, decompress }: PageSource, { layout }: ColumnValues): Float64Array {
  const { values, encoding } = header.dictionary ?? {};
  const count = requireCount('entries', values);
  // The first version of the format used the encoding of the pages that refer to it.
  if (encoding !== encodings.indexOf('PLAIN') && encoding !== encodings.indexOf('PLAIN_DICTIONARY')) {
    throw new Error(`a dictionary is encoded as ${encodings[encoding!]}`);
  }
  const entries = plainValues(layout, decompress(body, requireCount('bytes', header.decodedSize)), count);
  const dictionary = new Float64Array(count);
  entries(dictionary, 0, count);
  return dictionary;
}

interface PageParts {
  readonly presence: Presence | null;
  /** The values, decompressed. */
  readonly bytes: Uint8Array;
}

/** Levels and values are compressed together; levels are preceded by their length. */
function firstVersion({ header, body, decompress }: PageSource, highestLevel: number, rows: number): PageParts {
  const bytes = decompress(body, requireCount('bytes', header.decodedSize));
  if (highestLevel === 0) return { presence: null, bytes };
  if (encodings[header.data!.levelEncoding!] === 'BIT_PACKED') {
    const length = Math.ceil((rows * levelWidth(highestLevel)) / 8);
    return {
      presence: oldPresence(bytes.subarray(0, length), highestLevel, rows),
      bytes: bytes.subarray(length),
    };
  }
  const levels = prefixed(bytes);
  return { presence: presenceOf(levels, highestLevel, rows), bytes: bytes.subarray(4 + levels.length) };
}

/** Levels are not compressed, and their length is in the header. */
function secondVersion({ header, body, decompress }: PageSource, highestLevel: number, rows: number): PageParts {
  const { levelBytes, repetitionBytes, isCompressed = true, nulls } = header.dataV2!;
  const levels = requireCount('bytes', repetitionBytes);
  const values = levels + requireCount('bytes', levelBytes);
  if (values > body.length) throw new Error(`levels of ${values} bytes are in a page of ${body.length}`);
  const rest = body.subarray(values);
  const bytes = isCompressed ? decompress(rest, requireCount('bytes', header.decodedSize) - values) : rest;
  const presence = highestLevel === 0 ? null : presenceOf(body.subarray(levels, values), highestLevel, rows);
  const absent = presence === null ? 0 : rows - presence.count;
  if (absent !== nulls) throw new Error(`a page has ${absent} nulls, but its header says ${nulls}`);
  return { presence, bytes };
}

/** Which rows of a page have a value: those whose definition level is the highest. */
interface Presence {
  /** The number of rows that have a value. */
  readonly count: number;
  /** Reads the levels of the next rows. */
  read(into: Uint32Array, count: number): void;
}

/** Null if every row of the page has a value. */
function presenceOf(bytes: Uint8Array, highest: number, rows: number): Presence | null {
  const width = levelWidth(highest);
  const levels = hybrid(bytes, width);
  // For a column without nulls, writers store a single run.
  const count = levels.repeats(highest, rows) ? rows : levels.count(highest, rows);
  return count === rows ? null : { count, read: hybrid(bytes, width).read };
}

/** The same from levels in the format's first encoding, BIT_PACKED: no runs, and the most significant bits first. */
function oldPresence(bytes: Uint8Array, highest: number, rows: number): Presence | null {
  const width = levelWidth(highest);
  const levelOf = (row: number): number => {
    let level = 0;
    for (let bit = row * width; bit < (row + 1) * width; bit++) {
      level = 2 * level + ((bytes[Math.floor(bit / 8)]! >> (7 - (bit % 8))) & 1);
    }
    return level;
  };
  let count = 0;
  for (let row = 0; row < rows; row++) if (levelOf(row) === highest) count++;
  let row = 0;
  const read = (into: Uint32Array, asked: number): void => {
    for (let i = 0; i < asked; i++) into[i] = levelOf(row++);
  };
  return count === rows ? null : { count, read };
}

/** The number of bits per level. */
const levelWidth = (highest: number): number => 32 - Math.clz32(highest);
