import { dataError } from '../../src/source/dataError.ts';
import type { DiscoverRequest, Field, FieldKind, FillRequest, Frame, Table } from '../../src/source/table.ts';

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
  { sizes = [Infinity], discovers = true }: { sizes?: readonly number[]; discovers?: boolean } = {},
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
    const discover = (request: DiscoverRequest): number =>
      each(request, value => {
        const { levels, most } = request;
        if (!levels.includes(value as string) && levels.length < most) levels.push(value as string);
        return levels.indexOf(value as string);
      });
    return {
      rows: count,
      fill: request => each(request, number),
      fillLevels: request => each(request, value => request.levels.indexOf(value as string)),
      ...(discovers ? { discoverLevels: discover } : {}),
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
