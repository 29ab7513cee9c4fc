import type { FileHandle } from 'node:fs/promises';

export type ReadAt = (into: Uint8Array, position: number) => Promise<void>;

interface Wish {
  readonly into: Uint8Array;
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Padding between buffers is read too, and discarded. */
const WIDEST_GAP = 4096;
/** Systems allow up to 1,024 parts per call; a gap and its neighbour are two. */
const MOST_WISHES = 256;
/** Two concurrent calls keep two threads busy; a call of this size is long enough by itself. */
const MOST_BYTES = 2 ** 22;

/**
 * Reads of one file that are requested in one turn of the event loop are combined: adjacent parts of the file take one
 * call, whatever memory each goes to. The columns of a record batch are adjacent, and a call takes as long as copying
 * many thousand bytes.
 */
export function gatheredReads(file: FileHandle): ReadAt {
  const gap = new Uint8Array(WIDEST_GAP);
  let wishes: Wish[] = [];

  const readAll = async (group: readonly Wish[]): Promise<void> => {
    const parts: Uint8Array[] = [];
    const start = group[0]!.position;
    let end = start;
    for (const { into, position } of group) {
      if (position > end) parts.push(gap.subarray(0, position - end));
      parts.push(into);
      end = position + into.length;
    }
    const { bytesRead } = await file.readv(parts, start);
    for (const { into, position, resolve, reject } of group) {
      const done = Math.min(into.length, Math.max(0, start + bytesRead - position));
      if (done === into.length) resolve();
      else readRest(into, position, done).then(resolve, reject);
    }
  };

  /** A call may read less than requested; only one that reads nothing is at the end. */
  const readRest = async (into: Uint8Array, position: number, from: number): Promise<void> => {
    for (let done = from; done < into.length; ) {
      const { bytesRead } = await file.read(into, done, into.length - done, position + done);
      if (bytesRead === 0) throw new Error('it became shorter while it was being read');
      done += bytesRead;
    }
  };

  const flush = (): void => {
    const sorted = wishes.sort((a, b) => a.position - b.position);
    wishes = [];
    for (const group of neighbours(sorted)) {
      readAll(group).catch(error => {
        for (const { reject } of group) reject(error);
      });
    }
  };

  return (into, position) =>
    new Promise((resolve, reject) => {
      if (wishes.length === 0) setImmediate(flush);
      wishes.push({ into, position, resolve, reject });
    });
}

/** Groups of requests that one call can serve. */
function neighbours(sorted: readonly Wish[]): Wish[][] {
  const groups: Wish[][] = [];
  let end = -1;
  let bytes = 0;
  for (const wish of sorted) {
    const group = groups.at(-1);
    const distance = wish.position - end;
    if (
      group === undefined ||
      distance < 0 ||
      distance > WIDEST_GAP ||
      group.length >= MOST_WISHES ||
      bytes + wish.into.length > MOST_BYTES
    ) {
      groups.push([wish]);
      bytes = 0;
    } else group.push(wish);
    bytes += wish.into.length;
    end = wish.position + wish.into.length;
  }
  return groups;
}
