import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { expect } from 'chai';
import { isGone, newOwner, parseOwner } from '../../../src/privacy/ledgerFile/lock.ts';

const isLinux = process.platform === 'linux';

describe('an owner of a lock', () => {
  const me = newOwner();
  const ended = spawnSync(process.execPath, ['--version']).pid;

  it('is there while its process runs, and gone with it', () => {
    expect(isGone(me)).to.equal(false);
    expect(isGone({ ...me, pid: ended })).to.equal(true);
  });

  it('is gone when its number is used again, or its machine has started again', () => {
    expect(isGone({ ...me, started: '1' })).to.equal(isLinux);
    expect(isGone({ ...me, boot: 'before' })).to.equal(isLinux);
  });

  it('is taken for alive in doubt: on another machine, among other processes, where no start was known', () => {
    expect(isGone({ ...me, pid: ended, host: 'elsewhere' })).to.equal(false);
    expect(isGone({ ...me, pid: ended, machine: 'another' })).to.equal(false);
    expect(isGone({ ...me, pid: ended, namespace: 'pid:[1]' })).to.equal(false);
    expect(isGone({ ...me, boot: '' })).to.equal(false);
    expect(isGone({ ...me, started: '' })).to.equal(false);
    expect(isGone({ ...me, pid: 1, started: '' })).to.equal(false);
  });

  // Other systems do not tell.
  if (isLinux) {
    it('is gone when its process has ended but nobody has asked how', async () => {
      // The shell starts a child that waits for a line, and becomes a program that never asks how the child has ended.
      const shell = spawn('sh', ['-c', '(read line <&3) & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      });
      const until = async (isSo: () => boolean): Promise<void> => {
        for (let k = 0; k < 2000 && !isSo(); k++) await after(5);
        expect(isSo()).to.equal(true);
      };
      try {
        const pid = Number(await new Promise(done => shell.stdout!.once('data', done)));
        await until(() => readFileSync(`/proc/${shell.pid}/comm`, 'utf8') === 'sleep\n');
        const owner = { ...me, pid, started: '' };
        expect(isGone(owner)).to.equal(false);
        (shell.stdio[3] as Writable).end('\n');
        await until(() => readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z '));
        expect(isGone(owner)).to.equal(true);
      } finally {
        shell.kill('SIGKILL');
      }
    });
  }

  it('is read from what was written, and from nothing that could name another file', () => {
    expect(parseOwner(JSON.stringify(me))).to.deep.equal(me);
    for (const text of ['', 'null', '[]', JSON.stringify({ ...me, id: '../x' }), JSON.stringify({ ...me, pid: 0 })]) {
      expect(parseOwner(text), text).to.equal(null);
    }
  });
});
