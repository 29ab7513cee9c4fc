import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLive } from '../../../src/source/live/openLive.ts';
import { failureOf, readLive } from '../../support/liveRows.ts';

async function* stdin(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"x":1}\n{"x":2}\n');
}

describe('openLive', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-live-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('opens standard input, a folder and a growing file by their names', async () => {
    writeFileSync(join(folder, 'a.ndjson'), '{"x":1}\n{"x":2}\n');
    for (const name of ['-', folder, join(folder, 'a.ndjson')]) {
      const { rows } = await readLive(openLive(name, { stdin: stdin(), every: 20 }), {}, 2);
      expect(rows, name).to.deep.equal([{ x: 1 }, { x: 2 }]);
    }
  });

  it('takes an empty file for one that will grow, and a file by its bytes where its name says nothing', async () => {
    for (const [name, content] of [
      ['log', '{"x":1}\n'],
      ['empty', ''],
    ] as const) {
      const path = join(folder, name);
      writeFileSync(path, content);
      const { rows } = await readLive(openLive(path, { every: 20 }), {}, 1, at => {
        if (at === 0 && content === '') writeFileSync(path, '{"x":1}\n');
      });
      expect(rows).to.deep.equal([{ x: 1 }]);
    }
  });

  it('refuses a file that cannot grow, what is not there, another protocol, and credentials in a URL', async () => {
    writeFileSync(join(folder, 'a.csv'), 'x\n1\n');
    const opened = (name: string) => failureOf(readLive(openLive(name)));
    expect((await opened(join(folder, 'a.csv'))).message).to.match(
      /is no stream.*tail -n \+1 -f FILE \| sluice watch -/,
    );
    expect((await opened(join(folder, 'absent'))).message).to.match(/no such file/);
    expect(() => openLive('')).to.throw(/the name of a stream must be "-", a URL/);
    expect(() => openLive('amqp://host/queue')).to.throw(/must be like nats:\/\/host:4222\/stream or kafka:\/\//);
    expect(() => openLive('nats://me:secret@host/trips')).to.throw(/must hold no credentials/);
    expect(() => openLive('nats://me:secret@host/trips')).to.not.throw(/secret/);
  });
});
