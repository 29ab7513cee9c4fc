import { median, medianAt } from '../../math/median.ts';
import type { InformationQuestion } from '../../method/rule/informationQuestion.ts';
import type { SampleBatch } from '../../sample/sampleBatch.ts';

/** A row is wild where a value is so many times as far out as nine tenths of the values of its column in the chunk. */
const FAR = 1e4;
/** The share of values that says how far out a column goes: wild ones may be a tenth. */
const SHARE = 0.9;
/** Values that differ from the middle; fewer do not tell what is wild among them, and earlier rows are asked. */
const LEAST_VALUES = 64;
/** Of spreads of earlier rows, which may have been of another kind. */
const FAR_FROM_EARLIER = 1e8;
/** Rows that are looked at first, and how much wider than half of them a column must be to be looked at as a whole. */
const SAMPLE = 31;
const WIDE = 1e3;

/** Where earlier rows lay, by which values are judged that are too few to be judged by themselves. */
export type Earlier = Pick<InformationQuestion, 'coordinates' | 'target'> & { readonly isKnown: boolean };

/**
 * The rows of a chunk with no weight for those that are wild: a single one could have more leverage than all others
 * together, so that neither a bounded loss nor a test of whole chunks holds it. A lognormal column with sigma 2 has one
 * in a million. They are found column by column and by the chunk's own values, so that a stream may change its units;
 * which they are does not depend on the coefficients, so that leaving them out draws these nowhere.
 *
 * Edge cases. Fewer than 64 values that differ from the middle are judged by the spread of earlier rows, and not at all
 * where there are none: a value that is alone in its column is what the column has.
 */
export function withoutWild(
  batch: SampleBatch,
  earlier: Earlier,
): { readonly batch: SampleBatch; readonly wild: number } {
  const { rows, columns, target } = batch;
  const { coordinates, isKnown } = earlier;
  const { centre, scale } = coordinates;
  const bounds: { readonly values: Float64Array; readonly middle: number; readonly most: number }[] = [];
  const judge = (values: Float64Array, place: number, spread: number): void => {
    const found = boundOf(values.subarray(0, rows), place, isKnown ? spread : 0);
    if (found !== null) bounds.push({ values, ...found });
  };
  for (const [j, column] of columns.entries()) if (j < centre.length) judge(column, centre[j]!, scale[j]!);
  judge(target, ...earlier.target);
  if (bounds.length === 0) return { batch, wild: 0 };
  const weights = batch.weights?.slice(0, rows) ?? new Float64Array(rows).fill(1);
  let wild = 0;
  for (let i = 0; i < rows; i++) {
    if (!(weights[i]! > 0) || !bounds.some(({ values, middle, most }) => Math.abs(values[i]! - middle) > most))
      continue;
    weights[i] = 0;
    wild++;
  }
  return { batch: wild === 0 ? batch : { ...batch, weights }, wild };
}

/** How far from where a value may lie; null where all do. */
function boundOf(values: Float64Array, place: number, spread: number): { middle: number; most: number } | null {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const usual = values.length < LEAST_VALUES ? 0 : usualWidth(values);
  if (usual > 0 && high - low <= WIDE * usual) return null;
  const ofEarlier = { middle: place, most: FAR_FROM_EARLIER * spread };
  const isNearEarlier = Math.max(Math.abs(low - place), Math.abs(high - place)) <= ofEarlier.most;
  // Most values are the same: such columns are common, and need a closer look only where they go far.
  if (usual === 0 && spread > 0 && Math.max(Math.abs(low - place), Math.abs(high - place)) <= WIDE * spread)
    return null;
  const middle = median(values.slice());
  const away = values.map(value => Math.abs(value - middle)).filter(value => value > 0);
  if (away.length < LEAST_VALUES) return spread > 0 && !isNearEarlier ? ofEarlier : null;
  const most = FAR * medianAt(away, Math.floor(SHARE * away.length), false);
  return high - middle > most || middle - low > most ? { middle, most } : null;
}

/** The median distance of a few rows from the first of them. */
function usualWidth(values: Float64Array): number {
  const step = Math.floor(values.length / SAMPLE);
  sample ??= new Float64Array(SAMPLE);
  const away = sample;
  for (let k = 0; k < SAMPLE; k++) away[k] = Math.abs(values[k * step]! - values[step * (SAMPLE >> 1)]!);
  return median(away);
}

/** Memory for it: a new one for each column would take longer than the looking. */
let sample: Float64Array | undefined;
