import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { requireScratch } from '../../../src/cli/commands/fitCommand.ts';
import { ArgumentError } from '../../../src/index.ts';

describe('requireScratch', () => {
  it('refuses what is not a folder, though rows might fit in memory and never need it', () => {
    for (const scratch of [join(tmpdir(), 'no', 'such', 'folder'), fileURLToPath(import.meta.url)])
      expect(() => requireScratch({ scratch })).to.throw(
        ArgumentError,
        `--scratch ${scratch} is not a folder; name a folder that this user may write to, or leave it out`,
      );
  });

  it('lets a folder pass, and none', () => {
    requireScratch({ scratch: tmpdir() });
    requireScratch({});
  });
});
