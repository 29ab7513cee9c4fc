import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { onlineFigures } from '../support/onlineFigures.ts';

const docs = new URL('../../docs/', import.meta.url);
const page = readFileSync(new URL('streams.md', docs), 'utf8');

describe('what docs/streams.md says was measured', () => {
  it('has pictures and tables that are made of the committed figures', () => {
    // In a process of its own, because Plot draws half a pixel aside where it finds a test runner.
    const program = fileURLToPath(new URL('../../bench/streamsPage.ts', import.meta.url));
    const told = (() => {
      try {
        return execFileSync(process.execPath, ['--import=tsx', program, '--check'], { encoding: 'utf8' });
      } catch (error) {
        return (error as { stdout: string }).stdout || String(error);
      }
    })();
    expect(told, 'npm run figures:streams renews them').to.equal('');
  });

  it('shows each picture, and has one table for each measurement', () => {
    for (const name of readdirSync(new URL('streams/', docs))) expect(page).to.include(`](streams/${name})`);
    const told = [...page.matchAll(/<!-- measured: ([^>]+) -->/g)].map(([, name]) => name);
    expect(told.sort()).to.deep.equal(
      ['peers', ...Object.keys(onlineFigures())].filter(name => name !== 'recovery').sort(),
    );
  });

  it('knows every figure by the sources that made it', () => {
    for (const [measurement, cells] of Object.entries(onlineFigures()))
      for (const { cell, repeats, sources, figures } of cells) {
        expect(sources, measurement).to.match(/^[0-9a-f]{16}$/);
        expect(repeats, JSON.stringify(cell)).to.be.greaterThan(0);
        expect(Object.keys(figures)).to.have.length.greaterThan(0);
      }
  });
});
