import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, mkdirSync, openSync, rmSync, type Stats, statSync, writeSync } from 'node:fs';
import { access, type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileProblem } from './errors.ts';

/**
 * Files are written completely or not at all: into a temporary file next to the target, which is renamed when
 * everything is on disk and gets the access rights of the file it replaces. Symbolic links are followed and kept. A
 * device or a named pipe cannot be replaced: it is written to directly, and what has been written cannot be undone.
 */
export interface WholeFile {
  write(bytes: Uint8Array | string): Promise<void>;
  /** Makes the file appear under its final name. */
  commit(): Promise<void>;
  /** Removes all traces of the file; no effect after a commit. */
  abandon(): Promise<void>;
}

const unfinished = new Set<string>();
let guard: ((removeUnfinished: () => void) => () => void) | undefined;
let unguard: (() => void) | undefined;

/**
 * Registers a hook for cleaning up if the process is ended early. `begin` is called when the first unfinished file is
 * started, with a function that deletes all unfinished files at once. It returns a function that is called when there
 * are none left.
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
  const found = await whatIsAt(path);
  return found === undefined || found.isFile() ? openBeside(path, found ?? null) : openStraight(path, found.isFIFO());
}

/** Undefined where there is nothing yet. A folder is refused, and so is a name too long to be one. */
async function whatIsAt(path: string): Promise<Stats | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENAMETOOLONG' ? failing(path, 'use a shorter name')(error) : undefined,
  );
  if (found?.isDirectory()) failing(path, 'name a file, not a folder')(new Error('it is a folder'));
  return found;
}

/** Room that every promised file must find on its disk, in bytes: several times what a model takes. */
const ROOM = 2 ** 20;

/**
 * Refuses files that could not be written now: for want of permission or of room on the disk, with room for all of
 * them at once. Nothing is changed and nothing is left behind. `appended` are files that keep what they hold.
 *
 * Edge cases. A named pipe is not opened, because its reader may be waiting for another file first. Of a device, only
 * one that is always full can be told.
 */
export async function requireWritable(paths: readonly string[], appended: readonly string[] = []): Promise<void> {
  const held: WholeFile[] = [];
  try {
    for (const path of [...paths, ...appended]) {
      const found = await whatIsAt(path);
      if (found === undefined || found.isFile()) {
        if (found !== undefined && appended.includes(path)) touch(path, 'r+');
        const file = await openWhole(path);
        held.push(file);
        await file.write(new Uint8Array(ROOM));
      } else if (found.isFIFO()) {
        await access(path, constants.W_OK).catch(failing(path, 'name a pipe that you may write to'));
      } else {
        touch(path, constants.O_WRONLY);
      }
    }
  } finally {
    for (const file of held) await file.abandon();
  }
}

/** Opens what is there, and writes no bytes into it: a device that is full refuses even that. */
function touch(path: string, flags: string | number): void {
  try {
    const file = openSync(path, flags);
    try {
      // The asynchronous call does not ask the device.
      writeSync(file, new Uint8Array(0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    failing(path, 'name a file that you may write to')(error as Error);
  }
}

/**
 * Copies the permissions and the group of the replaced file; if the group cannot be kept, group permissions are
 * dropped.
 */
async function keepAccess(handle: FileHandle, { mode, gid }: Stats): Promise<void> {
  const { uid, gid: own } = await handle.stat();
  const isKept =
    own === gid ||
    (await handle.chown(uid, gid).then(
      () => true,
      () => false,
    ));
  // Fails harmlessly on file systems without permissions.
  await handle.chmod(isKept ? mode & 0o777 : mode & 0o707).catch(() => {});
}

const NO_ROOM = 'make room on the disk, or name a file elsewhere';

async function openBeside(path: string, replaced: Stats | null): Promise<WholeFile> {
  const place = await placeOf(path);
  // Without the name of the target, which may be as long as the file system allows.
  const temporary = join(dirname(place), `.${randomUUID()}.part`);
  // Registered before the file exists, so that it can never be left behind.
  beginPart(temporary);
  // Restrictive from the start, so that others can never read it; the remaining permissions are set afterwards.
  const handle = await open(temporary, 'wx', replaced ? replaced.mode & 0o700 : undefined).catch(error => {
    endPart(temporary);
    return failing(path, 'name a file in a folder that you may write to')(error);
  });
  if (replaced !== null) await keepAccess(handle, replaced);
  const { write, close, requireWhole } = writing(path, handle, NO_ROOM);
  return {
    write,
    commit: async () => {
      requireWhole();
      await handle.sync().catch(failing(path, NO_ROOM));
      await close();
      await rename(temporary, place).catch(failing(path, 'name a file that you may replace'));
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
  const { write, close, requireWhole } = writing(path, handle, 'check the program that reads from it, or name a file');
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
 * A pipe can be opened once a process reads from it. This polls, because a thread blocked in `open` would keep the
 * process from ending.
 */
async function untilRead(path: string): Promise<FileHandle> {
  for (;;) {
    const handle = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENXIO') throw error;
    });
    if (handle !== undefined) return handle;
    await setTimeout(50);
  }
}

const failing =
  (path: string, remedy: string) =>
  (error: Error): never => {
    throw fileProblem(path, `cannot be written: ${error.message}; ${remedy}`);
  };

interface Writing {
  readonly write: WholeFile['write'];
  readonly close: () => Promise<void>;
  readonly requireWhole: () => void;
}

function writing(path: string, handle: FileHandle, remedy: string): Writing {
  let state: 'whole' | 'torn' | 'closed' = 'whole';
  return {
    write: async bytes => {
      try {
        await handle.writeFile(bytes);
      } catch (error) {
        state = 'torn';
        failing(path, remedy)(error as Error);
      }
    },
    close: async () => {
      if (state !== 'closed') await handle.close();
      state = 'closed';
    },
    requireWhole: () => {
      if (state !== 'whole') throw fileProblem(path, `cannot be completed: part of it was not written`);
    },
  };
}

/** Writes a text or bytes in one call. */
export async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  const file = await openWhole(path);
  try {
    await file.write(content);
    await file.commit();
  } finally {
    await file.abandon();
  }
}

/** Writes a text or bytes in one call, so that not even a loss of power undoes it. */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  await writeWhole(path, content);
  syncFolder(dirname(await placeOf(path)));
}

/**
 * Makes a folder and those that it is to be in, where they are not there. Node's own way of doing so never ends where a
 * folder is there but says that nothing can be in it, such as /proc.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(resolve(path));
  if (parent !== resolve(path)) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** A new file is durably named only once its folder is synced. Windows has no such call and needs none. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The real path of a file that may not exist yet, with all links resolved; a link may point to a missing file. */
export async function placeOf(path: string): Promise<string> {
  const found = await realpath(path).catch(({ code }: NodeJS.ErrnoException) => {
    if (code !== 'ELOOP') return undefined;
    throw fileProblem(path, `cannot be used: its symbolic links form a loop; name another file`);
  });
  if (found !== undefined) return found;
  const folder = await realpath(dirname(path)).catch(() => resolve(dirname(path)));
  const place = join(folder, basename(path));
  const next = await readlink(place).catch(() => undefined);
  return next === undefined ? place : placeOf(resolve(folder, next));
}
