import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ArgumentError } from '../errors.ts';

/** Works in a folder of checkpoints; what fails there says which folder it is. */
export function inFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ArgumentError(
      `the folder ${folder} of checkpoints cannot be used: ${(error as Error).message}; name one that you may write to, with all its files`,
      'ERR_FILE',
      { file: folder },
    );
  }
}

/** The text of a file; null where there is none. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ArgumentError(`${path} cannot be read: ${(error as Error).message}; check its permissions`, 'ERR_FILE', {
      file: path,
    });
  }
}

/** Refuses a checkpoint of another run: names the first difference between a fact that it keeps and that of this run. */
export function requireSameRun(path: string, name: string, was: unknown, is: unknown): void {
  const [where, before, now] = differenceOf(name, was, is) ?? [];
  if (where === undefined) return;
  throw new ArgumentError(
    `the checkpoint ${path} is of another run: ${where} was ${before}, and is ${now}; run with what it was, or name another folder with \`checkpoint\``,
    'ERR_CONFLICT',
    { file: path, differs: where },
  );
}

/** Where two records differ first, and what is there. */
function differenceOf(name: string, was: unknown, is: unknown): readonly [string, string, string] | undefined {
  if (isDeepStrictEqual(was, is)) return undefined;
  if (isRecord(was) && isRecord(is)) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const found = differenceOf(
        name === 'options' ? `\`${key}\`` : `${name} ${Array.isArray(was) ? Number(key) + 1 : key}`,
        was[key],
        is[key],
      );
      if (found !== undefined) return found;
    }
  }
  return [name, shown(was), shown(is)];
}

const isRecord = (data: unknown): data is Record<string, unknown> => typeof data === 'object' && data !== null;

/** Long enough for a bound, a name or a time. */
const MOST_SHOWN = 80;

const shown = (data: unknown): string => {
  const text = data === undefined ? 'not given' : JSON.stringify(data);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
};
