import type { BatchColumn } from './batch.ts';
import type { Plain } from './plain.ts';

/** The values that a column refers to by index: numbers or texts, depending on its type. */
export interface Dictionary {
  readonly numbers: Float64Array;
  /** What rounding to doubles has changed in them. */
  readonly rests: Float64Array;
  /** In UTF-8. */
  readonly texts: readonly Uint8Array[];
  /** 1 if an entry is null; one per entry. */
  readonly missing: Uint8Array;
}

export const emptyDictionary: Dictionary = Object.freeze({
  numbers: new Float64Array(0),
  rests: new Float64Array(0),
  texts: [],
  missing: new Uint8Array(0),
});

/** Reads the values of a dictionary batch and appends them to those that a delta extends. */
export async function readDictionary(plain: Plain, column: BatchColumn, before: Dictionary): Promise<Dictionary> {
  const { rows } = column;
  const { length } = await column.buffer(1);
  // Checked before memory is allocated for the number of values that the batch claims.
  const hasRoom = rows * plain.bitsPerRow <= 8 * length;
  if (!hasRoom) throw column.damaged(`${length} bytes cannot hold ${rows} values`);
  const missing = new Uint8Array(rows);
  const [numbers, rests] = [0, 1].map(() => new Float64Array(plain.of === 'numbers' ? rows : 0)) as Pair;
  const texts = new Array<Uint8Array>(plain.of === 'texts' ? rows : 0).fill(new Uint8Array(0));
  if (rows > 0 && plain.of === 'numbers') {
    await plain.fill(column, { start: 0, out: numbers, missing });
    await plain.fill(column, { start: 0, out: rests, missing, rest: true });
  }
  if (rows > 0 && plain.of === 'texts') {
    // Copied once for any number of texts, because views may share their bytes.
    const copies = new Map<Uint8Array, Uint8Array>();
    await plain.visit(column, { start: 0, missing, longest: Infinity }, (row, bytes, from, to) => {
      const copy = copies.get(bytes) ?? Uint8Array.from(bytes);
      copies.set(bytes, copy);
      texts[row] = copy.subarray(from, to);
    });
  }
  return {
    numbers: behind(before.numbers, numbers),
    rests: behind(before.rests, rests),
    texts: before.texts.concat(texts),
    missing: behind(before.missing, missing),
  };
}

type Pair = [Float64Array, Float64Array];

function behind<A extends Float64Array | Uint8Array>(before: A, added: A): A {
  const joined = new (added.constructor as new (length: number) => A)(before.length + added.length);
  joined.set(before);
  joined.set(added, before.length);
  return joined;
}
