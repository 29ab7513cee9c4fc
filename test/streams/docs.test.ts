import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseModel } from '../../src/model/model.ts';
import { readLedgerFile } from '../../src/privacy/ledgerFile/readLedgerFile.ts';
import { type PlainBuild, plainBuild } from '../support/plainBuild.ts';
import { freePort } from './support/serverProcess.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const page = readFileSync(join(project, 'docs/streams.md'), 'utf8');
const blocks = [...page.matchAll(/```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?/gs)].map(([, commands, shown]) => ({
  commands: commands!,
  shown,
}));

/** Numbers depend on rows, which are drawn anew; the table's width depends on the numbers. */
const shapeOf = (text: string): string => text.replaceAll(/-?\d[\d.]*(?:e-?\d+)?/g, '#').replaceAll(/ +/g, ' ');

describe('docs/streams.md', () => {
  let build: PlainBuild;
  let folder: string;
  let ports: Readonly<Record<string, number>>;
  const at = (...names: readonly string[]): string => join(folder, 'out', ...names);
  before(async () => {
    ports = { 4222: await freePort(), 8787: await freePort() };
    build = plainBuild('src', 'pipelines/trips.ts');
    symlinkSync(join(project, 'node_modules'), build.compiled('node_modules'));
    copyFileSync(join(project, 'package.json'), build.compiled('package.json'));
    folder = build.folder();
    const built = (name: string): string => `'${process.execPath}' '${build.compiled(name)}'`;
    // `npx sluice` and `npx tsx pipelines/….ts`, compiled; `pip` installs into a folder of this test.
    program(
      'npx',
      `case "$1 $2" in\n'tsx pipelines/trips.ts') shift 2; exec ${built('pipelines/trips.ts')} "$@";;\n'sluice '*) shift; exec ${built('src/cli/main.ts')} "$@";;\nesac\necho "no such command: $*"; exit 1`,
    );
    program('pip', `exec python3 -m pip "$@" --target '${join(folder, 'packages')}'`);
    function program(name: string, text: string): void {
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, name), 0o755);
    }
  });
  after(() => {
    for (const name of ['watch.pid', 'nats.pid']) {
      if (!existsSync(at(name))) continue;
      try {
        process.kill(Number(readFileSync(at(name), 'utf8')), 'SIGKILL');
      } catch {
        // The page has ended it.
      }
    }
    build.remove();
  });

  const run = (commands: string): Promise<{ code: number; stdout: string; stderr: string }> =>
    new Promise(done => {
      const PATH = [folder, join(folder, 'packages/bin'), process.env.PATH].join(delimiter);
      const text = commands.replaceAll(/\b(4222|8787)\b/g, port => String(ports[port]));
      execFile('/bin/sh', ['-ec', text], { cwd: folder, env: { ...process.env, PATH } }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });

  for (const { commands, shown } of blocks) {
    it(`${commands.trim().split('\n').at(-1)!.slice(0, 70)} … does what the page says`, async () => {
      const { code, stdout, stderr } = await run(commands);
      expect(code, stderr).to.equal(0);
      if (shown !== undefined) expect(shapeOf(stdout)).to.equal(shapeOf(shown));
    });
  }

  it('leaves models near the truth, one charge, and no process', async () => {
    const modelOf = (name: string) => parseModel(readFileSync(at(name), 'utf8'), name);
    // Standard errors of 0.001 and some 0.01: false alarms would take more than ten of them.
    expect(modelOf('fare.json').coefficients.distance).to.be.closeTo(2.2, 0.02);
    const safe = modelOf('private.json');
    expect(safe.coefficients.distance).to.be.closeTo(2.2, 0.1);
    expect(safe.ledger).to.include({ private: true, epsilon: 1, delta: 1e-6 });
    const { runs } = readLedgerFile(at('trips.ledger')).accounts[0]!;
    expect(runs).to.have.length(1);
    expect(runs[0]).to.include({ charges: 1, isFinished: false });
    for (const port of Object.values(ports)) await untilFree(port);
  });

  it('links to what exists', () => {
    for (const [, link] of page.matchAll(/\]\(([^)#:]+)\)/g))
      expect(existsSync(join(project, 'docs', link!)), link).to.equal(true);
  });
});

/** Waits until nobody listens: both were told to end, and end in order. */
async function untilFree(port: number): Promise<void> {
  for (let isFree = false; !isFree; ) {
    isFree = await new Promise<boolean>(done => {
      const server = createServer().once('error', () => setTimeout(() => done(false), 100));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
  }
}
