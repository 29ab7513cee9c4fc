import { from, lastValueFrom, type Observable, toArray } from 'rxjs';
import { passes } from '../../flow/passes.ts';
import type { Sums } from '../../flow/runPlan.ts';
import { split } from '../../flow/split.ts';
import { type Layout, widened } from '../../plan/layout.ts';
import type { Schedule } from '../../plan/schedule.ts';
import type { Chunk } from '../../sample/chunk.ts';
import { gather } from '../../sample/gather.ts';
import { rowsBetween, type SampleBatch } from '../../sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../sample/samples.ts';
import { requireAll } from '../../sample/shuffle/scatter.ts';
import { rowRange } from '../../sample/transform/mapSamples.ts';

/** What a run reads: the pilot's rows in memory, and the chunks of the steps. */
export interface RunInput {
  readonly features: number;
  /** The pilot's rows in memory. */
  readonly pilotBatch: SampleBatch | null;
  readonly chunks: Observable<Chunk>;
  /** How block sums are computed, where not from the rows of the chunks. */
  readonly sums?: Sums;
  /** Whether every row of a chunk is in a block, however many are in each; false unless given. */
  readonly countsAllRows?: boolean;
  readonly heldOut?: Samples;
  /** The same with more rows in the pilot, where there are more. */
  readonly wider?: () => Promise<WiderInput>;
  /** Ends concurrent work, and a pass with rows still to come. */
  readonly close?: () => void | Promise<void>;
}

export interface WiderInput {
  readonly start: RunInput;
  readonly layout: Layout;
}

/** The pilot's rows, the chunks that follow them, and the rows held out behind those. */
export const openInput = (samples: Samples, layout: Layout, held: number): Promise<RunInput> =>
  layout.schedule !== null
    ? startInChunks(samples, layout, layout.schedule, held)
    : layout.sharesPilot
      ? startInMemory(samples, layout, held)
      : startOverAll(samples, layout, held);

/**
 * Every step sees the rows of the pilot again: all are read once, to the end, where readers check what they were
 * together.
 */
async function startInMemory(samples: Samples, layout: Layout, held: number): Promise<RunInput> {
  const { pilotRows, steps } = layout;
  const { features } = samples;
  const rows = pilotRows + held;
  const gathered = await gather(samples.batches(), rows, features);
  requireAll(gathered.rows, rows);
  const pilotBatch = rowsBetween(gathered, 0, pilotRows);
  return {
    features,
    pilotBatch,
    chunks: passes(samplesOf(pilotBatch), steps),
    ...(held > 0 && { heldOut: samplesOf(rowsBetween(gathered, pilotRows, rows)) }),
  };
}

/** Every step sees all rows but the pilot's. */
async function startOverAll(samples: Samples, layout: Layout, held: number): Promise<RunInput> {
  const { pilotRows, rows, steps } = layout;
  const { features } = samples;
  const pilotBatch = pilotRows === 0 ? null : await gatherFirst(samples, pilotRows);
  const end = pilotRows + rows;
  const start: RunInput = {
    features,
    pilotBatch,
    chunks: passes(rowRange(samples, pilotRows, end), steps),
    ...(held > 0 && { heldOut: rowRange(samples, end, end + held) }),
  };
  const larger = widenedWithin(layout, features);
  if (larger === null) return start;
  const wider = async (): Promise<WiderInput> => {
    const gathered = await gatherFirst(samples, larger.pilotRows);
    const chunks = passes(samplesOf(gathered), larger.steps);
    return { start: { ...start, pilotBatch: gathered, chunks }, layout: larger };
  };
  return { ...start, wider };
}

/** Every step has rows of its own. */
async function startInChunks(samples: Samples, layout: Layout, schedule: Schedule, held: number): Promise<RunInput> {
  const { pilotRows } = layout;
  const { features } = samples;
  const { chunks, leftOver } = schedule;
  if (pilotRows === 0 && held === 0) return { features, pilotBatch: null, chunks: split(samples, { chunks }) };
  const [first, ...handles] = await lastValueFrom(
    split(samples, { chunks: [pilotRows, ...chunks, ...(held > 0 ? [leftOver, held] : [])] }).pipe(toArray()),
  );
  const pilotBatch = pilotRows === 0 ? null : await gather(first!.batches, pilotRows, features);
  const start: RunInput = {
    features,
    pilotBatch,
    chunks: inSteps(handles.slice(0, chunks.length)),
    close: first!.release,
    ...(held > 0 && { heldOut: { ...samples, rows: held, batches: () => handles.at(-1)!.batches } }),
  };
  const larger = widenedWithin(layout, features);
  if (pilotBatch === null || larger === null) return start;
  const wider = async (): Promise<WiderInput> => {
    const taken = larger.schedule === null ? chunks.length : chunks.length - larger.steps;
    const gathered = await gather(inTurn(pilotBatch, handles.slice(0, taken)), larger.pilotRows, features);
    const rest = larger.sharesPilot
      ? passes(samplesOf(gathered), larger.steps)
      : inSteps(handles.slice(taken, chunks.length));
    return { start: { ...start, pilotBatch: gathered, chunks: rest }, layout: larger };
  };
  return { ...start, wider };
}

/** Chunks behind a pilot's, counted from the first step on. */
const inSteps = (handles: readonly Chunk[]): Observable<Chunk> =>
  from(handles.map((handle, index) => ({ ...handle, index })));

/** The largest number of values in a widened pilot, 80 MB of them. */
export const WIDEST_PILOT = 1e7;

const widenedWithin = (layout: Layout, features: number): Layout | null =>
  widened(layout, Math.floor(WIDEST_PILOT / (features + 1)));

async function* inTurn(first: SampleBatch, chunks: readonly Chunk[]): AsyncGenerator<SampleBatch> {
  yield first;
  for (const { batches } of chunks) yield* batches;
}

async function gatherFirst(samples: Samples, rows: number): Promise<SampleBatch> {
  const [chunk] = await lastValueFrom(split(samples, { chunks: [rows] }).pipe(toArray()));
  return gather(chunk!.batches, rows, samples.features);
}
