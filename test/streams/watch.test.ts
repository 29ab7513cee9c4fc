import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { bundleOfCli } from '../support/runCli.ts';
import { type NatsServer, natsServer } from './support/natsServer.ts';
import { type NatsTools, natsTools } from './support/natsStreams.ts';

describe('sluice watch on NATS', () => {
  let folder: string;
  let server: NatsServer;
  let tools: NatsTools;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
    server = await natsServer();
    tools = await natsTools(server.port);
  });
  after(async () => {
    await tools?.close();
    await server?.remove();
    rmSync(folder, { recursive: true });
  });

  it('publishes each estimate once over a kill, and takes dead letters to a subject', async () => {
    for (const stream of ['rows', 'estimates', 'dead']) await tools.make(stream);
    const random = seeded(8, 'rows');
    const rows = Array.from({ length: 6000 }, () => {
      const a = normal(random);
      return { a, y: 2 * a + normal(random) };
    });
    const payloads = rows.map(row => Buffer.from(JSON.stringify(row)));
    await tools.publish('rows.in', [...payloads.slice(0, 1500), Buffer.from('no row'), ...payloads.slice(1500)]);
    const args = [
      ...['watch', `${server.url}/rows`, '--target', 'y', '--quiet', '--checkpoint', join(folder, 'state')],
      ...['--publish', `${server.url}/estimates.y`, '--dead-letters', `${server.url}/dead.rows`],
      ...['--chunk', '500', '--out', join(folder, 'model.json')],
    ];
    const countOf = async (stream: string): Promise<number> =>
      (await tools.manager.streams.info(stream)).state.messages;
    const first = spawn(process.execPath, [...bundleOfCli(), ...args]);
    while ((await countOf('estimates')) < 3) await pause(5);
    const killed = new Promise(done => first.once('exit', done));
    first.kill('SIGKILL');
    await killed;
    const second = spawn(process.execPath, [...bundleOfCli(), ...args, '--until-rows', '6000']);
    let stderr = '';
    second.stderr.on('data', part => {
      stderr += part;
    });
    expect(await new Promise(done => second.once('exit', done)), stderr).to.equal(0);
    const estimates = [];
    for (let seq = 1; seq <= (await countOf('estimates')); seq++)
      estimates.push(JSON.parse((await tools.manager.streams.getMessage('estimates', { seq }))!.string()));
    expect(estimates.map(({ chunk }) => chunk)).to.deep.equal(Array.from({ length: 12 }, (_, chunk) => chunk));
    const model = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8'));
    expect(model.coefficients.a).to.equal(estimates.at(-1).coefficients.a.estimate);
    // Sixty standard errors.
    expect(model.coefficients.a).to.be.closeTo(2, 0.8);
    const letter = (await tools.manager.streams.getMessage('dead', { seq: 1 }))!;
    expect([letter.string(), await countOf('dead')]).to.deep.equal(['no row', 1]);
    expect(letter.header.get('Sluice-Source')).to.equal(`${server.url}/rows`);
  });

  it('says what is wrong with a topic before anything is read, and ends while it waits for a broker', async () => {
    const run = (...more: readonly string[]) =>
      spawn(process.execPath, [...bundleOfCli(), 'watch', `${server.url}/rows`, '--target', 'y', ...more]);
    const wrong = run('--publish', `${server.url}/nowhere`);
    let stderr = '';
    wrong.stderr.on('data', part => {
      stderr += part;
    });
    expect(await new Promise(done => wrong.once('close', done))).to.equal(2);
    expect(stderr).to.include('is stored by no stream');
    const away = 'nats://127.0.0.1:1/estimates.y';
    const watch = ['watch', '--target', 'y', '--quiet'];
    const given = [
      [...watch, `${server.url}/rows`, '--publish', away],
      [...watch, away.replace('estimates.y', 'rows')],
      [...watch, 'kafka://127.0.0.1:1/rows', '--checkpoint', join(folder, 'waiting')],
    ];
    for (const args of given) {
      const waiting = spawn(process.execPath, [...bundleOfCli(), ...args]);
      const said = String(await new Promise(done => waiting.stderr.once('data', done)));
      expect(said).to.match(/^waiting for (nats|kafka):\/\/127.0.0.1:1\/\S+: connect ECONNREFUSED 127.0.0.1:1\n/);
      waiting.kill('SIGTERM');
      expect(await new Promise(done => waiting.once('close', done))).to.equal(0);
    }
  });
});
