/** A small table as the bytes of an Arrow file, in one call. Loads apache-arrow only when called. */
export async function columnsToIPC(
  columns: Readonly<Record<string, readonly string[] | readonly number[]>>,
): Promise<Uint8Array> {
  const { Float64, Table, tableToIPC, Utf8, vectorFromArray } = await import('apache-arrow');
  const vectors = Object.entries(columns).map(([name, values]) => [
    name,
    typeof values[0] === 'string'
      ? vectorFromArray(values, new Utf8())
      : vectorFromArray(values as readonly number[], new Float64()),
  ]);
  return tableToIPC(new Table(Object.fromEntries(vectors)), 'file');
}
