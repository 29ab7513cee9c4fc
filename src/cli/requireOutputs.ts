/**
 * Files that a command will write, checked before a row is read: a run of an hour must not end without a place for its
 * result, or on top of its own data.
 */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArgumentError, expandPaths, placeOf } from '../index.ts';

/** By the flag that names each; one that was not given is undefined. */
export type Files = Readonly<Record<string, string | undefined>>;

export interface Outputs {
  readonly outputs: Files;
  /** Files and patterns with rows to read. */
  readonly data: readonly string[];
  /** Other files that the command reads, or keeps. */
  readonly inputs?: Files;
}

export async function requireOutputs({ outputs, data, inputs = {} }: Outputs): Promise<void> {
  const given = named(outputs);
  if (given.length === 0) return;
  const taken = new Map<string, string>();
  const files = data.length === 0 || data.includes('-') ? [] : await expandPaths(data);
  for (const path of files) taken.set(await placeOf(path), 'holds the data');
  for (const [flag, path] of named(inputs)) taken.set(await placeOf(path), `is that of ${flag}`);
  for (const [flag, path] of given) {
    const place = await placeOf(path);
    await requirePlace(flag, path, place);
    const use = taken.get(place);
    if (use !== undefined) {
      throw new ArgumentError(
        `${flag} must name a file of its own, got ${JSON.stringify(path)}, which ${use}; name another`,
      );
    }
    taken.set(place, `is that of ${flag}`);
  }
}

const named = (files: Files): readonly (readonly [flag: string, path: string])[] =>
  Object.entries(files).flatMap(([flag, path]) => (path === undefined ? [] : [[flag, path] as const]));

/** Links are followed, so that it is their end that must be a place for a file. */
async function requirePlace(flag: string, path: string, place: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) {
    throw new ArgumentError(
      `${flag} must be a file, got the folder ${JSON.stringify(path)}; name a file in it`,
    );
  }
  if (found?.isSocket()) {
    throw new ArgumentError(
      `${flag} must be a file, got the socket ${JSON.stringify(path)}; name a file or a pipe`,
    );
  }
  // What is there is in a folder, though a link to a pipe may not tell in which.
  if (found !== undefined || (await isFolder(dirname(place)))) return;
  throw new ArgumentError(
    `${flag} must be in a folder that exists, got ${JSON.stringify(path)}; make ${dirname(place)}, or name another`,
  );
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;
