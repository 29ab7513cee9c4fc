import { setTimeout as after } from 'node:timers/promises';
import { ArgumentError } from '../../errors.ts';
import type { LiveNews } from '../../sink/live/liveState.ts';
import type { LiveDesign } from '../../source/live/liveDesign.ts';
import { type LiveRows, type LiveRowsOptions, liveRows } from '../../source/live/liveRows.ts';
import type { DeadLetter, Json, LiveColumns, LiveSource, OpenStream } from '../../source/live/liveSource.ts';
import { given } from '../call.ts';
import { declaredFeatures } from '../private/privateRequest.ts';
import { type CheckpointFolder, openCheckpoint, type WriteFile } from './checkpoint.ts';
import type { OnlineOptions } from './estimateOnline.ts';
import type { OnlineEstimate } from './onlineEstimate.ts';
import type { Course } from './onlineModel.ts';
import { factsOf } from './onlineRequest.ts';

/** What a checkpoint holds, whatever the kind of the run. Plain data. */
export interface Checkpointed {
  /** That of the stream, by which it is known again. */
  readonly identity: Json;
  readonly design: LiveDesign;
  readonly course: Course;
}

/** What tests put in place of the disk. */
export interface Seams {
  readonly write?: WriteFile;
  /** Milliseconds until what could not be written is tried again. */
  readonly retry?: number;
}

/** One run of a stream: its rows, how far it has come, and where its estimates go. */
export interface OnlineSession<Content extends Checkpointed> {
  readonly options: OnlineOptions;
  readonly signal: AbortSignal;
  readonly name: string;
  readonly write: WriteFile | undefined;
  /** Null where there is no folder. */
  readonly folder: CheckpointFolder<Content> | null;
  course(): Course;
  /** Goes on from what the folder had last. */
  resume(course: Course): void;
  /** Keeps what the first rows said. */
  remember(about: Course['about']): void;
  open(
    reading: Pick<LiveRowsOptions, 'design' | 'pilotRows' | 'targets'>,
    from: {
      /** What the stream was when its position was stored. */
      readonly identity?: Json | undefined;
      /** Of a private run. */
      readonly positionKey?: Uint8Array;
      /** Done once the stream has been found to be the right one, before a row of it is waited for. */
      readonly opened?: () => Promise<void>;
    },
  ): Promise<LiveRows>;
  identity(): Json;
  /** What the columns hold, once that is settled. */
  kinds(): LiveColumns | null;
  /** Says how many rows the next chunk needs. */
  expect(rows: number): void;
  /** So many more rows have been used: their chunk is about to be stored. */
  advance(rows: number): Course;
  /** Tries until it is done, and says meanwhile what is wrong. */
  persist(name: string, work: () => void | Promise<void>): Promise<void>;
  /** Gives an estimate to all outputs, and waits for them. */
  publish(estimate: OnlineEstimate): Promise<void>;
  lag(): number | null;
  tell(news: LiveNews): void;
  close(): Promise<void>;
}

/** A run that has not begun. */
const BEGINNING: Course = { position: null, read: 0, unusable: 0, newLevels: {}, deadLetters: 0, about: {} };

/** The last records that the share of unreadable ones is taken of. */
const RECORDS = 1000;
/** Rows that may arrive together: their good ones are not known of when the bad ones are told. */
const MOST_TOGETHER = 2 ** 12;
/** A full disk is seldom emptied sooner. */
const RETRY = 5000;
/** New levels that are told by name. */
const MOST_NAMED = 20;

/** Opens the folder of a run and what else it needs before its rows. */
export function onlineSession<Content extends Checkpointed>(
  source: LiveSource,
  options: OnlineOptions,
  {
    signal,
    stop,
    emit,
    seams,
  }: {
    readonly signal: AbortSignal;
    readonly stop: AbortController;
    readonly emit: (estimate: OnlineEstimate) => void;
    readonly seams: Seams;
  },
): OnlineSession<Content> {
  const { checkpoint, outputs = [], onStatus, untilRows } = options;
  const forPrivate = options.epsilon !== undefined;
  const folder = checkpoint === undefined ? null : openCheckpoint<Content>(checkpoint, factsOf(options), seams.write);
  let course = BEGINNING;
  let stream: OpenStream | undefined;
  let rows: LiveRows | undefined;
  let [before, used, needed, arrived, letters] = [0, 0, 0, 0, 0];
  let phase: 'waiting' | 'running' = 'waiting';
  const lag = (): number | null => stream?.lag() ?? null;
  const tell = (news: LiveNews): void => onStatus?.(news);
  const status = (): void =>
    onStatus?.({
      phase,
      read: before + arrived,
      progress: needed > 0 ? { rows: Math.min(needed, Math.max(0, arrived - used)), of: needed } : null,
      lag: lag(),
      deadLetters: forPrivate ? null : letters,
    });
  const records = badRecords(options);

  return {
    options,
    signal,
    name: source.name,
    write: seams.write,
    folder,
    course: () => course,
    resume: known => {
      course = known;
      before = known.read;
      letters = known.deadLetters;
    },
    remember: about => {
      course = { ...course, about };
    },
    open: async (reading, { identity, positionKey, opened }) => {
      stream = await source.open({
        from: course.position,
        forPrivate,
        signal,
        ...(identity !== undefined && { identity }),
        ...(positionKey !== undefined && { positionKey }),
        ...columnsFor(options, reading.design, forPrivate),
        ...(!forPrivate && {
          onDeadLetter: async (letter: DeadLetter) => {
            letters++;
            try {
              await options.deadLetters?.(letter);
              records.letter(letter);
            } catch (error) {
              stop.abort(error);
              throw error;
            }
            status();
          },
        }),
        onProblem: problem => tell({ problems: { [source.name]: problem } }),
      });
      await opened?.();
      rows = await liveRows(stream, {
        name: source.name,
        forPrivate,
        signal,
        from: course.position,
        intercept: options.intercept ?? true,
        ...given(options, ['target', 'features', 'categorical', 'weights', 'unit', 'nulls', 'every']),
        target: options.target,
        ...(forPrivate && { features: declaredFeatures({ ...options, bounds: options.bounds ?? {} }) }),
        ...(untilRows !== undefined && { most: Math.max(0, untilRows - before) }),
        ...reading,
        onRows: (count, wanted) => {
          if (!forPrivate) records.rows(count - arrived);
          arrived = count;
          needed = wanted ?? needed;
          status();
        },
      });
      return rows;
    },
    identity: () => stream!.identity,
    kinds: () => rows?.design.kinds ?? null,
    expect: count => {
      needed = count;
      status();
    },
    advance: count => {
      used += count;
      const { position, unusable, newLevels } = rows!.use(used);
      const levels = { ...course.newLevels };
      for (const { column, level } of newLevels) {
        const known = levels[column] ?? { rows: 0, levels: [] };
        const isNamed = level === null || known.levels.includes(level) || known.levels.length >= MOST_NAMED;
        levels[column] = { rows: known.rows + 1, levels: isNamed ? known.levels : [...known.levels, level] };
      }
      course = {
        ...course,
        position,
        read: before + used,
        unusable: forPrivate ? 0 : course.unusable + unusable,
        newLevels: levels,
        deadLetters: letters,
      };
      return course;
    },
    persist: async (name, work) => {
      for (let failed = false; ; failed = true) {
        try {
          await work();
          if (failed) tell({ problems: { [name]: null } });
          return;
        } catch (error) {
          signal.throwIfAborted();
          tell({ problems: { [name]: (error as Error).message } });
        }
        await after(seams.retry ?? RETRY, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    },
    publish: async estimate => {
      phase = 'running';
      for (const output of outputs) {
        signal.throwIfAborted();
        await output.publish(estimate);
      }
      signal.throwIfAborted();
      emit(estimate);
      signal.throwIfAborted();
      status();
    },
    lag,
    tell,
    close: async () => {
      try {
        await (rows ?? stream)?.close();
        for (const output of outputs) await output.close?.();
      } finally {
        folder?.close();
      }
    },
  };
}

/** Columns as they are declared, or as the run began with them. */
function columnsFor(
  options: OnlineOptions,
  design: LiveDesign | undefined,
  forPrivate: boolean,
): { readonly columns?: LiveColumns; readonly types?: LiveColumns } {
  const { target, unit, types = {}, categorical = {} } = options;
  if (!forPrivate) {
    const columns = design?.kinds;
    return { ...(columns && { columns }), ...(options.types && { types }) };
  }
  const of = (name: string) =>
    [name, Object.hasOwn(types, name) ? types[name]! : Object.hasOwn(categorical, name) ? 'text' : 'number'] as const;
  const features = declaredFeatures({ ...options, bounds: options.bounds ?? {} });
  return {
    columns: Object.fromEntries([
      ...[...features, target].map(of),
      ...(unit === undefined ? [] : [[unit, Object.hasOwn(types, unit) ? types[unit]! : ('text' as const)] as const]),
    ]),
  };
}

/**
 * Ends a run of whose latest records too many cannot be read: its source is another than was meant. Rows that arrive
 * together are judged together, because their bad ones are told of first.
 */
function badRecords({ mostBad = 0.05 }: OnlineOptions) {
  const groups: { readonly bad: number; readonly all: number }[] = [];
  /** Of the groups. */
  let [bads, records] = [0, 0];
  let bad = 0;
  let reason = '';
  const judge = (found: number, all: number): void => {
    if (found <= mostBad * Math.max(RECORDS, all)) return;
    throw new ArgumentError(
      `${found} of the last ${Math.max(RECORDS, all)} records could not be read, the last one because it ${reason}; see the dead letters for all of them, and give a larger \`mostBad\` to go on all the same`,
      'ERR_ROW',
      { bad: found, of: all },
    );
  };
  return {
    letter: (letter: DeadLetter): void => {
      bad++;
      ({ reason } = letter);
      if (bad >= RECORDS) judge(bad, MOST_TOGETHER);
    },
    rows: (count: number): void => {
      groups.push({ bad, all: bad + count });
      bads += bad;
      records += bad + count;
      bad = 0;
      while (records - groups[0]!.all >= RECORDS) {
        const first = groups.shift()!;
        bads -= first.bad;
        records -= first.all;
      }
      judge(bads, records);
    },
  };
}
