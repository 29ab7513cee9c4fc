import type { BatchColumn } from './batchColumn.ts';
import type { ColumnReader } from './columnReader.ts';
import { markMissing } from './missing.ts';
import type { PlainNumbers, Slice } from './plain.ts';
import { allocate } from './region.ts';

/**
 * Lists of a fixed width. All numbers of the requested rows are decoded at once and kept, because the other elements
 * are requested next.
 */
export function vectorColumn(elements: PlainNumbers, width: number): ColumnReader {
  const kept = new WeakMap<BatchColumn, Rows>();
  return {
    fill: async (column, slice, element) => {
      const { start, out, lenient = false } = slice;
      let rows = kept.get(column);
      if (rows?.start !== start || rows.count !== out.length) {
        rows = {
          start,
          count: out.length,
          decoded: decode(column, elements, width, start, out.length, lenient),
        };
        kept.set(column, rows);
      }
      return pickElement(await rows.decoded, element, width, slice);
    },
  };
}

interface Rows {
  readonly start: number;
  readonly count: number;
  readonly decoded: Promise<Decoded>;
}

/** Row after row. */
interface Decoded {
  readonly values: Float64Array;
  readonly missing: Uint8Array;
}

async function decode(
  column: BatchColumn,
  elements: PlainNumbers,
  width: number,
  start: number,
  count: number,
  lenient: boolean,
): Promise<Decoded> {
  const child = column.child(width);
  const { length } = await child.buffer(1);
  // Checked before memory is allocated for numbers that do not exist.
  if ((start + count) * width * elements.bitsPerRow > 8 * length) {
    throw column.damaged(`${length} bytes cannot hold lists of ${width}`, start + count - 1);
  }
  const lists = new Uint8Array(count);
  const missing = new Uint8Array(count * width);
  if ((await markMissing(column, start, lists)) > 0) {
    // The elements of a null list are not checked either.
    lists.forEach((mark, i) => {
      missing.fill(mark, i * width, (i + 1) * width);
    });
  }
  const values = new Float64Array(allocate(8 * count * width, column.damaged).buffer);
  await elements.fill(child, { start: start * width, out: values, missing, lenient });
  return { values, missing };
}

function pickElement(
  { values, missing: holes }: Decoded,
  element: number,
  width: number,
  { out, missing }: Slice,
): number {
  let absent = 0;
  for (let i = 0, k = element; i < out.length; i++, k += width) {
    const hole = holes[k]!;
    out[i] = hole === 1 ? 0 : values[k]!;
    missing[i] = hole;
    absent += hole;
  }
  return absent;
}
