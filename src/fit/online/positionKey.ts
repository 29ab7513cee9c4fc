import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileProblem } from '../../errors.ts';
import { syncFolder } from '../../files.ts';
import { unitKey } from '../../sample/transform/unitTable.ts';

/**
 * The secret key under which private runs of a ledger seal their positions, in a file beside it, `LEDGER.key`, that only
 * its owner can read: a checkpoint may be copied or shown, and the key is not in its folder. The first run makes the key;
 * one that goes on must find it.
 */
export function positionKey(ledger: string, isBegun: boolean): Uint8Array {
  const path = `${ledger}.key`;
  try {
    if (!isBegun) makeKey(path);
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    const why = (error as Error).message;
    throw fileProblem(
      path,
      `is the key by which a private stream is known again, and cannot be used: ${why}; bring it back to where the ledger is`,
    );
  }
}

/** Written under another name and linked into place: it appears whole, and only where there is none. */
function makeKey(path: string): void {
  const draft = `${path}.${randomUUID()}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, unitKey());
    fsyncSync(file);
    linkSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    rmSync(draft, { force: true });
  }
}
