import { refuse, requireInteger } from '../../errors.ts';
import { hmac } from '../../math/hmac.ts';
import { secure } from '../../math/random/secure.ts';

/**
 * How many rows of every unit a stream has used, for life: at most `perChunk` of them in one release and `most` in all.
 *
 * Guarantee. A unit is known by 64 bits of HMAC-SHA-256 under a secret key, so two units share their counts with
 * probability 2^-64: the caps hold exactly, for all units at once but for 2 units/2^64 of delta. Sum over releases of
 * the squared number of a unit's rows is at most perChunk * most, whatever the releases ask and however often the run
 * is stopped, as long as `pending` is stored together with the release of the chunk and nothing else is restored.
 * Edge cases. Counts of a chunk are lost unless it is committed: its rows are read again. The numbers of units and of
 * rows that were passed over depend on rows and must not leave the process; the table is stored in a file of its own.
 * Memory: 12 bytes a unit, times 1.3 to 2.7 for the room that finding them takes.
 */
export interface UnitTable {
  readonly perChunk: number;
  readonly most: number;
  /** Counts a row of a unit unless it has had its share; returns whether the row may be used. */
  take(unit: UnitId): boolean;
  /** What the rows taken since the last commit have changed: records of 12 bytes, to be appended to the stored ones. */
  pending(): Uint8Array;
  /** Makes the counts of the chunk part of those for life: call it when `pending` is on disk. */
  commit(): void;
  /** The whole table in as few records as possible, without what is pending. */
  save(): Uint8Array;
}

/** A text or a whole number below 2^53 that says whose row it is; 7 and '7' are the same unit. */
export type UnitId = string | number;

/** Bytes of a stored count: the fingerprint, then the number of rows. */
const RECORD = 12;

/** A new secret key for a table of units, from the operating system. */
export function unitKey(): Uint8Array {
  const random = secure();
  return new Uint8Array(Uint32Array.from({ length: 8 }, () => random.word()).buffer);
}

/** A table of units, empty or from what was stored; `UnitTable` states the guarantee. */
export function unitTable({
  key,
  perChunk = 1,
  most,
  saved = new Uint8Array(0),
}: {
  /** From `unitKey`, and the same for the life of the stream. */
  readonly key: Uint8Array;
  readonly perChunk?: number;
  readonly most: number;
  /** Records of earlier `pending`s or of `save`, in order. */
  readonly saved?: Uint8Array;
}): UnitTable {
  requireInteger('perChunk', perChunk, 1);
  requireInteger('most', most, 1, 2 ** 32 - 1);
  if (!(key instanceof Uint8Array && key.length >= 16))
    refuse('key', 'have at least 16 bytes', key?.length, 'use unitKey');
  if (saved.length % RECORD !== 0) refuse('saved', `have records of ${RECORD} bytes`, saved.length);
  const message = hmac(key);
  /** Its first 64 bits. */
  const fingerprint = (text: string): bigint => message().add(text).code().readBigUInt64BE();
  const life = counters();
  let chunk = new Map<bigint, number>();
  const view = new DataView(saved.buffer, saved.byteOffset, saved.length);
  for (let at = 0; at < saved.length; at += RECORD) life.set(view.getBigUint64(at), view.getUint32(at + 8));
  return {
    perChunk,
    most,
    take(unit) {
      if (typeof unit === 'string' ? unit === '' : !Number.isSafeInteger(unit)) return false;
      const print = fingerprint(String(unit));
      const now = chunk.get(print) ?? 0;
      if (now >= perChunk || life.get(print) + now >= most) return false;
      chunk.set(print, now + 1);
      return true;
    },
    pending: () => recordsOf([...chunk].map(([print, now]) => [print, life.get(print) + now])),
    commit() {
      for (const [print, now] of chunk) life.set(print, life.get(print) + now);
      chunk = new Map();
    },
    save: () => recordsOf(life.entries()),
  };
}

function recordsOf(entries: Iterable<readonly [bigint, number]>): Uint8Array {
  const all = [...entries];
  const view = new DataView(new ArrayBuffer(RECORD * all.length));
  all.forEach(([print, count], k) => {
    view.setBigUint64(RECORD * k, print);
    view.setUint32(RECORD * k + 8, count);
  });
  return new Uint8Array(view.buffer);
}

interface Counters {
  /** 0 for a fingerprint that has none. */
  get(print: bigint): number;
  set(print: bigint, count: number): void;
  entries(): Iterable<readonly [bigint, number]>;
}

/** A Map holds at most 2^24 keys and takes many times the memory; fingerprints are random, so their low bits are places. */
function counters(): Counters {
  let prints = new BigUint64Array(1024);
  let counts = new Uint32Array(1024);
  let used = 0;
  const placeOf = (print: bigint): number => {
    let place = Number(print & 0xffffffffn) % prints.length;
    while (counts[place] !== 0 && prints[place] !== print) place = (place + 1) % prints.length;
    return place;
  };
  const set = (print: bigint, count: number): void => {
    const place = placeOf(print);
    if (counts[place] === 0) used++;
    prints[place] = print;
    counts[place] = count;
    if (used > 0.75 * prints.length) grow();
  };
  const grow = (): void => {
    const [before, of] = [prints, counts];
    prints = new BigUint64Array(2 * before.length);
    counts = new Uint32Array(2 * before.length);
    used = 0;
    for (let k = 0; k < of.length; k++) if (of[k]! > 0) set(before[k]!, of[k]!);
  };
  return {
    get: print => counts[placeOf(print)]!,
    set: (print, count) => {
      if (count > 0) set(print, count);
    },
    *entries() {
      for (let k = 0; k < counts.length; k++) if (counts[k]! > 0) yield [prints[k]!, counts[k]!] as const;
    },
  };
}
