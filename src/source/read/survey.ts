import type { LevelRows } from '../../sample/levelTally.ts';
import type { DesignOptions } from '../design/design.ts';
import { isNumber } from '../design/featureColumns.ts';
import { declaredLevels, type FoundLevels, foundLevels, type LeftOut, MOST_TEXTS } from '../design/foundLevels.ts';
import type { Field, Frame, Table } from '../table/table.ts';
import type { NullPolicy } from './rowPolicy.ts';

/** What a pass over the rows says about columns before any row is encoded. */
export interface Survey {
  /** The number of rows read; null if there was nothing to find out. */
  readonly rows: number | null;
  /** Of text features. */
  readonly found: ReadonlyMap<string, FoundLevels>;
  /** The two texts of a text target, in order; undefined if it is none, or has others. */
  readonly classes: readonly string[] | undefined;
  readonly leftOut: ReadonlyMap<string, LeftOut>;
}

export type SurveyOptions = Pick<DesignOptions, 'target' | 'weights' | 'features' | 'categorical'> & {
  readonly nulls: NullPolicy;
  readonly signal?: AbortSignal;
  /** As many rows are read at most. */
  readonly most: number;
};

/**
 * Reads all rows once, but of every column only what is in question: the texts of one that has no declared levels,
 * whether an index counts the rows, and the number of nulls in others, which metadata or a glance at the cells tell.
 */
export async function survey(tables: readonly Table[], options: SurveyOptions): Promise<Survey> {
  const { target, nulls, most, signal } = options;
  const columns = columnsInQuestion(tables[0]!, options);
  if (columns.length === 0) return { rows: null, found: new Map(), classes: undefined, leftOut: new Map() };
  let rows = 0;
  for (const table of tables) {
    const fields = new Map(table.fields.map((field, index) => [field.name, index]));
    const present = columns.flatMap(column => {
      const index = fields.get(column.name);
      if (index === undefined || !column.begin(table, table.fields[index]!)) return [];
      return [{ column, index }];
    });
    for await (const frame of table.frames(present.map(({ index }) => index))) {
      for (let start = 0; start < frame.rows && rows < most; start += SLICE) {
        signal?.throwIfAborted();
        const count = Math.min(SLICE, frame.rows - start, most - rows);
        for (const { column, index } of present) await column.read(frame, index, start, count);
        rows += count;
      }
      if (rows >= most) break;
    }
  }
  const found = new Map<string, FoundLevels>();
  const leftOut = new Map<string, LeftOut>();
  let classes: readonly string[] | undefined;
  for (const { name, result } of columns) {
    const said = result(rows, nulls);
    if (name === target) classes = said.classes;
    else if (said.found === undefined) continue;
    else if ('is' in said.found) leftOut.set(name, said.found);
    else found.set(name, said.found);
  }
  return { rows, found, classes, leftOut };
}

const SLICE = 2 ** 16;

interface ColumnSurvey {
  readonly name: string;
  /** Whether there is anything to read in the next table. */
  begin(table: Table, field: Field): boolean;
  read(frame: Frame, field: number, start: number, count: number): Promise<void>;
  result(
    rows: number,
    nulls: NullPolicy,
  ): { readonly found: FoundLevels | LeftOut | undefined; readonly classes?: readonly string[] };
}

/** A column is left out only if nobody named it. */
function columnsInQuestion(
  { fields }: Table,
  { target, weights, features, categorical, nulls }: SurveyOptions,
): readonly ColumnSurvey[] {
  const memory = { out: new Float64Array(SLICE), missing: new Uint8Array(SLICE) };
  return fields.flatMap(field => {
    const { name, kind, isBlank } = field;
    if (name === weights || declaredLevels({ categorical: categorical ?? {} }, name) !== undefined) return [];
    const isUnnamed = features === undefined && name !== target;
    if (!isUnnamed && name !== target && !features?.includes(name)) return [];
    if (kind === 'text' && !(isBlank && !isUnnamed)) return [textSurvey(name, isUnnamed, memory)];
    if (!isUnnamed || !isNumber(field)) return [];
    if (UNNAMED.test(name)) return [indexSurvey(name, memory, allDiffer)];
    if (COUNTING.test(name)) return [indexSurvey(name, memory, inTurn)];
    return nulls === 'error' ? [] : [nullSurvey(name, memory)];
  });
}

/** An index without a name, which is written first, and what pandas calls it when it has read it again, and again. */
const UNNAMED = /^(Unnamed: 0(\.\d+)*)?$/;

/** Names that a data frame gives to its row index when that becomes a column; others may have a column of that name. */
const COUNTING = /^(index|level_0|Unnamed: \d+(\.\d+)*)$/i;

interface Memory {
  readonly out: Float64Array;
  readonly missing: Uint8Array;
}

/** Rows without a value are skipped, so that a column without one in most rows would cost most of them. */
const scarce = (nulls: number, rows: number): LeftOut | undefined =>
  2 * nulls > rows ? { is: 'scarce', nulls, rows } : undefined;

function textSurvey(name: string, isUnnamed: boolean, { out, missing }: Memory): ColumnSurvey {
  const list = { levels: [] as string[], most: MOST_TEXTS + 1 };
  const counts = new Float64Array(list.most);
  let [nulls, long] = [0, 0];
  let differing: LeftOut | undefined;
  /** Whether there are texts that could not be counted for their number. */
  const areMany = (): boolean => long > 0 && list.levels.length === list.most;
  return {
    name,
    begin(table, { kind }) {
      if (kind !== 'text') differing ??= { is: 'differing', table: table.name };
      return differing === undefined;
    },
    async read(frame, field, start, count) {
      if (areMany()) return;
      missing.fill(0, 0, count);
      nulls += await frame.discoverLevels({ field, start, count, out, missing, ...list });
      for (let i = 0; i < count; i++) {
        if (missing[i] !== 0) continue;
        if (out[i]! < 0) long++;
        else counts[out[i]!]!++;
      }
    },
    result(rows, policy) {
      const texts = list.levels.map((level, rank) => ({ level, rows: counts[rank]! })).filter(level => level.rows > 0);
      const levels = foundLevels({ levels: areMany() ? null : texts, long });
      const unusual = isUnnamed && policy !== 'error' ? scarce(nulls, rows) : undefined;
      return {
        found: differing ?? unusual ?? levels,
        ...(isTwofold(texts, long) && { classes: texts.map(({ level }) => level).sort() }),
      };
    },
  };
}

/** Two texts that occur once each may be anything, such as numbers with a decimal comma. */
const isTwofold = (texts: readonly LevelRows[], long: number): boolean =>
  texts.length === 2 && long === 0 && texts.every(({ rows }) => rows > 1);

function nullSurvey(name: string, { out, missing }: Memory): ColumnSurvey {
  let nulls = 0;
  return {
    name,
    begin: (_, field) => isNumber(field),
    async read(frame, field, start, count) {
      missing.fill(0, 0, count);
      nulls += await frame.fill({ field, start, count, out, missing, lenient: true, nullsOnly: true });
    },
    result: rows => ({ found: scarce(nulls, rows) }),
  };
}

/** Whether the values so far number rows, and so does the next; `isFirst` of a table. */
type Numbering = () => (value: number, isFirst: boolean) => boolean;

/** From 0 or 1 on, anew in every table or throughout. */
const inTurn: Numbering = () => {
  let next: number | undefined;
  return (value, isFirst) => {
    const counts = value === next || (isFirst && (value === 0 || value === 1));
    next = value + 1;
    return counts;
  };
};

/** Whole numbers from 0 on, of which no two in a table are the same: rows may have been dropped or shuffled before. */
const allDiffer: Numbering = () => {
  let seen = new Uint8Array(2 ** 10);
  return (value, isFirst) => {
    if (isFirst) seen.fill(0);
    if (!Number.isInteger(value) || value < 0 || value >= LARGEST_PLACE) return false;
    const [byte, bit] = [Math.floor(value / 8), 1 << (value % 8)];
    if (byte >= seen.length) {
      const grown = new Uint8Array(2 ** Math.ceil(Math.log2(byte + 1)));
      grown.set(seen);
      seen = grown;
    }
    const isNew = (seen[byte]! & bit) === 0;
    seen[byte]! |= bit;
    return isNew;
  };
};

/** A row of so large a number has no place in 128 MB of bits. */
const LARGEST_PLACE = 2 ** 30;

function indexSurvey(name: string, { out, missing }: Memory, numbering: Numbering): ColumnSurvey {
  const isNext = numbering();
  let counts = true;
  let isFirst = true;
  return {
    name,
    begin(_, field) {
      isFirst = true;
      counts &&= isNumber(field);
      return counts;
    },
    async read(frame, field, start, count) {
      if (!counts) return;
      missing.fill(0, 0, count);
      counts = (await frame.fill({ field, start, count, out, missing, lenient: true })) === 0;
      for (let i = 0; i < count && counts; i++) {
        counts = isNext(out[i]!, isFirst);
        isFirst = false;
      }
    },
    result: () => ({ found: counts ? { is: 'index' } : undefined }),
  };
}
