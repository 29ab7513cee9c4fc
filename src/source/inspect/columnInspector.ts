import { DataError } from '../../errors.ts';
import type { Field, FillRequest, Frame } from '../table/table.ts';
import { MOST_DISTINCT, type NumberSummary, numberProfile } from './numberProfile.ts';
import type { SortOrder } from './sortOrder.ts';

export interface ColumnInspection {
  /** An element of a vector is a separate column: 'embedding[3]'. */
  readonly name: string;
  readonly type: Field['type'];
  readonly kind: Field['kind'];
  /** Null if the column was not read to the end. */
  readonly nulls: number | null;
  /** The number of values that are NaN or infinite, which no summary includes. */
  readonly nonFinite: number;
  /** One of the summaries below is present, unless the column has no value. Booleans are 0 and 1. */
  readonly numbers?: NumberSummary;
  readonly times?: TimeSummary;
  readonly texts?: TextSummary;
  /** Why the column could not be read. */
  readonly problem?: string;
}

export function columnInspector({ name, type, kind }: Field, element: number) {
  const numbers = numberProfile();
  const texts = textProfile();
  let nulls = 0;
  let nonFinite = 0;
  let problem: string | undefined;

  const fill = (frame: Frame, request: FillRequest): number | Promise<number> => {
    if (kind === 'vector') return frame.fill({ ...request, element });
    if (kind !== 'text') return frame.fill(request);
    return frame.discoverLevels({ ...request, levels: texts.levels, most: MOST_DISTINCT });
  };
  const addNumber = (value: number): void => {
    if (Number.isFinite(value)) numbers.add(value);
    else nonFinite++;
  };
  const summary = (): Pick<ColumnInspection, 'numbers' | 'times' | 'texts'> => {
    const ofNumbers = numbers.summary();
    const ofTexts = texts.summary();
    if (ofTexts !== null) return { texts: ofTexts };
    if (ofNumbers === null) return {};
    return kind === 'time' ? { times: timeSummary(ofNumbers) } : { numbers: ofNumbers };
  };

  return {
    /**
     * Processes the next rows of the table; a request has the field's index and memory for them. `see` receives the
     * values before they are summarised.
     */
    async read(
      frame: Frame,
      request: FillRequest,
      see?: (values: Float64Array, missing: Uint8Array, count: number) => void,
    ): Promise<void> {
      if (problem !== undefined || kind === 'unsupported') return;
      const { count, out, missing } = request;
      missing.fill(0, 0, count);
      try {
        nulls += await fill(frame, request);
      } catch (error) {
        // A value that is invalid in its column concerns that column alone.
        if (!(error instanceof DataError)) throw error;
        problem = error.message;
        return;
      }
      see?.(out, missing, count);
      let present = 0;
      for (let i = 0; i < count; i++) {
        if (missing[i] === 0) out[present++] = out[i]!;
      }
      const values = out.subarray(0, present);
      if (kind === 'text') texts.add(values);
      else values.forEach(addNumber);
    },
    result: (): ColumnInspection =>
      Object.freeze({
        name: kind === 'vector' ? `${name}[${element}]` : name,
        type,
        kind,
        nulls: problem === undefined && kind !== 'unsupported' ? nulls : null,
        nonFinite,
        ...(problem === undefined ? summary() : { problem }),
      }),
  };
}

/** Times in ISO 8601, UTC. */
interface TimeSummary {
  readonly values: number;
  readonly least: string;
  readonly most: string;
  readonly median: string;
  /** A bound on the error of the median, in seconds. */
  readonly medianWithin: number;
  /** Null if there are more than 1,000. */
  readonly distinct: number | null;
  readonly order: SortOrder;
}

/** For a column of seconds since 1970. */
const timeSummary = ({ values, least, most, median, distinct, order }: NumberSummary): TimeSummary =>
  Object.freeze({
    values,
    least: timeOf(least),
    most: timeOf(most),
    median: timeOf(median.value),
    medianWithin: median.within,
    distinct,
    order,
  });

/** A time outside the range of calendar dates is shown as a number of seconds. */
function timeOf(seconds: number): string {
  const time = new Date(Math.round(seconds * 1000));
  return Number.isNaN(time.getTime()) ? `${seconds} s` : time.toISOString().replace('.000Z', 'Z');
}

/** The values of a text column and how often each occurs. */
interface TextSummary {
  readonly values: number;
  /** Null if there are more than 1,000, or some are too long to be levels. */
  readonly distinct: number | null;
  /** The most frequent, at most 20, among the first 1,000 that occur. */
  readonly levels: readonly { readonly level: string; readonly rows: number }[];
}

const MOST_SHOWN = 20;

function textProfile() {
  const levels: string[] = [];
  const rows = new Float64Array(MOST_DISTINCT);
  let values = 0;
  let beyond = 0;
  return Object.freeze({
    /** The values found so far; the reader appends to them. */
    levels,
    /** Takes indices into the levels, -1 for a value that is not among them. */
    add(indices: Float64Array): void {
      for (const index of indices) {
        if (index < 0) beyond++;
        else rows[index]!++;
      }
      values += indices.length;
    },
    /** Null before the first value. */
    summary(): TextSummary | null {
      if (values === 0) return null;
      // A dictionary may list values that no row has.
      const counted = levels
        .map((level, k) => Object.freeze({ level, rows: rows[k]! }))
        .filter(counts => counts.rows > 0);
      return Object.freeze({
        values,
        distinct: beyond > 0 ? null : counted.length,
        levels: Object.freeze(counted.sort((a, b) => b.rows - a.rows).slice(0, MOST_SHOWN)),
      });
    },
  });
}
