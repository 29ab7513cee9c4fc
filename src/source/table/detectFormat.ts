import { isUtf8 } from 'node:buffer';
import { type DataError, dataError } from '../../errors.ts';
import type { Table } from './table.ts';

const READABLE = 'Sluice reads Arrow files and streams, Parquet, CSV and NDJSON';

/** Magic bytes of files that cannot be read as they are, and what to do about them. */
const refused: readonly (readonly [magic: string, problem: string, remedy: string])[] = [
  ['PARE', 'is an encrypted Parquet file', 'write it without encryption of the footer'],
  ['FEA1', 'is a Feather file of version 1', 'write it as version 2, which is the Arrow file format'],
  ['PK\x03\x04', 'is a zip archive or a spreadsheet', 'unpack it first, or save the sheet as CSV'],
  ['\xff\xfe', 'is text in UTF-16', 'convert it first: "iconv -f utf-16 -t utf-8 FILE"'],
  ['\xfe\xff', 'is text in UTF-16', 'convert it first: "iconv -f utf-16 -t utf-8 FILE"'],
];

/** Magic bytes of compressed files, and the command that decompresses one to standard output. */
const compressed: readonly (readonly [magic: string, by: string, command: string])[] = [
  ['\x1f\x8b', 'gzip', 'gunzip -c'],
  ['\x28\xb5\x2f\xfd', 'zstd', 'zstd -dc'],
  ['\x04\x22\x4d\x18', 'lz4', 'lz4 -dc'],
  ['\xfd7zXZ\0', 'xz', 'xz -dc'],
  ['BZh', 'bzip2', 'bzip2 -dc'],
];

/** A command that can be copied as it stands, and a pipe, which needs the number of rows. */
function decompress(command: string, name: string): string {
  if (name === 'standard input') return `decompress it first: put "${command} |" before the command`;
  const plain = name.replace(/\.(gz|zst|zstd|lz4|xz|bz2)$/i, '');
  const [from, to] = [name, plain === name ? `${name}.decompressed` : plain].map(shellWord);
  return `decompress it first: "${command} ${from} > ${to}"; or pipe it, if you know its number of rows N: \`${command} ${from} | …\``;
}

/** Quoted if a shell needs it. */
const shellWord = (text: string): string =>
  /^[\w./][\w./,=:@+-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The format of a table by its first bytes: a few thousand, or all if there are fewer. The name is for messages, and
 * decides only whether text that begins with a bracket is a JSON array or an unusual CSV header.
 */
export function detectFormat(firstBytes: Uint8Array, name: string): Exclude<Table['format'], 'sql' | 'memory'> {
  const refuse = (problem: string, remedy: string): DataError => dataError({ table: name }, problem, remedy);
  if (firstBytes.length === 0) throw refuse('is empty', READABLE);
  const bytes = Buffer.from(firstBytes.buffer, firstBytes.byteOffset, firstBytes.byteLength);
  // Letters alone prove nothing: a header may well begin with PAR1 or PARENT.
  if (hasControlBytes(bytes) || !isUtf8(withoutCutCharacter(bytes))) return binaryFormat(bytes, name, refuse);
  const text = bytes
    .toString()
    .replace(/^\ufeff/, '')
    .trimStart();
  if (/^\{\s*["}]|^\{\s*$/.test(text)) return 'ndjson';
  if (text.startsWith('[') && /\.(json|jsonl|ndjson)$/i.test(name))
    throw refuse('is a JSON array', 'write one object per line: "jq -c .[] FILE"');
  return 'csv';
}

/**
 * The format of a text file by its name; null if the name does not say. If rows must not influence how others are read,
 * this is tried first.
 */
export function formatByName(name: string): 'csv' | 'ndjson' | null {
  if (/\.(csv|tsv)$/i.test(name)) return 'csv';
  return /\.(ndjson|jsonl)$/i.test(name) ? 'ndjson' : null;
}

function binaryFormat(bytes: Buffer, name: string, refuse: (problem: string, remedy: string) => DataError) {
  const head = bytes.toString('latin1', 0, 8);
  if (head === 'ARROW1\0\0') return 'arrow-file';
  if (head.startsWith('PAR1')) return 'parquet';
  if (isArrowStream(bytes)) return 'arrow-stream';
  for (const [magic, problem, remedy] of refused) if (head.startsWith(magic)) throw refuse(problem, remedy);
  for (const [magic, by, command] of compressed)
    if (head.startsWith(magic)) throw refuse(`is compressed with ${by}`, decompress(command, name));
  if (hasControlBytes(bytes)) throw refuse('is in an unknown format', READABLE);
  throw refuse('is text, but not in UTF-8', 'convert it first, for example with "iconv -f latin1 -t utf-8"');
}

/** A message begins with four bytes of ones, then the length of its metadata: a flatbuffer, padded to 8 bytes. */
function isArrowStream(bytes: Buffer): boolean {
  if (bytes.length < 8 || bytes.readUInt32LE(0) !== 0xffffffff) return false;
  const length = bytes.readInt32LE(4);
  return length >= 0 && length % 8 === 0 && length < 1 << 28;
}

/** Text has no control characters but tabs, line ends and form feeds. */
const hasControlBytes = (bytes: Buffer): boolean =>
  bytes.some(byte => (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) || byte === 0x7f);

/** The bytes without their last character, if it may continue beyond them. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, -back);
  }
  return bytes;
}
