import { existsSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { byteSource } from '../../../src/source/text/byteSource.ts';
import { chunks } from './chunks.ts';
import { failure } from './failure.ts';

const textOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = '';
  for await (const chunk of bytes) text += Buffer.from(chunk).toString();
  return text;
};

/** Whether this process has the file open, where the system can say so. */
function isOpen(path: string): boolean | undefined {
  const handles = '/proc/self/fd';
  if (!existsSync(handles)) return undefined;
  return readdirSync(handles).some(handle => {
    try {
      return readlinkSync(join(handles, handle)) === path;
    } catch {
      return false;
    }
  });
}

describe('byteSource of a file', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-')));
  const path = join(folder, 'bytes');
  before(() => writeFileSync(path, 'x'.repeat(3 << 20)));
  after(() => rmSync(folder, { recursive: true }));

  it('gives all bytes, again and again', async () => {
    const source = byteSource(path, path);
    for (let i = 0; i < 2; i++) {
      expect((await textOf(source.look())).length).to.equal(3 << 20);
      expect((await textOf(source.read())).length).to.equal(3 << 20);
    }
  });

  it('has the file open only while it is read, and closes it when the reader leaves early', async () => {
    const source = byteSource(path, path);
    for await (const _ of source.read()) {
      expect(isOpen(path)).to.be.oneOf([true, undefined]);
      break;
    }
    expect(isOpen(path)).to.be.oneOf([false, undefined]);
  });

  it('says what is wrong with a file that cannot be read', async () => {
    const readAll = (file: string) => failure(() => textOf(byteSource(file, file).read()));
    expect(await readAll(join(folder, 'absent'))).to.include('there is no such file; check the path');
    expect(await readAll(folder)).to.include('is a folder; name its files');
  });
});

describe('byteSource of a stream', () => {
  it('lets the beginning be looked at, as often as wanted, and loses nothing of it', async () => {
    const source = byteSource(chunks('abcdefgh', 2), 'stream');
    for (const looks of [1, 3, 2]) {
      let seen = '';
      for await (const chunk of source.look()) {
        seen += Buffer.from(chunk).toString();
        if (seen.length === 2 * looks) break;
      }
      expect(seen).to.equal('abcdefgh'.slice(0, 2 * looks));
    }
    expect(await textOf(source.read())).to.equal('abcdefgh');
  });

  it('keeps what it has looked at even if the stream uses its memory again', async () => {
    async function* reusing(): AsyncGenerator<Uint8Array> {
      const chunk = Buffer.alloc(2);
      for (const text of ['ab', 'cd', 'ef']) {
        chunk.write(text);
        yield chunk;
      }
    }
    const source = byteSource(reusing(), 'stream');
    expect(await textOf(source.look())).to.equal('abcdef');
    expect(await textOf(source.read())).to.equal('abcdef');
  });

  it('can be read once', async () => {
    const source = byteSource(chunks('abc'), 'stream');
    await textOf(source.read());
    expect(await failure(() => textOf(source.read()))).to.equal(
      'stream: can be read only once; save it as a file to read it again',
    );
  });

  it('ends the stream when the reader leaves early, and when it is closed unread', async () => {
    for (const leave of ['early', 'unread']) {
      let ended = false;
      async function* watched(): AsyncGenerator<Uint8Array> {
        try {
          yield* chunks('abc', 1);
        } finally {
          ended = true;
        }
      }
      const source = byteSource(watched(), 'stream');
      for await (const _ of source.look()) break;
      expect(ended).to.equal(false);
      if (leave === 'early') for await (const _ of source.read()) break;
      else await source.close();
      expect(ended, leave).to.equal(true);
    }
  });
});
