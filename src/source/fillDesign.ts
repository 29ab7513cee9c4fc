/** Decodes rows of a frame into the columns of a design, and applies the policy for values that cannot be used. */
import type { Slot } from '../sample/arena.ts';
import { dataError } from './dataError.ts';
import { columnsOf, type Design } from './design.ts';
import type { Frame } from './table.ts';

/** What to do with a row that holds a null, a number that is not finite, or a target that the loss has no meaning for. */
export type NullPolicy = 'error' | 'skip';

/** Which targets a loss accepts, and what to tell the owner of others. */
export interface TargetRule {
  readonly accepts: (target: number) => boolean;
  readonly advice: string;
}

export interface FillOptions {
  readonly design: Design;
  readonly nulls: NullPolicy;
  readonly targets: TargetRule | null;
  /** The most rows of one fill. */
  readonly capacity: number;
}

/** Rows [start, start + count) of a frame whose first row is row `firstRow` of `table`. */
export interface FramePiece {
  readonly frame: Frame;
  readonly table: string;
  readonly firstRow: number;
  readonly start: number;
  readonly count: number;
}

/**
 * A function that fills rows [at, at + count) of a slot and says how many of them are invalid. An invalid row stays in its place with weight 0
 * and zeros for values: rows are assigned to chunks by position, whatever they hold.
 */
export function designFiller({ design, nulls, targets, capacity }: FillOptions) {
  const columns = columnsOf(design);
  const missing = columns.map(() => new Uint8Array(capacity));
  const unusable = new Uint8Array(capacity);
  const outsOf = (slot: Slot): readonly Float64Array[] => [
    ...slot.columns,
    ...(design.target === undefined ? [] : [slot.target]),
    ...(design.weights === undefined ? [] : [slot.weights]),
  ];

  /** Returns whether the column has missing values; they are marked, and 0 in `out`. */
  const decode = async (
    k: number,
    { frame, start, count }: FramePiece,
    outs: readonly Float64Array[],
  ): Promise<boolean> => {
    const { field, element, levels, level } = columns[k]!;
    // The columns of a text field are made together, from one decoding, by the first of them.
    if (level !== undefined && level > 0) return false;
    const out = outs[k]!;
    const marks = missing[k]!.subarray(0, count).fill(0);
    const request = {
      field,
      start,
      count,
      out,
      missing: marks,
      ...(element === undefined ? {} : { element }),
    };
    if (levels === undefined) return (await frame.fill(request)) > 0;
    const holes = await frame.fillLevels({ ...request, levels });
    if (level === undefined) return holes + markForeign(out, marks) > 0;
    for (let other = levels.length - 1; other >= 0; other--) {
      const marked = outs[k + other]!;
      for (let i = 0; i < count; i++) marked[i] = out[i] === other && marks[i] === 0 ? 1 : 0;
    }
    return holes > 0;
  };

  /** Marks the rows that column k makes unusable; with policy `error` the first of them is the end. */
  const judge = (
    k: number,
    { table, firstRow, start }: FramePiece,
    out: Float64Array,
    hasMissing: boolean,
  ): boolean => {
    const isTarget = columns[k] === design.target;
    const rule = isTarget ? targets : null;
    if (!hasMissing && isFiniteThroughout(out) && (rule === null || out.every(rule.accepts))) return false;
    const marks = missing[k]!;
    let found = false;
    out.forEach((value, i) => {
      const accepted = marks[i] === 0 && Number.isFinite(value) && (rule === null || rule.accepts(value));
      if (accepted) return;
      if (nulls === 'error') {
        const place = { table, column: columns[k]!.name, row: firstRow + start + i };
        if (marks[i] === 1) throw dataError(place, 'has no value', 'use --nulls skip to leave such rows out');
        if (!Number.isFinite(value))
          throw dataError(place, 'is not finite', 'use --nulls skip to leave such rows out');
        throw dataError(place, 'is no target for this loss', rule!.advice);
      }
      unusable[i] = 1;
      found = true;
    });
    return found;
  };

  return async (piece: FramePiece, slot: Slot, at: number): Promise<number> => {
    const { count } = piece;
    const outs = outsOf(slot).map(column => column.subarray(at, at + count));
    const weights = slot.weights.subarray(at, at + count);
    if (design.weights === undefined) weights.fill(1);
    if (design.target === undefined) slot.target.fill(0, at, at + count);
    const holes = await Promise.all(outs.map((_, k) => decode(k, piece, outs)));
    unusable.fill(0, 0, count);
    const troubled = outs.filter((out, k) => judge(k, piece, out, holes[k]!));
    if (troubled.length === 0) return 0;
    let invalid = 0;
    for (let i = 0; i < count; i++) {
      if (unusable[i] === 0) continue;
      for (const out of outs) out[i] = 0;
      weights[i] = 0;
      invalid++;
    }
    return invalid;
  };
}

/** A text target outside its declared levels counts as missing. Returns how many there were. */
function markForeign(out: Float64Array, marks: Uint8Array): number {
  let foreign = 0;
  for (let i = 0; i < out.length; i++) {
    if (out[i]! >= 0) continue;
    marks[i] = 1;
    out[i] = 0;
    foreign++;
  }
  return foreign;
}

/** One branch for a whole column: a finite value times 0 is 0, anything else is not. Four sums, so that none waits for another. */
function isFiniteThroughout(values: Float64Array): boolean {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = values.length - (values.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += values[i]! * 0;
    b += values[i + 1]! * 0;
    c += values[i + 2]! * 0;
    d += values[i + 3]! * 0;
  }
  for (let i = whole; i < values.length; i++) a += values[i]! * 0;
  return a + b + c + d === 0;
}
