/** Files that a command will write, checked before a row is read: a run of an hour must not end without a place for its result, or on top of its own data. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ArgumentError, expandPaths } from '../index.ts';

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
    await requireFolder(flag, path);
    const place = await placeOf(path);
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

async function requireFolder(flag: string, path: string): Promise<void> {
  const folder = dirname(path);
  if (!(await isFolder(folder))) {
    throw new ArgumentError(
      `${flag} must be in a folder that exists, got ${JSON.stringify(path)}; make ${folder}, or name another`,
    );
  }
  if (await isFolder(path)) {
    throw new ArgumentError(
      `${flag} must be a file, got the folder ${JSON.stringify(path)}; name a file in it`,
    );
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** Where a file is, or would be, whatever links lead to it. */
const placeOf = async (path: string): Promise<string> =>
  realpath(path).catch(async () =>
    join(await realpath(dirname(path)).catch(() => resolve(dirname(path))), basename(path)),
  );
