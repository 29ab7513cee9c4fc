import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives the suite it is called in a function that writes bytes to a file and returns its path; the file is gone
 * afterwards.
 */
export function temporaryFiles(): (bytes: Uint8Array) => string {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'parquet-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  return bytes => {
    const path = join(folder, 'file.parquet');
    writeFileSync(path, bytes);
    return path;
  };
}
