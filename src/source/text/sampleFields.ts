import type { Field, FieldKind } from '../table/table.ts';
import { type CellShape, type ShapeTally, shapeTally } from './cellShape.ts';
import { type ReadOptions, type Records, readRecords } from './readRecords.ts';
import type { TextRecords, TextTableOptions } from './textTable.ts';

interface SampleOptions extends TextRecords, Pick<TextTableOptions, 'declared'> {
  readonly names: readonly string[];
  readonly sampleRows: number;
}

/**
 * The fields of a text file: with the declared type, or else the type seen in the sample. A field without a value in
 * the sample of a file has the type that the rest of the file shows; a stream cannot be looked through.
 */
export async function sampleFields(options: SampleOptions): Promise<readonly Field[]> {
  const { source, names, declared, sampleRows } = options;
  const tallies = names.map(shapeTally);
  const blank = (): readonly number[] =>
    [...names.keys()].filter(field => !declared.has(names[field]!) && tallies[field]!.shapes.size === 0);
  await tallyShapes(options, blank(), tallies, sampleRows);
  if (source.isFile && sampleRows > 0) await tallyShapes(options, blank(), tallies, Infinity);
  return Object.freeze(names.map((name, field) => fieldFromSample(name, tallies[field]!, declared.get(name))));
}

async function tallyShapes(
  { source, skip, splitter, malformed, shapeOf, textOf }: SampleOptions,
  wanted: readonly number[],
  tallies: readonly ShapeTally[],
  rows: number,
): Promise<void> {
  if (wanted.length === 0) return;
  const reading = { table: source.name, split: splitter(wanted), cells: wanted.length, skip, malformed };
  await sampleRecords(source.look(), reading, rows, (records, row) => {
    const { bytes, starts, ends, capacity, firstRow } = records;
    wanted.forEach((field, slot) => {
      const cell = slot * capacity + row;
      const [start, end] = [starts[cell]!, ends[cell]!];
      if (start < 0) return;
      tallies[field]!.add(shapeOf(bytes, start, end), firstRow + row, () => textOf(bytes, start, end));
    });
  });
}

/** A field of a text file: as declared, or else by the shapes of its cells in the sample. */
function fieldFromSample(name: string, tally: ShapeTally, declared?: FieldKind): Field {
  if (declared !== undefined) return Object.freeze({ name, kind: declared, type: `declared ${declared}`, width: 1 });
  const nullTokens = tally.nullTokens();
  const [kind, type] = sampledKind(nullTokens === undefined ? tally.shapes : numbersIn(tally.shapes));
  const strayRow = kind === 'text' ? tally.strayRow() : undefined;
  return Object.freeze({
    name,
    kind,
    type,
    width: 1,
    ...(strayRow !== undefined && { strayRow }),
    ...(nullTokens !== undefined && { nullTokens: Object.freeze(nullTokens) }),
    ...(tally.shapes.size === 0 && { isBlank: true }),
  });
}

const numbersIn = (shapes: ReadonlySet<CellShape>): ReadonlySet<CellShape> =>
  new Set([...shapes].filter(shape => shape !== 'text'));

function sampledKind(shapes: ReadonlySet<CellShape>): [kind: FieldKind, type: string] {
  const all = (...allowed: readonly CellShape[]): boolean => [...shapes].every(shape => allowed.includes(shape));
  if (shapes.size === 0) return ['text', 'empty in the sample'];
  if (shapes.has('nested')) return ['unsupported', 'objects or arrays'];
  // A whole number claims to be exact, so it must not be rounded silently: it may be an identifier.
  if (all('whole')) return ['exact', 'whole numbers'];
  if (all('whole', 'number')) return ['float', 'numbers'];
  if (all('boolean')) return ['boolean', 'true or false'];
  if (all('time')) return ['time', 'dates or times'];
  return ['text', 'text'];
}

const SAMPLE_BYTES = 1 << 22;

/**
 * Calls `take` for each record of the sample: the first `rows` records, fewer if they take more than 4 MB; all records
 * if `rows` is Infinity.
 */
export async function sampleRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  rows: number,
  take: (records: Records, row: number) => void,
): Promise<void> {
  if (rows === 0) return;
  let bytes = 0;
  for await (const records of readRecords(chunks, options)) {
    for (let row = 0; row < records.rows && records.firstRow + row < rows; row++) take(records, row);
    bytes += records.size;
    if ((rows < Infinity && bytes >= SAMPLE_BYTES) || records.firstRow + records.rows >= rows) return;
  }
}
