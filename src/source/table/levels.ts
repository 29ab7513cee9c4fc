import { type FoundBy, type LevelTally, MOST_REMEMBERED } from '../../sample/levelTally.ts';
import { rankTexts } from './rankBytes.ts';
import type { DiscoverRequest, Field, Frame, LevelRequest, Table } from './table.ts';

/** The levels of a text column: either declared and fixed, or discovered and growing as rows are read. */

export type Levels = DeclaredLevels | DiscoveredLevels;

export interface DeclaredLevels {
  readonly levels: readonly string[];
}

export interface DiscoveredLevels {
  readonly levels: string[];
  /** New texts become levels while there are fewer than this. */
  readonly most: number;
  /** The longest text, in bytes, that becomes one; `LONGEST_LEVEL` unless given. */
  readonly longest?: number;
}

/** Longer texts are not names, and a thousand of them would fill the memory. */
export const LONGEST_LEVEL = 256;

/** Whether another text may become a level. */
export const grows = (list: Levels): list is DiscoveredLevels => 'most' in list && list.levels.length < list.most;

/**
 * The state of the levels when a reader last used them: its cached results are valid as long as nothing else has
 * changed them.
 */
export interface LevelsMark {
  readonly levels: readonly string[];
  readonly size: number;
  readonly most: number;
}

export const markOf = (list: Levels): LevelsMark => ({
  levels: list.levels,
  size: list.levels.length,
  most: 'most' in list ? list.most : 0,
});

export function isAsMarked(list: Levels, mark: LevelsMark): boolean {
  const { levels, size, most } = markOf(list);
  return levels === mark.levels && size === mark.size && most === mark.most;
}

export type LevelCounter = ReturnType<typeof levelCounter>;

/**
 * Counts the levels of one column, in memory that does not grow with the rows.
 *
 * `known` are undeclared levels that must be distinguished from others, however many there are. If levels are pooled,
 * the last of `declared` is the reference.
 */
export function levelCounter(column: string, declared: readonly string[], known: readonly string[], found?: FoundBy) {
  const others = known.filter(level => !declared.includes(level));
  const levels = [...declared, ...others];
  // One more than are recorded, to detect that there are more.
  const list: DiscoveredLevels = { levels, most: levels.length + MOST_REMEMBERED + 1 };
  /** Counts by rank, preceded by the count of rows outside all levels. */
  const counts = new Float64Array(1 + list.most);
  return {
    /** The levels by which a reader ranks texts: declared levels first, then others in order of appearance. */
    list,
    count(ranks: Float64Array, missing: Uint8Array): void {
      for (let i = 0; i < ranks.length; i++) if (missing[i] === 0) counts[1 + ranks[i]!]!++;
    },
    tally: (): LevelTally => {
      const ofLevels = levels.map((level, rank) => ({ level, rows: counts[1 + rank]! }));
      return {
        column,
        rows: counts.reduce((sum, count) => sum + count),
        declared: ofLevels.slice(0, declared.length),
        // Readers may add levels that a dictionary lists but no row has.
        others: ofLevels.slice(declared.length).filter(({ rows }) => rows > 0),
        unnamed: counts[0]!,
        ...(found && { found }),
      };
    },
  };
}

/**
 * The table with these columns as texts, if they hold whole numbers, or true and false. Codes that a format stores as
 * numbers then have levels like any others, "7" or "true", the same as in a text file. Columns of other types are
 * unchanged.
 */
export function leveled(table: Table, names: readonly string[]): Table {
  const made = new Set(
    table.fields.flatMap((field, place) => (names.includes(field.name) && hasTexts(field) ? [place] : [])),
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
    const textOf = fields[field]!.kind === 'boolean' ? (value: number) => String(value === 1) : String;
    const rankOf = rankTexts(request);
    const ranks = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      const value = out[i]!;
      if (missing[i] !== 0) continue;
      if (Number.isNaN(value)) {
        // A lenient reader returns NaN for a number that is not exact.
        [missing[i], out[i]] = [1, 0];
        absent++;
        continue;
      }
      const rank = ranks.get(value) ?? rankOf(textOf(value));
      ranks.set(value, rank);
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
