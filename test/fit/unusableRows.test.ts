import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { withPlace } from '../../src/fit/unusableRows.ts';
import { openRows } from '../../src/source/read/openRows.ts';

describe('withPlace', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-large-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('names the file and its own row of a value that is too large, whichever of several files it is', async () => {
    const paths = ['first.csv', 'second.csv', 'third.csv'].map(name => join(folder, name));
    for (const [k, path] of paths.entries()) {
      const lines = Array.from({ length: 100 }, (_, i) => `${k === 1 && i === 5 ? '1e300' : i},${i % 7}`);
      writeFileSync(path, `x,y\n${lines.join('\n')}\n`);
    }
    for (const batchRows of [64, 1000]) {
      const samples = await openRows(paths, { target: 'y', batchRows });
      const told = await withPlace(
        new ArgumentError('1e+300 is too large to square', 'ERR_TOO_LARGE', { value: 1e300 }),
        samples,
        true,
      );
      expect((told as Error).message.split(';')[0]).to.equal(
        `${paths[1]}, column "x", row 5, counted from 0: 1e+300 is too large to square`,
      );
      await samples.close();
    }
  });
});
