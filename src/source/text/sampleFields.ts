import type { Field, FieldKind } from '../table.ts';
import type { ByteSource } from './byteSource.ts';
import type { CellShape, ShapeOf } from './cellShape.ts';
import { fieldFromSample } from './fieldFromSample.ts';
import type { Malformed, Split } from './records.ts';
import { sampleRecords } from './sampleRecords.ts';

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

/** The fields of a text file: of a declared type, or of the one that the sample shows. */
export async function sampleFields(options: SampleOptions): Promise<readonly Field[]> {
  const { source, names, declared, sampleRows, skip, splitter, malformed, shapeOf } = options;
  const shapes = names.map(() => new Set<CellShape>());
  const open = [...names.keys()].filter(field => !declared.has(names[field]!));
  if (open.length > 0) {
    const reading = { table: source.name, split: splitter(open), cells: open.length, skip, malformed };
    await sampleRecords(source.look(), reading, sampleRows, ({ bytes, starts, ends, capacity }, row) => {
      open.forEach((field, slot) => {
        const cell = slot * capacity + row;
        if (starts[cell]! >= 0) shapes[field]!.add(shapeOf(bytes, starts[cell]!, ends[cell]!));
      });
    });
  }
  return Object.freeze(names.map((name, field) => fieldFromSample(name, shapes[field]!, declared.get(name))));
}
