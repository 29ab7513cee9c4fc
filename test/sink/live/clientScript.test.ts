import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { clientScript } from '../../../src/sink/live/clientScript.ts';
import { embedded, target } from '../../../tools/embed.ts';

describe('the script of the live page', () => {
  it('is what its sources are bundled to', async () => {
    expect(await embedded(), 'run `npm run embed`').to.equal(readFileSync(target, 'utf8'));
  });

  it('sets texts only as text, and asks nobody but its server', () => {
    expect(clientScript).not.to.match(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/);
    expect([...clientScript.matchAll(/(?:fetch|EventSource)\("([^"]*)"/g)].map(([, path]) => path)).to.have.members([
      '/login',
      '/events',
      '/healthz',
    ]);
    expect(clientScript.match(/https?:\/\/[^"'\s]+/g)).to.deep.equal(['http://www.w3.org/2000/svg']);
  });
});
