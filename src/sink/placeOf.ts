import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ArgumentError } from '../math/check.ts';

/** Where a file is, or would be, whatever links lead to it; a link may lead to what is not there yet. */
export async function placeOf(path: string): Promise<string> {
  const found = await realpath(path).catch(({ code }: NodeJS.ErrnoException) => {
    if (code !== 'ELOOP') return undefined;
    throw new ArgumentError(`${path} cannot be used: its links lead back to themselves; name another file`);
  });
  if (found !== undefined) return found;
  const folder = await realpath(dirname(path)).catch(() => resolve(dirname(path)));
  const place = join(folder, basename(path));
  const next = await readlink(place).catch(() => undefined);
  return next === undefined ? place : placeOf(resolve(folder, next));
}
