import { rankTexts } from './rankBytes.ts';
import type { DiscoverRequest, Field, Frame, LevelRequest, Table } from './table.ts';

/**
 * The table with these columns as texts, if they hold whole numbers, or true and false. Codes that a format stores as
 * numbers then have levels like any others, "7" or "true", the same as in a text file. Columns of other types are
 * unchanged, but with `ofDoubles` those of doubles are texts too, where these are whole and exact, and otherwise nulls.
 */
export function leveled(table: Table, names: readonly string[], { ofDoubles = false } = {}): Table {
  const isMade = (field: Field): boolean => hasTexts(field) || (ofDoubles && field.kind === 'float');
  const made = new Set(
    table.fields.flatMap((field, place) => (names.includes(field.name) && isMade(field) ? [place] : [])),
  );
  if (made.size === 0) return table;
  const { fields } = table;
  return Object.freeze({
    ...table,
    fields: Object.freeze(
      fields.map((field, place) => (made.has(place) ? Object.freeze({ ...field, kind: 'text' as const }) : field)),
    ),
    async *frames(wanted: readonly number[]) {
      for await (const frame of table.frames(wanted)) yield frameOf(frame, fields, made);
    },
  });
}

/** Decimals are excluded: their number of trailing zeros is not part of the value. */
export const hasTexts = ({ kind, type }: Pick<Field, 'kind' | 'type'>): boolean =>
  kind === 'integer' || kind === 'boolean' || (kind === 'exact' && !/decimal/i.test(type));

function frameOf(frame: Frame, fields: readonly Field[], made: ReadonlySet<number>): Frame {
  const ranked = async (request: LevelRequest | DiscoverRequest): Promise<number> => {
    const { field, count, out, missing } = request;
    let absent = await frame.fill(request);
    const { kind } = fields[field]!;
    const isLong = kind === 'exact' && out.subarray(0, count).some(value => Math.abs(value) > Number.MAX_SAFE_INTEGER);
    const rest = isLong ? new Float64Array(count) : undefined;
    if (rest) await frame.fill({ ...request, out: rest, missing: missing.slice(), rest: true });
    const textOf = (i: number): string => {
      if (kind === 'boolean') return String(out[i] === 1);
      return rest ? String(BigInt(out[i]!) + BigInt(rest[i]!)) : String(out[i]);
    };
    const rankOf = rankTexts(request);
    const ranks = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      if (missing[i] !== 0) continue;
      // A double that is no whole number names nobody.
      if (kind === 'float' && !Number.isSafeInteger(out[i])) {
        [missing[i], out[i]] = [1, 0];
        absent++;
        continue;
      }
      // Whole numbers beyond 2^53 may share a double.
      const key = rest?.[i] ? undefined : out[i]!;
      const rank = (key !== undefined ? ranks.get(key) : undefined) ?? rankOf(textOf(i));
      if (key !== undefined) ranks.set(key, rank);
      out[i] = rank;
    }
    return absent;
  };
  return {
    rows: frame.rows,
    fill: request => frame.fill(request),
    fillLevels: request => (made.has(request.field) ? ranked(request) : frame.fillLevels(request)),
    discoverLevels: request => (made.has(request.field) ? ranked(request) : frame.discoverLevels(request)),
  };
}
