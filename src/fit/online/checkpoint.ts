import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ArgumentError } from '../../errors.ts';
import { syncFolder, writeDurably } from '../../files.ts';
import { fromText, toText } from '../../math/plainData.ts';
import { takeLock } from '../../privacy/ledgerFile/lock.ts';
import { unitKey } from '../../sample/transform/unitTable.ts';
import { version } from '../../version.ts';

/** What a run is, as far as its checkpoints depend on it: plain data by name, so that a difference can be named. */
export type RunFacts = Readonly<Record<string, unknown>>;

/** Writes a file so that it survives a loss of power. Tests give others, which fail. */
export type WriteFile = (path: string, text: string) => Promise<void>;

/** A folder that keeps the latest checkpoint of one run, for one process at a time. */
export interface CheckpointFolder<Content> {
  /** What was written last; null in a new folder. */
  readonly last: Content | null;
  /** A hash of the file as it is; null where there is none. */
  digest(): string | null;
  /** Replaces the checkpoint, whole or not at all; it is on disk when this resolves. */
  write(content: Content): Promise<void>;
  /** Lets other processes have the folder. */
  close(): void;
}

const FORMAT = 'sluice-checkpoint';
const VERSION = 1;

/**
 * Opens or makes a folder of checkpoints, and locks it for this process. A checkpoint of another version, or of a run
 * that differs in any of its facts, is refused with the difference named: its state would mean something else here.
 */
export function openCheckpoint<Content extends object>(
  folder: string,
  facts: RunFacts,
  write: WriteFile = writeDurably,
): CheckpointFolder<Content> {
  const path = join(folder, 'checkpoint.json');
  inFolder(folder, () => mkdirSync(folder, { recursive: true }));
  const lock = takeLock(path);
  try {
    const own = fromText(toText(facts)) as RunFacts;
    const found = readOrNull(path);
    let digest = found && digestOf(found);
    return {
      last: found === null ? null : contentOf<Content>(path, found, own),
      digest: () => digest,
      write: async content => {
        const text = `${toText({ format: FORMAT, version: VERSION, createdWith: `sluice ${version}`, facts: own, content })}\n`;
        await write(path, text);
        digest = digestOf(text);
      },
      close: () => lock.release(),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function contentOf<Content>(path: string, text: string, own: RunFacts): Content {
  const wrong = (problem: string, wayOut: string, detail = {}): never => {
    throw new ArgumentError(`the checkpoint ${path} ${problem}; ${wayOut}`, 'ERR_CONFLICT', { file: path, ...detail });
  };
  let read: unknown;
  try {
    read = fromText(text);
  } catch {
    return wrong('is not one that sluice wrote whole', 'give another folder');
  }
  const { format, version: found, facts, content } = (read ?? {}) as Record<string, unknown>;
  if (format !== FORMAT) return wrong('is not one that sluice wrote', 'give another folder');
  if (found !== VERSION)
    return wrong(
      `has version ${JSON.stringify(found)}, but this sluice reads ${VERSION}`,
      'use the sluice that wrote it',
    );
  const before = facts as RunFacts;
  const differs = [...new Set([...Object.keys(before), ...Object.keys(own)])].find(
    name => !isDeepStrictEqual(before[name], own[name]),
  );
  if (differs === undefined) return content as Content;
  return wrong(
    `is of another run: its \`${differs}\` is ${shown(before[differs])}, and here it is ${shown(own[differs])}`,
    'go on with the same options, or give another folder for another run',
    { differs },
  );
}

const shown = (value: unknown): string => (value === undefined ? 'not given' : JSON.stringify(value));

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * What a private run has beside its ledger, so that a checkpoint that was restored from a copy is noticed: the number of
 * releases that were made, and a hash of the checkpoint with the last of them, which has released values and public
 * facts alone.
 */
export interface Witness {
  /** Refuses a checkpoint that is older than this one, or of another history. */
  require(releases: number, digest: string | null): void;
  write(releases: number, digest: string | null): Promise<void>;
  /** Lets another process go on with the run. */
  close(): void;
}

/** The witness of a run of a ledger file, for this process alone, whatever folder others have a copy of. */
export function openWitness(ledger: string, run: string, write: WriteFile = writeDurably): Witness {
  const path = `${ledger}.${run}.releases`;
  const lock = takeLock(path);
  return {
    require: (releases, digest) => {
      const text = readOrNull(path);
      const seen = text === null ? null : (JSON.parse(text) as { releases: number; digest: string | null });
      // One release may be in the checkpoint and not here, if the run was killed between the two writes.
      if (seen !== null && releases > seen.releases) return;
      if (seen?.releases === releases && (seen.digest === null || seen.digest === digest)) return;
      const why =
        seen === null
          ? `${path}, which says how far the run has come, is missing`
          : releases < seen.releases
            ? `the checkpoint has ${releases} releases, but ${path} knows of ${seen.releases}`
            : `the checkpoint has another release ${releases} than ${path} knows of`;
      throw new ArgumentError(
        `${why}, so rows could be read for a second release, with new noise; restore the newest checkpoint, or begin another run in an empty folder, which is charged anew`,
        'ERR_NOT_PRIVATE',
        { file: path },
      );
    },
    write: (releases, digest) => write(path, `${JSON.stringify({ releases, digest })}\n`),
    close: () => lock.release(),
  };
}

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

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ArgumentError(`${path} cannot be read: ${(error as Error).message}; check its permissions`, 'ERR_FILE', {
      file: path,
    });
  }
}

function inFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ArgumentError(
      `the folder ${folder} of checkpoints cannot be used: ${(error as Error).message}; give one that you may write to, with all its files`,
      'ERR_FILE',
      { file: folder },
    );
  }
}
