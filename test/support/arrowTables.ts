/** Whole tables as plain values, and the fixtures that pyarrow wrote with the values that it reads there. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openArrowFile } from '../../src/source/arrow/openArrowFile.ts';
import { openArrowStream } from '../../src/source/arrow/openArrowStream.ts';
import type { Field, Frame, Table } from '../../src/source/table/table.ts';

export type Value = number | string | null | readonly (number | null)[];

export interface Contents {
  /** Of each frame. */
  readonly rows: readonly number[];
  /** By name; null for a type that is not supported. */
  readonly columns: Readonly<Record<string, readonly Value[] | null>>;
}

export interface ReadingOptions {
  /** The texts that may occur; others are read as '?'. */
  readonly levels?: readonly string[];
  /** Rows of one fill. */
  readonly piece?: number;
  /** The most rows read of a frame, for tables that may claim any number. */
  readonly most?: number;
}

/** Reads everything and closes the table. */
export async function contentsOf(table: Table, options: ReadingOptions = {}): Promise<Contents> {
  const rows: number[] = [];
  const columns = table.fields.map((): Value[] => []);
  const supported = [...table.fields.keys()].filter(k => table.fields[k]!.kind !== 'unsupported');
  try {
    for await (const frame of table.frames(supported)) {
      rows.push(frame.rows);
      await Promise.all(
        supported.map(async k => {
          columns[k]!.push(...(await valuesOf(frame, k, table.fields[k]!, options)));
        }),
      );
    }
  } finally {
    await table.close();
  }
  return {
    rows,
    columns: Object.fromEntries(
      table.fields.map(({ name, kind }, k) => [name, kind === 'unsupported' ? null : columns[k]!]),
    ),
  };
}

export async function valuesOf(
  frame: Frame,
  field: number,
  { kind, width }: Field,
  { levels = [], piece = Infinity, most = Infinity }: ReadingOptions = {},
): Promise<Value[]> {
  const rows = Math.min(frame.rows, most);
  const elements = await Promise.all(
    Array.from({ length: width }, async (_, element) => {
      const values: Value[] = [];
      for (let start = 0; start < rows; start += piece) {
        const count = Math.min(piece, rows - start);
        const [out, missing] = [new Float64Array(count), new Uint8Array(count)];
        const request = { field, element, start, count, out, missing };
        const absent = await (kind === 'text' ? frame.fillLevels({ ...request, levels }) : frame.fill(request));
        if (absent !== missing.reduce((sum, mark) => sum + mark, 0)) throw new Error('miscounted nulls');
        out.forEach((value, i) => {
          if (missing[i] === 1 && !Object.is(value, 0)) throw new Error('a null that is not 0');
          values.push(missing[i] === 1 ? null : kind === 'text' ? (levels[value] ?? '?') : value);
        });
      }
      return values;
    }),
  );
  if (kind !== 'vector') return elements[0]!;
  return elements[0]!.map((_, i) => elements.map(values => values[i] as number | null));
}

export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../source/arrow/fixtures/${name}`, import.meta.url));

/** What pyarrow reads in a fixture; a list that is null as a list of nulls. */
export function recorded(name: string): Contents & { readonly levels: readonly string[] } {
  const { rows, columns } = JSON.parse(readFileSync(fixture(`${name}.expected`), 'utf8'));
  const levels = new Set<string>();
  const value = (entry: unknown, width: number): Value => {
    if (entry === null && width > 0) return Array(width).fill(null);
    if (Array.isArray(entry)) return entry.map(item => value(item, 0) as number | null);
    if (typeof entry === 'string' && /^(NaN|-?Infinity)$/.test(entry)) return Number(entry);
    if (typeof entry === 'string') levels.add(entry);
    return entry as Value;
  };
  const read = Object.entries(columns as Record<string, unknown[] | null>).map(([column, entries]) => {
    const width = entries?.find(Array.isArray)?.length ?? 0;
    return [column, entries?.map(entry => value(entry, width)) ?? null];
  });
  return { rows, columns: Object.fromEntries(read), levels: [...levels] };
}

export const openFixture = (name: string): Promise<Table> =>
  name.endsWith('.arrows') ? openArrowStream(fixture(name)) : openArrowFile(fixture(name));
