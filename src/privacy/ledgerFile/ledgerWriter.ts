import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileProblem } from '../../errors.ts';
import { syncFolder } from '../../files.ts';
import type { Book, DatasetAccount } from './book.ts';
import { takeLock } from './lock.ts';
import { parseLedger } from './readLedgerFile.ts';
import { chained, header, type LedgerRecord, NO_HASH } from './record.ts';

export interface LedgerWriter {
  account(dataset: string): DatasetAccount;
  readonly find: Book['find'];
  /** The hash of the last line. */
  head(): string;
  /** Returns once the line is on disk. */
  append(record: LedgerRecord): void;
  /** Releases the lock. */
  close(): void;
}

/**
 * Appends lines to a ledger file that this process has locked.
 *
 * Edge cases. A torn last line is replaced, in a single write, by a longer line that records it: a writer killed within
 * that write leaves a torn last line again. A file created for a run that was then refused is removed. Nothing more is
 * appended after a failed write or sync, because the state on disk is then unknown, nor to a file that another program
 * has replaced or changed.
 *
 * Locks the file, verifies it, and prepares it for the next line.
 */
export function ledgerWriter(path: string): LedgerWriter {
  const isMissing = !existsSync(path);
  const file = openFile(path);
  try {
    const place = realpathSync(path);
    const lock = takeLock(place);
    try {
      const writer = readied(path, file);
      // Another process may have created it, and written to it, before this process had the lock.
      let isUnused = isMissing && writer.isNew;
      syncFolder(dirname(place));
      let isOpen = true;
      return {
        ...writer,
        append: record => {
          if (!isOpen) throw fileProblem(path, `is closed; open it again to write more`);
          isUnused = false;
          writer.append(record);
        },
        close: () => {
          if (!isOpen) return;
          isOpen = false;
          // A refused run leaves no trace; a process that has opened the file meanwhile finds it gone before it writes.
          if (isUnused && isAt(place, file)) rmSync(place);
          closeSync(file);
          lock.release();
        },
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

const LINE_BREAK = 10;

function readied(path: string, file: number): Omit<LedgerWriter, 'close'> & { readonly isNew: boolean } {
  const bytes = readFileSync(file);
  const { book, hashes, torn } = parseLedger(path, bytes);
  let head = hashes.at(-1) ?? NO_HASH;
  let size = bytes.length;
  let end = size - torn.length;
  let failure: string | null = null;

  const write = (line: Buffer, kind?: LedgerRecord['kind']): void => {
    try {
      const found = fstatSync(file);
      if (found.nlink === 0 || found.size !== size) throw new Error('another program has replaced or changed it');
      for (let done = 0; done < line.length; ) {
        done += writeSync(file, line, done, line.length - done, end + done);
      }
      fsyncSync(file);
    } catch (error) {
      failure = (error as Error).message;
    }
    requireSound(kind);
    end += line.length;
    size = end;
  };
  const requireSound = (kind?: LedgerRecord['kind']): void => {
    if (failure === null) return;
    throw fileProblem(
      path,
      `cannot be written: ${failure}; ${kind === 'finished' ? 'the run counts as stopped, and costs what it charged' : 'the release that this line charges for was not made. Fix the cause and run again'}`,
    );
  };
  const append = (record: LedgerRecord): void => {
    requireSound(record.kind);
    const { line, hash } = chained(head, record);
    write(line, record.kind);
    head = hash;
    book.enter(record);
  };

  const at = new Date().toISOString();
  if (hashes.length === 0) {
    ftruncateSync(file);
    end = size = 0;
    append(header(at));
  } else if (torn.length > 0) {
    append({ kind: 'mended', at, cut: torn.toString('base64') });
  } else if (bytes.at(-1) !== LINE_BREAK) {
    write(Buffer.of(LINE_BREAK));
  }
  return {
    account: dataset => book.account(dataset),
    find: run => book.find(run),
    head: () => head,
    append,
    isNew: bytes.length === 0,
  };
}

/** Whether an open file is still the one at that path. */
function isAt(path: string, file: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.ino === fstatSync(file).ino;
}

function openFile(path: string): number {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT);
    if (fstatSync(file).isFile()) return file;
    closeSync(file);
  } catch (error) {
    throw fileProblem(
      path,
      `cannot be opened: ${(error as Error).message}; name a file in a folder that you may write to`,
    );
  }
  throw fileProblem(path, `is not a regular file; name one, because a ledger must stay where it was written`);
}
