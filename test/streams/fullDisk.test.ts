/** A disk that fills while a stream is watched. It is a small one in memory, in a name space of the watcher's own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { bundleOfCli } from '../support/runCli.ts';
import { labelledRow } from './support/labelledRows.ts';
import { type NatsServer, natsServer } from './support/natsServer.ts';
import { type NatsTools, natsTools } from './support/natsStreams.ts';

const CHUNK = 500;

describe('sluice watch on a disk that fills', () => {
  let folder: string;
  let server: NatsServer;
  let tools: NatsTools;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-disk-'));
    mkdirSync(join(folder, 'disk'));
    server = await natsServer();
    tools = await natsTools(server.port);
  });
  after(async () => {
    await tools?.close();
    await server?.remove();
    rmSync(folder, { recursive: true });
  });

  it('keeps serving, says so, and goes on with every row once there is room', async () => {
    await tools.make('rows');
    const publish = (from: number, to: number): Promise<void> =>
      tools.publish(
        'rows.x',
        Array.from({ length: to - from }, (_, i) => labelledRow(from + i)),
      );
    const disk = join(folder, 'disk');
    const words = [process.execPath, ...bundleOfCli(), 'watch', `${server.url}/rows`, '--target', 'y']
      .concat(['--chunk', String(CHUNK), '--checkpoint', join(disk, 'state'), '--out', join(disk, 'model.json')])
      .concat(['--listen', '127.0.0.1:0', '--until-rows', String(6 * CHUNK)])
      .map(word => `'${word}'`)
      .join(' ');
    // A megabyte is asked for when a run begins, for each of its files.
    const script = `mount -t tmpfs -o size=4m none '${disk}' && exec ${words}`;
    const child: ChildProcess = spawn('unshare', ['--map-root-user', '--mount', 'sh', '-c', script]);
    let said = '';
    for (const output of [child.stdout!, child.stderr!])
      output.on('data', part => {
        said += part;
      });
    const ended = new Promise<number | null>(done => child.once('close', done));
    try {
      const seen = `/proc/${child.pid}/root${disk}`;
      const chunkNow = (): number => {
        const text = existsSync(`${seen}/model.json`) ? readFileSync(`${seen}/model.json`, 'utf8') : '{}';
        return JSON.parse(text).rows?.used ?? 0;
      };
      const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
        while (!(await isSo())) {
          expect(child.exitCode, said).to.equal(null);
          await pause(20);
        }
      };
      await publish(0, 2 * CHUNK);
      await until(() => chunkNow() === 2 * CHUNK);
      const { bavail, bsize } = statfsSync(seen);
      writeFileSync(`${seen}/ballast`, Buffer.alloc(Number(bavail) * Number(bsize)));
      const kept = readFileSync(`${seen}/state/checkpoint.json`, 'utf8');
      await publish(2 * CHUNK, 4 * CHUNK);
      const address = /http:\/\/127\.0\.0\.1:\d+/;
      await until(() => /no space left/i.test(said));
      const health = await fetch(`${address.exec(said)![0]}/healthz`);
      expect(await health.text()).to.match(/no space left/i);
      expect(readFileSync(`${seen}/state/checkpoint.json`, 'utf8')).to.equal(kept);
      expect(chunkNow()).to.equal(2 * CHUNK);
      rmSync(`${seen}/ballast`);
      await until(() => chunkNow() === 4 * CHUNK);
      const recovered = await fetch(`${address.exec(said)![0]}/healthz`);
      expect(await recovered.text()).to.not.match(/no space left/i);
      await publish(4 * CHUNK, 6 * CHUNK);
      expect(await ended, said).to.equal(0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
