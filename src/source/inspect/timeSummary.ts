import type { NumberSummary } from './numberProfile.ts';
import type { RowOrder } from './rowOrder.ts';

/** Times in ISO 8601, UTC. */
export interface TimeSummary {
  readonly values: number;
  readonly least: string;
  readonly most: string;
  readonly median: string;
  /** A bound on the error of the median, in seconds. */
  readonly medianWithin: number;
  /** Null if there are more than 1,000. */
  readonly distinct: number | null;
  readonly order: RowOrder;
}

/** For a column of seconds since 1970. */
export const timeSummary = ({ values, least, most, median, distinct, order }: NumberSummary): TimeSummary =>
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
