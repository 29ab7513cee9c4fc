import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';

/** A small table, all at once, as the bytes of an Arrow file. */
export function arrowTable(
  columns: Readonly<Record<string, readonly string[] | readonly number[]>>,
): Uint8Array {
  const vectors = Object.entries(columns).map(([name, values]) => [
    name,
    typeof values[0] === 'string'
      ? vectorFromArray(values, new Utf8())
      : vectorFromArray(values as readonly number[], new Float64()),
  ]);
  return tableToIPC(new Table(Object.fromEntries(vectors)), 'file');
}
