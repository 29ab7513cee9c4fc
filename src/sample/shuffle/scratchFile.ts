import { mkdtempSync, rmdirSync, statfsSync, unlinkSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataError, dataError } from '../../errors.ts';

/** What a temporary file is for, and what to do instead of using one, for messages. */
export interface ScratchUse {
  readonly name: string;
  readonly instead: string;
}

const SHUFFLE: ScratchUse = {
  name: 'the shuffle',
  instead: "use `order: 'as-is'` if the rows already come in random order",
};

/**
 * A temporary file for rows, in a folder that only its owner can enter, and unlinked as soon as it is open: whatever
 * happens to the process, no data are left behind. Free space is checked first.
 */
export async function openScratchFile(
  bytes: number,
  folder = tmpdir(),
  use: ScratchUse = SHUFFLE,
): Promise<FileHandle> {
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < bytes * 1.05) {
      throw dataError(
        { table: folder },
        `has ${bavail * bsize} bytes free, but shuffling needs ${bytes}`,
        roomier(use),
      );
    }
    return await openUnlinked(folder);
  } catch (error) {
    throw error instanceof DataError ? error : folderError(folder, error as NodeJS.ErrnoException, use);
  }
}

async function openUnlinked(folder: string): Promise<FileHandle> {
  const own = mkdtempSync(join(folder, 'sluice-'));
  const path = join(own, 'rows');
  try {
    const file = await open(path, 'wx+', 0o600);
    unlinkSync(path);
    return file;
  } finally {
    rmdirSync(own);
  }
}

function folderError(
  folder: string,
  { code, message }: NodeJS.ErrnoException,
  { name, instead }: ScratchUse,
): DataError {
  const problem =
    code === 'ENOENT'
      ? `there is no such folder for the temporary file of ${name}`
      : code === 'ENOTDIR'
        ? `is not a folder, which the temporary file of ${name} needs`
        : `does not accept the temporary file of ${name} (${message})`;
  return dataError(
    { table: folder },
    problem,
    `use \`scratch\` to name a folder that this user may write to, or ${instead}`,
  );
}

/** The remedy if a folder has too little space. */
const roomier = ({ instead }: ScratchUse): string => `use \`scratch\` to name a folder with more space, or ${instead}`;

/**
 * Writes all bytes to a temporary file in `folder`, in several calls if needed: a disk that is nearly full accepts some
 * bytes and rejects the rest.
 */
export function writeAll(
  fd: number,
  bytes: Uint8Array,
  position: number,
  folder: string,
  write: typeof writeSync = writeSync,
  use: ScratchUse = SHUFFLE,
): void {
  try {
    for (let done = 0; done < bytes.length; ) done += write(fd, bytes, done, bytes.length - done, position + done);
  } catch (error) {
    const { message } = error as Error;
    throw dataError(
      { table: folder },
      `has no more space for the temporary file of ${use.name} (${message})`,
      roomier(use),
    );
  }
}
