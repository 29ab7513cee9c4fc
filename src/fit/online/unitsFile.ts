import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../files.ts';
import { unitKey } from '../../sample/transform/unitTable.ts';
import { inFolder } from '../runFolder.ts';

/**
 * The counts of units of a private run, in files of their own, which depend on rows and must not leave the machine:
 * `units.key` and `units.bin`. Counts are appended with the number of the release that used their rows; those of a release
 * that no checkpoint has are cut off, because its rows are read again.
 */
export interface UnitsFile {
  readonly key: Uint8Array;
  /** The counts of all releases before, for `unitTable`. */
  readonly saved: Uint8Array;
  /** Appends counts; they are on disk when this returns. */
  append(release: number, counts: Uint8Array): void;
  close(): void;
}

/** Bytes before the counts of a release: its number and their length. */
const HEAD = 12;

/** Opens the counts of units of the first `releases` releases. */
export function openUnits(folder: string, releases: number): UnitsFile {
  const [keyPath, path] = [join(folder, 'units.key'), join(folder, 'units.bin')];
  return inFolder(folder, () => {
    const known = releases > 0 ? readFileSync(keyPath) : null;
    const key = known ?? newKey(keyPath);
    const bytes = releases > 0 ? readFileSync(path) : Buffer.alloc(0);
    const saved: Uint8Array[] = [];
    let end = 0;
    while (end + HEAD <= bytes.length) {
      const release = bytes.readDoubleBE(end);
      const next = end + HEAD + bytes.readUInt32BE(end + 8);
      if (release >= releases || next > bytes.length) break;
      saved.push(bytes.subarray(end + HEAD, next));
      end = next;
    }
    const file = openSync(path, releases > 0 ? 'r+' : 'w', 0o600);
    ftruncateSync(file, end);
    fsyncSync(file);
    syncFolder(folder);
    return {
      key: new Uint8Array(key),
      saved: new Uint8Array(Buffer.concat(saved)),
      append: (release, counts) => {
        const head = Buffer.alloc(HEAD);
        head.writeDoubleBE(release);
        head.writeUInt32BE(counts.length, 8);
        const frame = Buffer.concat([head, counts]);
        for (let done = 0; done < frame.length; ) done += writeSync(file, frame, done, frame.length - done, end + done);
        fsyncSync(file);
        end += frame.length;
      },
      close: () => closeSync(file),
    };
  });
}

function newKey(path: string): Uint8Array {
  const key = unitKey();
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, key);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return key;
}
