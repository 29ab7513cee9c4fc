import { ArgumentError } from '../../errors.ts';
import type { FoundBy, LevelTally } from '../../sample/levelTally.ts';
import { listed } from '../../words.ts';
import type { Design, DesignColumn } from '../design/design.ts';
import { tablesInPlace } from '../memory/memoryTables.ts';
import type { ArrowBatch } from '../memory/rowSource.ts';
import { privateReading } from '../read/openRows.ts';
import { type ReadOptions, surveyFor, tableSamples } from '../read/tableSamples.ts';
import type { Field } from '../table/table.ts';
import type { LiveColumns } from './liveSource.ts';

/** Which columns of a stream are read, and how. */
export interface LiveReading
  extends Pick<ReadOptions, 'features' | 'categorical' | 'weights' | 'unit' | 'intercept' | 'nulls' | 'signal'> {
  readonly target: string;
  /** The name of the stream, for messages. */
  readonly name: string;
  readonly forPrivate: boolean;
}

/** What a stream's first rows, or declarations, have settled for the whole run: plain data, kept in checkpoints. */
export interface LiveDesign {
  /** The features, named as in results. */
  readonly columns: readonly Pick<DesignColumn, 'name' | 'level' | 'field'>[];
  /** What the columns that are read hold; null where one is a vector, which no declaration has a word for. */
  readonly kinds: LiveColumns | null;
  readonly categorical: Readonly<Record<string, readonly string[]>>;
  readonly found: Readonly<Record<string, FoundBy>>;
  /** Features that are dates or times. */
  readonly times: readonly string[];
  /** Whether the pilot's targets are 0 and 1, both of them. */
  readonly isTwofold: boolean;
  /** The levels of text features that the pilot had and that were not declared. */
  readonly seen: Readonly<Record<string, readonly string[]>>;
}

/** What the pilot's rows had, for notes. */
export interface PilotAccount {
  readonly design: Design;
  readonly levels: readonly LevelTally[];
}

/** What columns the first rows make; `isEmpty` if none of them can be used. */
export async function surveyed(
  kept: readonly ArrowBatch[],
  rows: number,
  options: LiveReading,
): Promise<{ readonly design: LiveDesign; readonly pilot: PilotAccount; readonly isEmpty: boolean }> {
  const { name, target, features, categorical, weights, intercept } = options;
  const nulls = policyOf(options);
  const tables = tablesInPlace(name, kept);
  const asked = { target, features, categorical, weights, intercept, nulls, rows };
  const { options: found } = await surveyFor(tables, asked as ReadOptions, nulls);
  const samples = await tableSamples(tables, {
    ...asked,
    ...found,
    rows,
    isFixed: true,
    knownLevels: {},
  } as ReadOptions);
  const values = new Set<number>();
  for await (const { rows: count, target: targets, weights: given } of samples.batches())
    for (let i = 0; i < count && values.size <= 2; i++) if (given?.[i] !== 0) values.add(targets[i]!);
  const { design } = samples;
  const levels = samples.levels();
  return {
    isEmpty: values.size === 0,
    pilot: { design, levels },
    design: {
      columns: design.features.map(({ name, level, field }) => ({
        name,
        field,
        ...(level !== undefined && { level }),
      })),
      kinds: null,
      categorical: design.categorical,
      found: Object.fromEntries(
        Object.entries(found.found ?? {}).filter(([column]) => levels.some(tally => tally.column === column)),
      ),
      times: design.times ?? [],
      isTwofold: values.size === 2 && values.has(0) && values.has(1),
      seen: Object.fromEntries(levels.map(({ column, others }) => [column, others.map(({ level }) => level)])),
    },
  };
}

/** The columns of a private run, none of which was looked at. */
export const declared = ({ features = [], categorical = {} }: LiveReading): LiveDesign => ({
  columns: features.map((name, field) => ({ name, field })),
  kinds: null,
  categorical,
  found: {},
  times: [],
  isTwofold: false,
  seen: {},
});

/** A row that cannot be used never ends a stream, unless it was asked for. */
const policyOf = ({ nulls }: LiveReading): NonNullable<ReadOptions['nulls']> => (nulls === 'error' ? nulls : 'skip');

/** How the columns of a design are read. */
export function reading(options: LiveReading, { columns, categorical, found }: LiveDesign): ReadOptions {
  const { target, weights, unit, forPrivate, signal } = options;
  const columnOf = (name: string): string =>
    Object.keys(categorical).find(
      column => column !== target && categorical[column]!.some(level => name === `${column}=${level}`),
    ) ?? name;
  const common = {
    target,
    features: [...new Set(columns.map(({ name }) => columnOf(name))), ...(unit === undefined ? [] : [unit])],
    namedByResult: true,
    categorical,
    nulls: policyOf(options),
    ...(weights !== undefined && { weights }),
    ...(unit !== undefined && { unit }),
    ...(signal && { signal }),
  };
  return forPrivate ? privateReading({ ...common, forPrivate }) : { ...common, found };
}

/** The names of a run's features. */
export const namesOf = ({ columns }: Pick<LiveDesign, 'columns'>): readonly string[] => columns.map(({ name }) => name);

/** Columns that are read must be those that the run began with. */
export function requireDesign(features: readonly string[], known: readonly string[], name: string): void {
  if (features.length === known.length && features.every((feature, j) => feature === known[j])) return;
  throw new ArgumentError(
    `${name} gives the features ${listed(features)}, but the run has ${listed(known)}; begin another run for others`,
    'ERR_CHANGED',
    { features },
  );
}

/** What the columns that are read hold, so that a later part of the run is not at the mercy of its first row. */
export function kindsOf(
  fields: readonly Field[],
  { features = [] }: ReadOptions,
  options: LiveReading,
): LiveColumns | null {
  const { target, weights } = options;
  const names = [...new Set([...features, target, ...(weights === undefined ? [] : [weights])])];
  const kinds = names.map(name => {
    const kind = fields.find(field => field.name === name)?.kind;
    const told = kind === 'boolean' || kind === 'text' || kind === 'time' ? kind : ('number' as const);
    return [name, kind === undefined || kind === 'vector' ? null : told] as const;
  });
  return kinds.some(([, kind]) => kind === null) ? null : (Object.fromEntries(kinds) as LiveColumns);
}
