import { dataError } from '../../src/errors.ts';
import { rankTexts } from '../../src/source/table/rankBytes.ts';
import type {
  DiscoverRequest,
  Field,
  FieldKind,
  FillRequest,
  Frame,
  LevelRequest,
  Table,
} from '../../src/source/table/table.ts';

export interface ArrayColumn {
  readonly name: string;
  readonly kind: FieldKind;
  /** Null where there is no value; an array of numbers for a vector; 'refused' for what the reader refuses. */
  readonly values: readonly (number | string | readonly number[] | null)[];
}

export interface ArrayTable extends Table {
  /** The fields of every pass so far. */
  readonly passes: readonly (readonly number[])[];
}

/** A table over arrays in memory, in frames of the given sizes (over and over). */
export function arrayTable(
  columns: readonly ArrayColumn[],
  { sizes = [Infinity] }: { sizes?: readonly number[] } = {},
): ArrayTable {
  const rows = columns[0]?.values.length ?? 0;
  const fields = columns.map(({ name, kind, values }): Field => {
    const sample = values.find(value => value !== null);
    return { name, kind, type: kind, width: Array.isArray(sample) ? sample.length : 1 };
  });
  const passes: number[][] = [];

  const frameOf = (first: number, count: number): Frame => {
    const each = (request: FillRequest, decode: (value: string | number) => number): number => {
      const { field, element = 0, start, out, missing } = request;
      let nulls = 0;
      for (let i = 0; i < request.count; i++) {
        const value = columns[field]!.values[first + start + i]!;
        out[i] = value === null ? 0 : decode(Array.isArray(value) ? value[element] : value);
        missing[i] = value === null ? 1 : 0;
        nulls += missing[i]!;
      }
      return nulls;
    };
    const number = (value: string | number): number => {
      if (value === 'refused') throw dataError({ table: 'arrays' }, 'is not a number');
      return value as number;
    };
    const fillLevels = (request: LevelRequest | DiscoverRequest): number =>
      each(request, rankTexts(request) as (value: string | number) => number);
    return {
      rows: count,
      fill: request => each(request, number),
      fillLevels,
      discoverLevels: fillLevels,
    };
  };

  return {
    name: 'arrays',
    format: 'csv',
    fields,
    rows: null,
    passes,
    async *frames(wanted) {
      passes.push([...wanted]);
      for (let start = 0, k = 0; start < rows; k++) {
        const count = Math.min(sizes[k % sizes.length]!, rows - start);
        yield frameOf(start, count);
        start += count;
      }
    },
    close: async () => {},
  };
}
