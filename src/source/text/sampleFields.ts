import type { Field, FieldKind } from '../table/table.ts';
import type { ByteSource } from './byteSource.ts';
import { type CellShape, type ShapeOf, type ShapeTally, shapeTally } from './cellShape.ts';
import { type ReadOptions, readRecords } from './readRecords.ts';
import type { Malformed, Records, Split } from './records.ts';

export interface SampleOptions {
  readonly source: ByteSource;
  readonly names: readonly string[];
  readonly declared: ReadonlyMap<string, FieldKind>;
  readonly sampleRows: number;
  readonly skip: number;
  readonly splitter: (wanted: readonly number[]) => Split;
  readonly malformed: Malformed;
  readonly shapeOf: ShapeOf;
}

/** The fields of a text file: with the declared type, or else the type seen in the sample. */
export async function sampleFields(options: SampleOptions): Promise<readonly Field[]> {
  const { source, names, declared, sampleRows, skip, splitter, malformed, shapeOf } = options;
  const tallies = names.map(shapeTally);
  const open = [...names.keys()].filter(field => !declared.has(names[field]!));
  if (open.length > 0) {
    const reading = { table: source.name, split: splitter(open), cells: open.length, skip, malformed };
    await sampleRecords(
      source.look(),
      reading,
      sampleRows,
      ({ bytes, starts, ends, capacity, firstRow }, row) => {
        open.forEach((field, slot) => {
          const cell = slot * capacity + row;
          if (starts[cell]! >= 0)
            tallies[field]!.add(shapeOf(bytes, starts[cell]!, ends[cell]!), firstRow + row);
        });
      },
    );
  }
  return Object.freeze(
    names.map((name, field) => fieldFromSample(name, tallies[field]!, declared.get(name))),
  );
}

/** A field of a text file: as declared, or else by the shapes of its cells in the sample. */
function fieldFromSample(name: string, tally: ShapeTally, declared?: FieldKind): Field {
  if (declared !== undefined)
    return Object.freeze({ name, kind: declared, type: `declared ${declared}`, width: 1 });
  const [kind, type] = sampledKind(tally.shapes);
  const strayRow = kind === 'text' ? tally.strayRow() : undefined;
  return Object.freeze({
    name,
    kind,
    type,
    width: 1,
    ...(strayRow !== undefined && { strayRow }),
    ...(tally.shapes.size === 0 && { isBlank: true }),
  });
}

function sampledKind(shapes: ReadonlySet<CellShape>): [kind: FieldKind, type: string] {
  const all = (...allowed: readonly CellShape[]): boolean =>
    [...shapes].every(shape => allowed.includes(shape));
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

/** Calls `take` for each record of the sample: the first `rows` records, fewer if they take more than 4 MB. */
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
    if (bytes >= SAMPLE_BYTES || records.firstRow + records.rows >= rows) return;
  }
}
