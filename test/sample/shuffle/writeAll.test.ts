import { closeSync, existsSync, openSync } from 'node:fs';
import { expect } from 'chai';
import { DataError } from '../../../src/errors.ts';
import { writeAll } from '../../../src/sample/shuffle/scratchFile.ts';
import { itWhere } from '../../support/itWhere.ts';

const bytes = Uint8Array.from({ length: 10 }, (_, i) => i);

/** A file that takes 3 bytes a call and no more than `room` in all. */
function shortOf(room: number) {
  const taken = new Map<number, number>();
  const write = (_: number, from: NodeJS.ArrayBufferView, start = 0, length = 0, position = 0): number => {
    if (taken.size >= room) throw new Error('ENOSPC: no space left on device, write');
    const count = Math.min(3, length, room - taken.size);
    for (let i = 0; i < count; i++) taken.set(position + i, (from as Uint8Array)[start + i]!);
    return count;
  };
  return { taken, write: write as Parameters<typeof writeAll>[4] };
}

describe('writeAll', () => {
  it('goes on where a call takes only some of the bytes', () => {
    const { taken, write } = shortOf(10);
    writeAll(0, bytes, 100, '/scratch', write);
    expect([...taken]).to.deep.equal([...bytes].map(value => [100 + value, value]));
  });

  it('tells of a disk that fills, and what to do', () => {
    const { write } = shortOf(5);
    expect(() => writeAll(0, bytes, 0, '/scratch', write)).to.throw(
      DataError,
      /^\/scratch: has no more space for the temporary file of the shuffle \(ENOSPC: .*\); use `scratch` to name a folder with more space, or use `order: 'as-is'`/,
    );
  });

  // A device of Linux that is always full.
  itWhere(existsSync('/dev/full'))('tells so of a real one', () => {
    const full = openSync('/dev/full', 'w');
    expect(() => writeAll(full, bytes, 0, '/dev')).to.throw(DataError, 'ENOSPC');
    closeSync(full);
  });
});
