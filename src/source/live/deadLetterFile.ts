import { type FileHandle, open } from 'node:fs/promises';
import { ArgumentError } from '../../errors.ts';
import { LF } from '../text/ascii.ts';
import type { DeadLetter, OpenLiveOptions } from './liveSource.ts';

export interface DeadLetterFile {
  readonly path: string;
  /** For `OpenLiveOptions`. */
  add(letter: DeadLetter): Promise<void>;
  /** Writes what could not be written before; throws if it still cannot. */
  close(): Promise<void>;
}

/** Letters that wait while the disk is full: some megabytes at most, as their records are cut. */
const MOST_WAITING = 1000;

/**
 * Appends dead letters to a file as lines of JSON, `{"place":…,"reason":…,"record":…}`, readable by its owner alone,
 * because records are data. While the file cannot be written, the stream goes on: the latest 1,000 letters wait, and
 * `onProblem` takes why, with how many are lost, and null when all that waited are written. After a crash, a letter may be
 * there twice, and a line that was cut short is ended.
 */
export async function deadLetterFile(
  path: string,
  { onProblem }: Pick<OpenLiveOptions, 'onProblem'> = {},
): Promise<DeadLetterFile> {
  const file = await open(path, 'a+', 0o600).catch((error: Error) => {
    throw new ArgumentError(
      `${path} cannot be written: ${error.message}; name a file that you may write to`,
      'ERR_FILE',
      {
        file: path,
      },
    );
  });
  let waiting: string[] = [];
  let lost = 0;
  let failed: Error | undefined;
  // One at a time and in order.
  let work = Promise.resolve();

  const attempt = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const text = waiting.join('');
    try {
      await file.appendFile((await endsLine(file)) ? text : `\n${text}`);
      waiting = [];
      if (failed !== undefined) onProblem?.(null);
      [failed, lost] = [undefined, 0];
    } catch (error) {
      failed = error as Error;
      lost += Math.max(0, waiting.length - MOST_WAITING);
      waiting = waiting.slice(-MOST_WAITING);
      const losses = lost === 0 ? '' : `; ${lost} dead letters are lost`;
      onProblem?.(`${path} cannot be written: ${failed.message}${losses}`);
    }
  };
  const next = (): Promise<void> => {
    work = work.then(attempt);
    return work;
  };
  return {
    path,
    add: ({ place, reason, record }) => {
      waiting.push(`${JSON.stringify({ place, reason, record })}\n`);
      return next();
    },
    close: async () => {
      await next();
      await file.close();
      if (failed !== undefined) throw failed;
    },
  };
}

async function endsLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] === LF;
}
