/** Files are written whole or not at all: into a temporary neighbour that takes the name when everything is on disk. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ArgumentError } from '../math/check.ts';

export interface WholeFile {
  write(bytes: Uint8Array | string): Promise<void>;
  /** Makes the file appear under its name. */
  commit(): Promise<void>;
  /** Leaves no trace; harmless after a commit. */
  abandon(): Promise<void>;
}

const unfinished = new Set<string>();

/** Removes, at once, what is still being written: for a process that is about to end. */
export function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
}

export async function openWhole(path: string): Promise<WholeFile> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.part`);
  const failing = (wayOut: string) => (error: Error) => {
    throw new ArgumentError(`${path} cannot be written: ${error.message}; ${wayOut}`);
  };
  const handle = await open(temporary, 'wx').catch(failing('name a file in a folder that you may write to'));
  unfinished.add(temporary);
  let state: 'whole' | 'torn' | 'closed' = 'whole';
  const close = async (): Promise<void> => {
    if (state !== 'closed') await handle.close();
    state = 'closed';
  };
  return {
    write: async bytes => {
      try {
        await handle.writeFile(bytes);
      } catch (error) {
        state = 'torn';
        failing('make room on the disk, or name a file elsewhere')(error as Error);
      }
    },
    commit: async () => {
      if (state !== 'whole') throw new ArgumentError(`${path} cannot be completed: a part of it is missing`);
      await handle.sync();
      await close();
      await rename(temporary, path).catch(failing('name a file, not a folder'));
      unfinished.delete(temporary);
    },
    abandon: async () => {
      await close();
      await rm(temporary, { force: true });
      unfinished.delete(temporary);
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
