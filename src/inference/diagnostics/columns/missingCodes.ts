import { meanOf } from '../../../math/median.ts';
import type { SampleBatch } from '../../../sample/sampleBatch.ts';
import { listing, nameOf, percent, quoted, type Tell, type Told } from '../notes.ts';
import { hasNoWeight, omegaOf, type RedescendingFit } from '../residuals/outliers.ts';
import { extremesOf, multiplicities, type ValueCount } from '../valueCounts.ts';

export interface MissingCode {
  readonly column: number;
  readonly value: number;
  /** Of the rows of positive weight. */
  readonly share: number;
}

/**
 * Codes for missing values in a feature, such as -9 or 999 among amounts: one value that many rows share, beyond all
 * others and at a distance from them. A slope goes through such rows as if they had been measured.
 *
 *   |code - edge| > |edge - median|,   |code - nearest| > |edge - median| / 2
 *
 * where median, edge and nearest are of the other values, and one in a thousand of these lies beyond the edge, so that
 * outliers do not hide a code among many rows.
 *
 * One row in two hundred has the code, and at least ten. The others have at least twenty values, none of them half as
 * frequent, which excludes levels, indicators and small counts. Censored values have others close to the bound, and so
 * do zeros of amounts. A zero that more than one row in ten has is a genuine amount, however large the others.
 *
 * Of rows of positive weight.
 */
export const missingCodes = ({ rows, columns }: SampleBatch): readonly MissingCode[] =>
  columns.flatMap((values, column) =>
    codesIn(values.subarray(0, rows)).map(({ value, count }) => ({ column, value, share: count / rows })),
  );

const LEAST_ROWS = 10;
const LEAST_SHARE = 0.005;
const LEAST_DIFFERENT = 20;
const MOST_ZEROS = 0.1;
const STRAYS = 0.001;

function codesIn(values: Float64Array): readonly ValueCount[] {
  const few = Math.max(LEAST_ROWS, LEAST_SHARE * values.length);
  const ends = extremesOf(values).filter(({ count }) => count >= few);
  // Most columns are ruled out here, before they are sorted.
  if (ends.length === 0) return [];
  const sorted = values.slice().sort();
  return ends.filter(({ value, count }) => {
    if (value === 0 && count > MOST_ZEROS * values.length) return false;
    const isLeast = value === sorted[0];
    const others = isLeast ? sorted.subarray(count) : sorted.subarray(0, sorted.length - count);
    // There may be another code at the other end.
    const between = others.filter(other => ends.every(end => end.value !== other));
    if (!isVaried(between, count)) return false;
    const inwards = (steps: number): number => between[isLeast ? steps : between.length - 1 - steps]!;
    const [nearest, edge, median] = [0, Math.floor(STRAYS * between.length), between.length >> 1].map(inwards);
    const spread = Math.abs(edge! - median!);
    return Math.abs(value - edge!) > spread && Math.abs(value - nearest!) > spread / 2;
  });
}

/** Whether there are many values, none of them half as frequent as the code. */
function isVaried(sorted: Float64Array, count: number): boolean {
  const runs = multiplicities(sorted);
  return runs.length >= LEAST_DIFFERENT && runs.every(run => run === 1 || run < count / 2);
}

/**
 * How a fit treats rows with a code for a missing value. Such rows have an extreme feature and mostly
 * a large residual, and notes on outliers are not meant for them.
 *
 * `rows` in the units of the data, with their residuals.
 */
export function codedRows(
  { columns }: SampleBatch,
  residuals: Float64Array,
  {
    codes,
    redescending,
    limit,
    weights,
  }: {
    readonly codes: readonly MissingCode[];
    /** Null where the fit has none. */
    readonly redescending: RedescendingFit | null;
    readonly limit: number;
    /** Case weights. */
    readonly weights: Float64Array;
  },
) {
  const hasCode = ({ column, value }: MissingCode, i: number): boolean => columns[column]![i] === value;
  const uncodedShare = (counts: (i: number) => boolean): number =>
    meanOf(
      residuals.map((_, i) => (counts(i) && !codes.some(code => hasCode(code, i)) ? 1 : 0)),
      weights,
    );
  const isLeftOut = (code: MissingCode): boolean => {
    if (redescending === null) return false;
    const own = redescending.residuals.filter((_, i) => hasCode(code, i));
    return meanOf(own.map(r => omegaOf(redescending.loss, r))) < HARDLY;
  };
  return {
    /** Share of all rows, by weight, that have no code and a residual beyond the limit. */
    uncodedOutlierShare: uncodedShare(i => Math.abs(residuals[i]!) > limit),
    /** Share of all rows, by weight, that have no code, and to which a redescending fit gives no weight. */
    uncodedWeightlessShare: redescending === null ? 0 : uncodedShare(i => hasNoWeight(redescending, i)),
    /** Columns with codes whose rows the loss rejects. */
    rejectedCodes: codes.filter(isLeftOut).map(({ column }) => column),
  };
}

/** Mean of omega. */
const HARDLY = 0.1;

/** The fit treats a code as a measured value, unless it rejects such rows for their targets. */
export const missingCodeNotes: Tell = ({ pilot }, { names }) => {
  const { missingCodes } = pilot.columns;
  const rejected: readonly number[] = pilot.residuals.rejectedCodes;
  const isRejected = ({ column }: MissingCode): boolean => rejected.includes(column);
  const say = (codes: readonly MissingCode[], effect: string): Told => {
    if (codes.length === 0) return null;
    const found = codes.map(code => `${quoted(code.column, names)} is ${code.value} in ${percent(code.share)}`);
    const { column, value } = codes[0]!;
    const condition = `"${nameOf(column, names).replaceAll('"', '""')}" <> ${value}`;
    return `${listing(found)} of the pilot rows, far from all other values. If ${codes.length === 1 ? `${value} means` : 'these mean'} "missing", remove these rows (\`fromSql\` with WHERE ${condition}): ${effect}`;
  };
  return [
    say(
      missingCodes.filter(isRejected),
      pilot.estimate.blend === null
        ? 'this fit rejects them, but other losses may not'
        : "the bisquare fit rejects them, but Huber's fit does not",
    ),
    say(
      missingCodes.filter(code => !isRejected(code)),
      'they distort its coefficient and others',
    ),
  ];
};
