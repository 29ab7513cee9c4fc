/** What becomes of rows whose values cannot be used. */

import { listed } from '../sample/listed.ts';
import { type FeedSlot, type FilledSlot, FOREIGN } from './columnFeed.ts';
import { dataError } from './dataError.ts';
import { columnsOf, type Design } from './design.ts';
import { featuresWithout, sourceOf } from './featuresWithout.ts';
import { originOf } from './originOf.ts';

/**
 * What to do with a row that holds a null, a number that is not finite, a negative weight, or a target that the loss
 * has no meaning for.
 */
export type NullPolicy = 'error' | 'skip';

/** Which targets a loss accepts, and what to tell the owner of others. */
export interface TargetRule {
  readonly accepts: (target: number) => boolean;
  readonly advice: string;
}

export interface PolicyOptions {
  readonly design: Design;
  readonly nulls: NullPolicy;
  readonly targets: TargetRule | null;
  /** Names of the tables, for messages. */
  readonly tables: readonly string[];
  /** The most rows of a slot. */
  readonly capacity: number;
  /** Counts, by columns, the rows whose value there cannot be used. */
  readonly unusableIn: Float64Array;
  /** Whether these are the columns of a model, none of which can be left out. */
  readonly isFixed: boolean;
}

/**
 * A function that judges a filled slot: with policy `error` the first row that cannot be used is the end; with `skip`
 * it stays in its place with weight 0 and zeros for values, because rows are assigned to chunks by position, whatever
 * they hold. Returns how many such rows there are.
 */
export function rowPolicy({ design, nulls, targets, tables, capacity, unusableIn, isFixed }: PolicyOptions) {
  const columns = columnsOf(design);
  const rules = new Map<number, Rule>();
  if (design.target !== undefined && targets !== null) {
    rules.set(design.features.length, { problem: 'is no target for this loss', ...targets });
  }
  if (design.weights !== undefined) {
    rules.set(columns.length - 1, {
      accepts: weight => weight >= 0,
      problem: 'is no weight',
      advice: "weights are at least 0; mend it, or use `nulls: 'skip'` to leave such rows out",
    });
  }
  const unusable = new Uint8Array(capacity);

  const suspects = ({ doubtful }: FilledSlot): readonly number[] =>
    [...new Set([...doubtful, ...rules.keys()])].sort((a, b) => a - b);

  /** How many rows `skip` would leave out. */
  const unusableRows = ({ columns: values, missing }: FeedSlot, filled: FilledSlot): number => {
    const ordered = suspects(filled);
    const isUsable = (k: number, i: number): boolean => {
      const value = values[k]![i]!;
      return missing[k]![i] === 0 && Number.isFinite(value) && (rules.get(k)?.accepts(value) ?? true);
    };
    let count = 0;
    for (let i = 0; i < filled.rows; i++) if (!ordered.every(k => isUsable(k, i))) count++;
    return count;
  };

  const explain = (slot: FeedSlot, filled: FilledSlot, k: number, i: number): Error => {
    const { columns: values, missing } = slot;
    const { name, levels } = columns[k]!;
    const place = { column: name, ...originOf(filled.pieces, i, tables) };
    const [mark, value] = [missing[k]![i]!, values[k]![i]!];
    // To leave all rows out is no way out.
    const isBlank = (_: unknown, column: number): boolean =>
      missing[column]!.subarray(0, filled.rows).every(each => each === 1);
    if (!isFixed && filled.rows > 1 && isBlank(null, k)) {
      const blank = [...new Set(design.features.filter(isBlank).map(sourceOf))];
      const more = blank.filter(other => other !== sourceOf(columns[k]!));
      const nor = more.length === 0 ? '' : `, nor ${more.length === 1 ? 'has' : 'have'} ${listed(more)}`;
      return dataError(
        { table: place.table, column: name },
        `has no value in any of the ${filled.rows} rows looked at${nor}`,
        k < design.features.length ? featuresWithout(design, blank) : 'choose another column',
      );
    }
    const isFeature = !isFixed && k < design.features.length;
    const lacking = missing[k]!.subarray(0, filled.rows).reduce(
      (count, each) => count + (each === 1 ? 1 : 0),
      0,
    );
    const share =
      filled.rows === 1 ? '' : `, ${unusableRows(slot, filled)} of the ${filled.rows} rows looked at`;
    const wayOut =
      isFeature && lacking > filled.rows / 2
        ? `${featuresWithout(design, [sourceOf(columns[k]!)])}; \`nulls: 'skip'\` would leave most rows out${share}`
        : `use \`nulls: 'skip'\` to leave such rows out${share}`;
    if (mark === FOREIGN)
      return dataError(place, `is none of the declared levels ${levels!.join(', ')}`, wayOut);
    if (mark !== 0) return dataError(place, 'has no value', wayOut);
    if (!Number.isFinite(value)) return dataError(place, 'is not finite', wayOut);
    const { problem, advice } = rules.get(k)!;
    return dataError(place, `${value} ${problem}`, advice);
  };

  return (slot: FeedSlot, filled: FilledSlot, weights: Float64Array): number => {
    let found = false;
    for (const k of suspects(filled)) {
      const rule = rules.get(k);
      const [values, missing] = [slot.columns[k]!, slot.missing[k]!];
      for (let i = 0; i < filled.rows; i++) {
        const value = values[i]!;
        if (missing[i] === 0 && Number.isFinite(value) && (rule === undefined || rule.accepts(value)))
          continue;
        if (nulls === 'error') throw explain(slot, filled, k, i);
        unusableIn[k]!++;
        if (!found) unusable.fill(0);
        unusable[i] = 1;
        found = true;
      }
    }
    if (!found) return 0;
    if (design.weights === undefined) weights.fill(1);
    let invalid = 0;
    for (let i = 0; i < filled.rows; i++) {
      if (unusable[i] === 0) continue;
      for (const column of slot.columns) column[i] = 0;
      weights[i] = 0;
      invalid++;
    }
    return invalid;
  };
}

/** What a column's finite values must be. */
interface Rule {
  readonly accepts: (value: number) => boolean;
  readonly problem: string;
  readonly advice: string;
}
