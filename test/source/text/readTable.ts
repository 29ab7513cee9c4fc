import type { Table } from '../../../src/source/table/table.ts';

/** A column of numbers, null where they are missing, decoded by fills of at most `step` rows. */
export async function readColumn(table: Table, name: string, step = Infinity): Promise<(number | null)[]> {
  const field = table.fields.findIndex(candidate => candidate.name === name);
  const values: (number | null)[] = [];
  for await (const frame of table.frames([field])) {
    for (let start = 0; start < frame.rows; start += step) {
      const count = Math.min(step, frame.rows - start);
      const out = new Float64Array(count).fill(Number.NaN);
      const missing = new Uint8Array(count);
      const nulls = await frame.fill({ field, start, count, out, missing });
      if (nulls !== missing.reduce((sum, mark) => sum + mark, 0)) throw new Error('nulls are counted wrongly');
      values.push(...Array.from(out, (value, i) => (missing[i] === 1 ? null : value)));
    }
  }
  return values;
}

/** A column of texts as indexes in `levels`, null where they are missing. */
export async function readLevels(table: Table, name: string, levels: readonly string[]): Promise<(number | null)[]> {
  const field = table.fields.findIndex(candidate => candidate.name === name);
  const values: (number | null)[] = [];
  for await (const frame of table.frames([field])) {
    const out = new Float64Array(frame.rows);
    const missing = new Uint8Array(frame.rows);
    await frame.fillLevels({ field, start: 0, count: frame.rows, out, missing, levels });
    values.push(...Array.from(out, (value, i) => (missing[i] === 1 ? null : value)));
  }
  return values;
}

export const kindsOf = (table: Table): Record<string, string> =>
  Object.fromEntries(table.fields.map(({ name, kind }) => [name, kind]));
