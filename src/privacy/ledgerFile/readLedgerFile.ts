import { readFileSync } from 'node:fs';
import { ArgumentError, fileProblem } from '../../errors.ts';
import { type DatasetAccount, openBook } from './book.ts';
import { NO_HASH, OPENING, parseRecord, unchained, VERSION } from './record.ts';

/** What a ledger file holds, once its chain of hashes is verified. */
export interface LedgerContents {
  readonly lines: number;
  /** The hash of the last line; keeping it lets one verify later that no line up to here is missing. */
  readonly head: string;
  /** How often a torn line was removed. */
  readonly mended: number;
  /** The number of bytes of a torn last line. */
  readonly torn: number;
  readonly accounts: readonly DatasetAccount[];
  /** Whether a line has this hash. */
  holds(hash: string): boolean;
}

/**
 * Reads a ledger file and verifies its chain, without a lock and without touching the file.
 *
 * A last line without its line break is what a killed writer leaves, or what a reader sees of a line being written. If
 * it is whole, it counts. If it is torn, its release was never made: noise is drawn only once the line is on disk.
 */
export function readLedgerFile(path: string): LedgerContents {
  const { book, hashes, mended, torn } = parseLedger(path, bytesOf(path));
  return {
    lines: hashes.length,
    head: hashes.at(-1) ?? NO_HASH,
    mended,
    torn: torn.length,
    accounts: book.accounts(),
    holds: hash => hashes.includes(hash),
  };
}

export function parseLedger(path: string, bytes: Buffer) {
  const book = openBook();
  const hashes: string[] = [];
  let mended = 0;
  const refuse = (problem: string): never => {
    throw new ArgumentError(`${path}, line ${hashes.length + 1}: ${problem}`, 'ERR_FILE', {
      file: path,
      line: hashes.length + 1,
    });
  };
  let start = 0;
  while (start < bytes.length) {
    const lineBreak = bytes.indexOf('\n', start);
    const end = lineBreak < 0 ? bytes.length : lineBreak;
    const line = bytes.subarray(start, end);
    if (hashes.length === 0) requireOpening(path, bytes);
    const link = unchained(hashes.at(-1) ?? NO_HASH, line);
    if (link === null && lineBreak < 0) break;
    if (link === null) return refuse(BROKEN);
    try {
      const record = parseRecord(link.body);
      if ((record.kind === 'ledger') !== (hashes.length === 0))
        throw new ArgumentError('it is a second ledger header', 'ERR_FILE', { kind: record.kind });
      if (record.kind === 'ledger' && record.version !== VERSION)
        throw new ArgumentError(
          `the ledger has version ${record.version}, but this program supports ${VERSION}; use a newer sluice`,
          'ERR_FILE',
          { version: record.version },
        );
      if (record.kind === 'mended') mended++;
      book.enter(record);
    } catch (error) {
      refuse(`the chain is intact here, but the line cannot be used: ${(error as Error).message}`);
    }
    hashes.push(link.hash);
    start = end + 1;
  }
  return { book, hashes, mended, torn: bytes.subarray(start) };
}

const BROKEN =
  'the chain is broken: this line does not follow from those before it, so it was changed, moved or inserted, or a line ' +
  'before it is missing; restore an earlier copy of the file. Without one, what was spent on its data sets is unknown, ' +
  'and nothing more should be released from them';

/** So that no other file is mistaken for a ledger with a torn first line, and overwritten. */
function requireOpening(path: string, bytes: Buffer): void {
  if (OPENING.startsWith(bytes.subarray(0, OPENING.length).toString('latin1'))) return;
  throw fileProblem(path, `is not a ledger; name a file written by \`openLedgerFile\`, or a new one`);
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fileProblem(path, `cannot be read: ${(error as Error).message}; name a file written by \`openLedgerFile\``);
  }
}
