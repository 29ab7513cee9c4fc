/**
 * Files are written whole or not at all: into a temporary neighbour that takes the name when everything is on disk, and
 * may be read by whom the file it replaces could be. Links are followed and stay. A device or a named pipe is no file
 * to be replaced: it is written to as it is, and what has gone into it cannot be taken back.
 */
import { randomUUID } from 'node:crypto';
import { constants, rmSync, type Stats } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ArgumentError } from '../math/check.ts';
import { placeOf } from './placeOf.ts';

export interface WholeFile {
  write(bytes: Uint8Array | string): Promise<void>;
  /** Makes the file appear under its name. */
  commit(): Promise<void>;
  /** Leaves no trace; harmless after a commit. */
  abandon(): Promise<void>;
}

const unfinished = new Set<string>();
let guard: ((removeUnfinished: () => void) => () => void) | undefined;
let unguard: (() => void) | undefined;

/**
 * `begin` is called whenever there comes to be something half-written, with what removes it at once, and returns what
 * is to be called when there is nothing any more: a process that is ended meanwhile should not leave it behind.
 */
export function whileUnfinished(begin: (removeUnfinished: () => void) => () => void): void {
  guard = begin;
}

function beginPart(path: string): void {
  unfinished.add(path);
  if (unfinished.size > 1) return;
  unguard = guard?.(() => {
    for (const part of unfinished) rmSync(part, { force: true });
  });
}

function endPart(path: string): void {
  if (!unfinished.delete(path) || unfinished.size > 0) return;
  unguard?.();
  unguard = undefined;
}

export async function openWhole(path: string): Promise<WholeFile> {
  const found = await stat(path).catch(() => undefined);
  const isReplaced = found === undefined || found.isFile() || found.isDirectory();
  return isReplaced ? openBeside(path, found?.isFile() ? found : null) : openStraight(path, found.isFIFO());
}

/** What others may do with it, and who they are: where the group cannot be kept, nobody of another gets its rights. */
async function keepAccess(handle: FileHandle, { mode, gid }: Stats): Promise<void> {
  const { uid, gid: own } = await handle.stat();
  const isKept =
    own === gid ||
    (await handle.chown(uid, gid).then(
      () => true,
      () => false,
    ));
  // A file system without permissions has none to keep.
  await handle.chmod(isKept ? mode & 0o777 : mode & 0o707).catch(() => {});
}

async function openBeside(path: string, replaced: Stats | null): Promise<WholeFile> {
  const place = await placeOf(path);
  const temporary = join(dirname(place), `.${basename(place)}.${randomUUID().slice(0, 8)}.part`);
  // Before it is there, so that no moment leaves it behind.
  beginPart(temporary);
  // From the first byte, so that no moment shows it to others; what the process masks of it comes after.
  const handle = await open(temporary, 'wx', replaced ? replaced.mode & 0o700 : undefined).catch(error => {
    endPart(temporary);
    return failing(path, 'name a file in a folder that you may write to')(error);
  });
  if (replaced !== null) await keepAccess(handle, replaced);
  const { write, close, requireWhole } = writing(
    path,
    handle,
    'make room on the disk, or name a file elsewhere',
  );
  return {
    write,
    commit: async () => {
      requireWhole();
      await handle.sync();
      await close();
      await rename(temporary, place).catch(failing(path, 'name a file, not a folder'));
      endPart(temporary);
    },
    abandon: async () => {
      await close();
      await rm(temporary, { force: true });
      endPart(temporary);
    },
  };
}

async function openStraight(path: string, isPipe: boolean): Promise<WholeFile> {
  const refused = failing(path, 'name a file');
  const reader = isPipe ? await untilRead(path).catch(refused) : undefined;
  const handle = await open(path, constants.O_WRONLY).catch(refused);
  await reader?.close();
  const { write, close, requireWhole } = writing(
    path,
    handle,
    'see to what is at its other end, or name a file',
  );
  return {
    write,
    commit: async () => {
      requireWhole();
      await close();
    },
    abandon: close,
  };
}

/**
 * A pipe opens when somebody reads it. It is asked again and again, for a thread that waits within `open` keeps the
 * process from ending.
 */
async function untilRead(path: string): Promise<FileHandle> {
  for (;;) {
    const handle = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENXIO') throw error;
      },
    );
    if (handle !== undefined) return handle;
    await setTimeout(50);
  }
}

const failing =
  (path: string, wayOut: string) =>
  (error: Error): never => {
    throw new ArgumentError(`${path} cannot be written: ${error.message}; ${wayOut}`);
  };

interface Writing {
  readonly write: WholeFile['write'];
  readonly close: () => Promise<void>;
  readonly requireWhole: () => void;
}

function writing(path: string, handle: FileHandle, wayOut: string): Writing {
  let state: 'whole' | 'torn' | 'closed' = 'whole';
  return {
    write: async bytes => {
      try {
        await handle.writeFile(bytes);
      } catch (error) {
        state = 'torn';
        failing(path, wayOut)(error as Error);
      }
    },
    close: async () => {
      if (state !== 'closed') await handle.close();
      state = 'closed';
    },
    requireWhole: () => {
      if (state !== 'whole') throw new ArgumentError(`${path} cannot be completed: a part of it is missing`);
    },
  };
}

/** Writes a text, or bytes, in one go. */
export async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  const file = await openWhole(path);
  try {
    await file.write(content);
    await file.commit();
  } finally {
    await file.abandon();
  }
}
