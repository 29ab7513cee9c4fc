import type { Field, FieldKind } from '../table/table.ts';
import type { ByteSource } from './byteSource.ts';
import type { ShapeOf } from './cellShape.ts';
import { fieldFromSample } from './fieldFromSample.ts';
import type { Malformed, Split } from './records.ts';
import { sampleRecords } from './sampleRecords.ts';
import { shapeTally } from './shapeTally.ts';

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
