import { dataError } from '../../errors.ts';
import { listed } from '../../words.ts';
import { columnsOf, type Design, featuresWithout, sourceOf } from '../design/design.ts';
import { type FeedSlot, type FilledSlot, FOREIGN, originOf } from './columnFeed.ts';

/**
 * How to treat rows that cannot be used:
 *
 *   auto   skip a row with a null or a number that is not finite; refuse one with a negative weight, or a target that
 *          is outside the domain of the loss or not one of its levels, because these are mistakes
 *   skip   skip all of them
 *   error  refuse all of them
 *
 * What is skipped is counted, and a fit tells how many rows that are.
 */
export type NullPolicy = 'auto' | 'error' | 'skip';

/** The targets that a loss accepts, and the advice for others. */
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
  /** The largest number of rows in a slot. */
  readonly capacity: number;
  /** Counts, for each column, the rows whose value cannot be used. */
  readonly unusableIn: Float64Array;
  /** Whether these are the columns of a model, none of which can be left out. */
  readonly isFixed: boolean;
}

/**
 * How rows with unusable values are treated.
 *
 * A function that checks a filled slot. The first row that is refused throws. One that is skipped stays in its position
 * with weight 0 and zeros for values, because rows are assigned to chunks by position, whatever their values. Returns
 * the number of such rows.
 */
export function rowPolicy({ design, nulls, targets, tables, capacity, unusableIn, isFixed }: PolicyOptions) {
  const columns = columnsOf(design);
  const rules = new Map<number, Rule>();
  if (design.target !== undefined && targets !== null) {
    rules.set(design.features.length, { problem: 'is not a valid target for this loss', ...targets });
  }
  if (design.weights !== undefined) {
    rules.set(columns.length - 1, {
      accepts: weight => weight >= 0,
      problem: 'is not a valid weight',
      advice: "weights must be at least 0; fix it, or use `nulls: 'skip'` to skip such rows",
    });
  }
  const unusable = new Uint8Array(capacity);

  const suspects = ({ doubtful }: FilledSlot): readonly number[] =>
    [...new Set([...doubtful, ...rules.keys()])].sort((a, b) => a - b);

  /** The number of rows that `skip` would skip. */
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
    // Skipping all rows would not be a remedy.
    const isBlank = (_: unknown, column: number): boolean =>
      missing[column]!.subarray(0, filled.rows).every(each => each === 1);
    if (!isFixed && filled.rows > 1 && isBlank(null, k)) {
      const blank = [...new Set(design.features.filter(isBlank).map(sourceOf))];
      const more = blank.filter(other => other !== sourceOf(columns[k]!));
      const nor = more.length === 0 ? '' : `, nor ${more.length === 1 ? 'has' : 'have'} ${listed(more)}`;
      return dataError(
        { table: place.table, column: name },
        `has no value in any of the ${filled.rows} rows read so far${nor}`,
        k < design.features.length ? featuresWithout(design, blank) : 'choose another column',
      );
    }
    const isFeature = !isFixed && k < design.features.length;
    const lacking = missing[k]!.subarray(0, filled.rows).reduce((count, each) => count + (each === 1 ? 1 : 0), 0);
    const share = filled.rows === 1 ? '' : ` (${unusableRows(slot, filled)} of the ${filled.rows} rows examined)`;
    const remedy =
      isFeature && lacking > filled.rows / 2
        ? `${featuresWithout(design, [sourceOf(columns[k]!)])}; \`nulls: 'skip'\` would skip most rows${share}`
        : `use \`nulls: 'skip'\` to skip such rows${share}`;
    if (mark === FOREIGN) return dataError(place, `is not one of the declared levels ${levels!.join(', ')}`, remedy);
    if (mark !== 0) return dataError(place, 'has no value', remedy);
    if (!Number.isFinite(value)) return dataError(place, 'is not finite', remedy);
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
        if (missing[i] === 0 && Number.isFinite(value) && (rule === undefined || rule.accepts(value))) continue;
        const isMissing = missing[i] === 1 || (missing[i] === 0 && !Number.isFinite(value));
        if (nulls === 'error' || (nulls === 'auto' && !isMissing)) throw explain(slot, filled, k, i);
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

/** A condition on a column's finite values. */
interface Rule {
  readonly accepts: (value: number) => boolean;
  readonly problem: string;
  readonly advice: string;
}
