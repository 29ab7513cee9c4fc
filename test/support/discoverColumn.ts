import type { Table } from '../../src/source/table/table.ts';

export interface DiscoveredColumn {
  /** Null where a value is missing, undefined where it is none of the levels. */
  readonly texts: (string | null | undefined)[];
  readonly levels: readonly string[];
}

/** A text column through the levels that its reader discovers, `size` rows at a time. */
export async function discoverColumn(
  table: Table,
  name: string,
  { size = Infinity, most = 1000 } = {},
): Promise<DiscoveredColumn> {
  const field = table.fields.findIndex(candidate => candidate.name === name);
  const levels: string[] = [];
  const texts: (string | null | undefined)[] = [];
  for await (const frame of table.frames([field])) {
    for (let start = 0; start < frame.rows; start += size) {
      const count = Math.min(size, frame.rows - start);
      const out = new Float64Array(count).fill(Number.NaN);
      const missing = new Uint8Array(count);
      const absent = await frame.discoverLevels({ field, start, count, out, missing, levels, most });
      if (absent !== missing.reduce((sum, mark) => sum + mark, 0)) throw new Error(`${absent} are missing`);
      texts.push(...Array.from(out, (rank, i) => (missing[i] === 1 ? null : levels[rank])));
    }
  }
  return { texts, levels };
}
