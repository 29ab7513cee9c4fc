import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { readLedgerFile } from '../../src/privacy/ledgerFile/readLedgerFile.ts';
import { bundleOfCli, runCli } from '../support/runCli.ts';

interface Row {
  readonly a: number;
  readonly b: number;
  readonly y: number;
}

function rowsOf(count: number, seed: number): readonly Row[] {
  const random = seeded(seed, 'rows');
  return Array.from({ length: count }, () => {
    const [a, b] = [normal(random), normal(random)];
    return { a, b, y: 1 + 2 * a - b + normal(random) };
  });
}

const ndjson = (rows: readonly object[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('');
const csv = (rows: readonly Row[]): string => `a,b,y\n${rows.map(({ a, b, y }) => `${a},${b},${y}\n`).join('')}`;
const BOUNDS = ['--epsilon', '8', '--delta', '1e-6', '--bounds', 'a:-4..4,b:-4..4,y:-12..12'];

/** A watch in a process of its own. */
function watch(...args: readonly string[]) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [...bundleOfCli(), 'watch', ...args]);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', part => {
    said.stdout += part;
  });
  child.stderr.on('data', part => {
    said.stderr += part;
  });
  let isOver = false;
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(done =>
    child.once('close', (code, signal) => {
      isOver = true;
      done({ code, signal });
    }),
  );
  return {
    child,
    said,
    ended,
    lines: () =>
      said.stdout
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line)),
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) {
        if (isOver) throw new Error(`the watch ended: ${said.stderr}`);
        await pause(5);
      }
    },
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

describe('sluice watch', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const at = (...names: readonly string[]): string => join(folder, ...names);

  it('reads standard input to its end, and leaves the last estimate: printed, and as a model file', async () => {
    const out = at('model.json');
    for (const input of [csv(rowsOf(5000, 1)), ndjson(rowsOf(5000, 1))]) {
      const { code, stdout, stderr } = await runCli(['watch', '-', '--target', 'y', '--out', out], input);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^y {2}chunk 4 {2}5\.00 k rows .*\n\n.*95 % now.*95 % at any time\n {2}a /s);
      const model = JSON.parse(readFileSync(out, 'utf8'));
      expect(model.coefficients.a).to.be.closeTo(2, 0.1);
      expect(model.plan).to.include({ chunk: 1000, pilot: 1000 });
      expect((await runCli(['predict', out, '-', '--quiet'], 'a,b\n1,1\n')).stdout).to.match(/^{"prediction":/);
    }
  });

  it('prints one estimate a line with --json, and nothing else', async () => {
    const { code, stdout, stderr } = await runCli(
      ['watch', '-', '--target', 'y', '--json', '--quiet', '--chunk', '500'],
      csv(rowsOf(3000, 1)),
    );
    expect(code).to.equal(0);
    expect(stderr).to.equal('');
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.map(({ chunk }) => chunk)).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(lines.at(-1).coefficients.b.now[0]).to.be.below(-1);
  });

  it('takes files as they arrive in a folder, drops the open chunk on SIGTERM, ends with 0, and goes on', async () => {
    const source = at('in');
    mkdirSync(source);
    const arrives = (name: string, rows: readonly Row[]): void => {
      writeFileSync(at('draft'), csv(rows));
      renameSync(at('draft'), join(source, name));
    };
    const rows = rowsOf(6500, 2);
    arrives('part-1.csv', rows.slice(0, 2500));
    const args = [source, '--target', 'y', '--json', '--quiet', '--checkpoint', at('state'), '--out', at('model.json')];
    const first = watch(...args);
    await first.until(() => first.lines().length === 2);
    arrives('part-2.csv', rows.slice(2500, 3900));
    await first.until(() => first.lines().length === 3);
    expect(await first.stop(), first.said.stderr).to.deep.equal({ code: 0, signal: null });
    expect(first.lines().at(-1).rows).to.deep.equal({ read: 3000, used: 3000 });
    arrives('part-10.csv', rows.slice(3900));
    const second = watch(...args, '--until-rows', '6000');
    expect(await second.ended, second.said.stderr).to.deep.equal({ code: 0, signal: null });
    // The last estimate again, and then the next ones.
    expect(second.lines().map(({ chunk }) => chunk)).to.deep.equal([2, 3, 4, 5]);
    expect(second.lines()[0]).to.deep.include({ ...first.lines().at(-1), lag: second.lines()[0].lag });
    const whole = await runCli(['watch', '-', '--target', 'y', '--json', '--quiet'], csv(rows.slice(0, 6000)));
    const { coefficients } = JSON.parse(whole.stdout.trim().split('\n').at(-1)!);
    expect(second.lines().at(-1).coefficients).to.deep.equal(coefficients);
    expect(JSON.parse(readFileSync(at('model.json'), 'utf8')).coefficients.a).to.equal(coefficients.a.estimate);
  });

  it('follows a growing file over a kill, with each row used once, and puts bad lines aside', async () => {
    const [source, letters] = [at('rows.ndjson'), at('letters.ndjson')];
    const rows = rowsOf(4000, 3);
    writeFileSync(source, ndjson(rows.slice(0, 1500)));
    const args = [source, '--target', 'y', '--json', '--quiet', '--checkpoint', at('state'), '--dead-letters', letters];
    const first = watch(...args);
    await first.until(() => first.lines().length === 1);
    appendFileSync(source, `no row\n${ndjson(rows.slice(1500, 2200))}`);
    await first.until(() => first.lines().length === 2);
    expect(await first.stop('SIGKILL')).to.deep.equal({ code: null, signal: 'SIGKILL' });
    appendFileSync(source, ndjson(rows.slice(2200)));
    const second = watch(...args, '--until-rows', '4000');
    expect(await second.ended).to.deep.equal({ code: 0, signal: null });
    const whole = await runCli(['watch', '-', '--target', 'y', '--json', '--quiet'], ndjson(rows));
    const { coefficients } = JSON.parse(whole.stdout.trim().split('\n').at(-1)!);
    expect(second.lines().at(-1).coefficients).to.deep.equal(coefficients);
    const [letter] = readFileSync(letters, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(letter).to.include({ record: 'no row' });
  });

  it('takes files as history before the stream, in the same chunks and state', async () => {
    const rows = rowsOf(4000, 4);
    writeFileSync(at('before.csv'), csv(rows.slice(0, 2300)));
    const args = ['watch', '-', '--target', 'y', '--json', '--quiet'];
    const after = await runCli([...args, '--history', at('before.csv')], csv(rows.slice(2300)));
    expect(after.code, after.stderr).to.equal(0);
    const whole = await runCli(args, csv(rows));
    const estimatesOf = ({ stdout }: typeof whole) =>
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).coefficients);
    expect(estimatesOf(after)).to.deep.equal(estimatesOf(whole));
  });

  it('serves a page, /metrics and /healthz of what it estimates', async () => {
    const child = watch('-', '--target', 'y', '--listen', '127.0.0.1:0');
    child.child.stdin.write(ndjson(rowsOf(2000, 5)));
    await child.until(() => /page is at (\S+)/.test(child.said.stderr));
    const url = /page is at (\S+)/.exec(child.said.stderr)![1]!;
    const asked = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text();
    while (!(await asked('metrics')).includes('sluice_chunk 1')) await pause(20);
    expect(await asked('')).to.include('estimated as rows arrive');
    expect(await asked('healthz')).to.equal('ok\n');
    child.child.stdin.end();
    expect(await child.ended).to.deep.equal({ code: 0, signal: null });
  });

  it('is private over a kill at one charge, which the ledger shows as running', async () => {
    const source = at('in');
    mkdirSync(source);
    writeFileSync(join(source, 'part-1.ndjson'), ndjson(rowsOf(9000, 6)));
    const ledger = at('ledger.jsonl');
    const args = [
      ...[source, '--target', 'y', ...BOUNDS, '--json', '--quiet', '--ledger', ledger, '--dataset', 'rows'],
      ...['--checkpoint', at('state'), '--out', at('model.json')],
    ];
    const first = watch(...args);
    await first.until(() => first.lines().length >= 4);
    await first.stop('SIGKILL');
    const running = await runCli(['ledger', ledger]);
    expect(running.stdout).to.match(/y +running +1 /);
    const second = watch(...args);
    await second.until(() => second.lines().length >= 4);
    expect((await second.stop('SIGINT')).code).to.equal(0);
    const [last, again] = [first.lines(), second.lines()];
    const same = last.find(({ chunk }) => chunk === again[0].chunk);
    if (same !== undefined) expect(again[0].coefficients).to.deep.equal(same.coefficients);
    expect(readLedgerFile(ledger).accounts[0]!.runs).to.have.length(1);
    expect(readLedgerFile(ledger).accounts[0]!.runs[0]).to.include({ charges: 1, isFinished: false });
    const model = JSON.parse(readFileSync(at('model.json'), 'utf8'));
    expect(model.ledger).to.include({ private: true, epsilon: 8 });
    expect(model.ledger.file).to.include({ dataset: 'rows' });
  });

  it('charges nothing when an output could not be written, and says which', async () => {
    mkdirSync(at('in'));
    const ledger = at('ledger.jsonl');
    const args = [
      ...['watch', at('in'), '--target', 'y', ...BOUNDS, '--ledger', ledger, '--dataset', 'rows'],
      ...['--checkpoint', at('state'), '--quiet'],
    ];
    const refusals: [flags: readonly string[], said: RegExp][] = [
      [['--out', at('none', 'model.json')], /--out must be in a folder that exists/],
      [['--out', at('in', 'model.json')], /--out must not be in the folder that is watched/],
      [['--out', 'model.csv'], /--out must not have the extension of a table/],
      [['--listen', '127.0.0.1:99999'], /--listen must be HOST:PORT|listen must be HOST:PORT/],
      [['--listen', '0.0.0.0:0'], /token/],
      [['--every', '30s'], /--every 30000|--every.*is not for private runs/],
      [['--dead-letters', at('letters')], /--dead-letters.*is not for private runs/],
    ];
    for (const [flags, said] of refusals) {
      const { code, stderr } = await runCli([...args, ...flags]);
      expect(stderr).to.match(said);
      expect(code, stderr).to.equal(2);
      expect(existsSync(ledger), flags.join(' ')).to.equal(false);
    }
  });

  it('ends when it is refused, whatever it has opened already', async () => {
    mkdirSync(at('in'));
    mkdirSync(at('state'));
    writeFileSync(at('state', 'checkpoint.json'), 'something else');
    const refused = watch(at('in'), '--target', 'y', '--checkpoint', at('state'), '--listen', '127.0.0.1:0');
    expect(await refused.ended).to.deep.equal({ code: 2, signal: null });
    expect(refused.said.stderr).to.include('not one that sluice wrote whole');
  });

  it('needs a source that can be read, rows enough for a pilot, and for privacy a witness', async () => {
    const refused = async (args: readonly string[], input = ''): Promise<string> => {
      const { code, stderr } = await runCli(['watch', ...args, '--target', 'y', '--quiet'], input);
      expect(code, stderr).to.equal(2);
      return stderr;
    };
    expect(await refused([at('absent')])).to.include('absent');
    expect(await refused(['-'], csv(rowsOf(100, 1)))).to.include('ended after 100 rows');
    expect(await refused(['-', ...BOUNDS], csv(rowsOf(100, 1)))).to.match(/--checkpoint.*--ledger/s);
    expect(await refused(['https://host/rows'])).to.match(/must be like nats:\/\/host|begin with nats:\/\//);
  });
});

describe('sluice plan --watch', () => {
  const plan = (...args: readonly string[]) => runCli(['plan', '--watch', '--target', 'y', ...args]);

  it('prints pilot and chunk rows and why, without a row', async () => {
    const { code, stdout } = await plan('--width', '200');
    expect(code).to.equal(0);
    expect(stdout).to.match(/^200 features and an intercept\npilot {4}\d+ rows.*\nchunk {4}2010 rows/);
    expect(stdout).to.include('10 for each of 201 coefficients');
    expect(JSON.parse((await plan('--width', '3', '--chunk', '50', '--json')).stdout)).to.include({
      features: 3,
      pilot: 400,
      chunk: 50,
    });
  });

  it('prints for a private stream m*, the preamble and the error to expect, before anything is spent', async () => {
    const { code, stdout, stderr } = await plan(...BOUNDS);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/m\* +\d+ rows/);
    expect(stdout).to.match(/preamble \d+ rows .*: moments \d+, histogram \d+, look \d+, gradient/);
    expect(stdout).to.match(/rows +error\n +\d+ +none yet\n/);
    const { errors, halfway, preamble } = JSON.parse((await plan(...BOUNDS, '--json')).stdout);
    expect(stdout).to.include(`preamble ${preamble} rows`);
    expect(halfway).to.be.above(0);
    expect(errors.at(-1).error).to.be.below(errors.at(-2).error);
    const units = await plan(...BOUNDS, '--unit', 'id', '--max-per-unit', '4', '--features', 'a,b');
    expect(units.stdout).to.include('all rows of one unit hold, of which 4 count, at most 1 in a chunk');
    expect((await plan(...BOUNDS, '--seed', '1')).stdout).to.match(/^NOT PRIVATE \(seeded\)/);
  });

  it('refuses what only files have', async () => {
    for (const [flags, said] of [
      [['--width', '3', '--rows', '100'], '--rows does not apply to a stream'],
      [['--width', '3', '--method', 'nesterov'], '--method does not apply to a stream'],
      [['--width', '300'], '256'],
      [[], 'give --width P'],
      [[...BOUNDS.slice(0, 2), '--delta', '0.01', ...BOUNDS.slice(4)], 'delta must be at most 1e-6'],
    ] as const) {
      const { code, stderr } = await plan(...flags);
      expect(code).to.equal(2);
      expect(stderr).to.include(said);
    }
  });
});
