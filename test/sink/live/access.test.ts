import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listenAddress, listenToken } from '../../../src/sink/live/access.ts';

describe('the address of the page', () => {
  it('is a host and a port, or a port of this machine', () => {
    expect(listenAddress('127.0.0.1:8787')).to.deep.equal({ host: '127.0.0.1', port: 8787 });
    expect(listenAddress('[::1]:80')).to.deep.equal({ host: '::1', port: 80 });
    expect(listenAddress(':8787')).to.deep.equal({ host: '127.0.0.1', port: 8787 });
    expect(listenAddress('8787')).to.deep.equal({ host: '127.0.0.1', port: 8787 });
    for (const text of ['', 'localhost', 'a:b', 'http://localhost:1', '::1:80', 'localhost:99999', 'a b:1']) {
      expect(() => listenAddress(text), text).to.throw(/listen must be HOST:PORT/);
    }
  });
});

describe('the token of the page', () => {
  it('comes from the environment, or from a file that it names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-token-'));
    try {
      const file = join(folder, 'token');
      writeFileSync(file, '  from the file\n');
      expect(await listenToken({})).to.equal(undefined);
      expect(await listenToken({ SLUICE_LISTEN_TOKEN: 'given', SLUICE_LISTEN_TOKEN_FILE: file })).to.equal('given');
      expect(await listenToken({ SLUICE_LISTEN_TOKEN_FILE: file })).to.equal('from the file');
      const missing = await listenToken({ SLUICE_LISTEN_TOKEN_FILE: join(folder, 'none') }).catch(error => error);
      expect(missing.code).to.equal('ERR_FILE');
      expect(missing.message).to.match(/SLUICE_LISTEN_TOKEN_FILE cannot be read/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
