import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ArgumentError } from '../math/check.ts';

/** The real path of a file that may not exist yet, with all links resolved; a link may point to a missing file. */
export async function placeOf(path: string): Promise<string> {
  const found = await realpath(path).catch(({ code }: NodeJS.ErrnoException) => {
    if (code !== 'ELOOP') return undefined;
    throw new ArgumentError(`${path} cannot be used: its symbolic links form a loop; name another file`);
  });
  if (found !== undefined) return found;
  const folder = await realpath(dirname(path)).catch(() => resolve(dirname(path)));
  const place = join(folder, basename(path));
  const next = await readlink(place).catch(() => undefined);
  return next === undefined ? place : placeOf(resolve(folder, next));
}
