import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { itOnUnix, itWhere } from '../support/itWhere.ts';
import { bundleOfCli, type CliRun, runCli } from '../support/runCli.ts';

const ROWS = 400;

const TABLE = ['x,y', ...Array.from({ length: ROWS }, (_, i) => `${i % 10},${2 * (i % 10) + (i % 3)}`), ''].join('\n');

describe('the files that a command writes', () => {
  let folder: string;
  let csv: string;
  let ledger: string;
  const at = (name: string): string => join(folder, name);
  const asked = (...flags: string[]): string[] => [
    ...['--target', 'y', '--epsilon', '5', '--delta', '1e-6', '--bounds', at('bounds.json')],
    ...['--ledger', ledger, '--dataset', 'people', '--quiet', ...flags],
  ];
  const spent = async (): Promise<number> => {
    if (!existsSync(ledger)) return 0;
    return JSON.parse((await runCli(['ledger', ledger, '--json'])).stdout).accounts[0].spent;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-outputs-'));
    [csv, ledger] = [at('rows.csv'), at('ledger.jsonl')];
    writeFileSync(csv, TABLE);
    writeFileSync(at('bounds.json'), JSON.stringify({ x: [0, 10], y: [0, 20] }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const expectNothingSpent = async ({ code, stderr, stdout }: CliRun, message: string): Promise<void> => {
    expect(stderr).to.include(message);
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(await spent()).to.equal(0);
    expect(readdirSync(folder).sort()).to.deep.equal(['bounds.json', 'rows.csv']);
  };

  it('are refused before a private run spends anything if they have no name, or one that no folder takes', async () => {
    const long = at(`${'n'.repeat(251)}.html`);
    for (const [flags, message] of [
      [['--out', ''], '--out must be a file, got an empty name; name one'],
      [['--report', long], `${long} cannot be written: ENAMETOOLONG`],
    ] as const) {
      await expectNothingSpent(await runCli(['fit', csv, ...asked(...flags)]), message);
    }
  });

  itWhere(existsSync('/dev/full') && existsSync('/proc/self'))(
    'are refused likewise if their folder takes no files, or their device no bytes',
    async () => {
      for (const [flags, message] of [
        [['--out', '/dev/full'], '/dev/full cannot be written: ENOSPC'],
        [['--out', '/proc/model.json'], '/proc/model.json cannot be written: ENOENT'],
        [['--trace', '/proc/steps.csv'], '/proc/steps.csv cannot be written: ENOENT'],
        [['--out', at('model.json'), '--ledger', '/proc/l'], '/proc/l cannot be written: ENOENT'],
      ] as const) {
        await expectNothingSpent(await runCli(['fit', csv, ...asked(...flags)]), message);
      }
    },
  );

  itOnUnix('are refused likewise if there is no room for them', async () => {
    // Files of at most some 100 KB, for this process and what it starts.
    const limited = ['-c', 'ulimit -f 100 && exec "$@"', 'sh', process.execPath, ...bundleOfCli()];
    const run = await ended(spawn('sh', [...limited, 'fit', csv, ...asked('--out', at('model.json'))]));
    await expectNothingSpent(run, `${at('model.json')} cannot be written: EFBIG`);
    const drawn = await ended(spawn('sh', [...limited, 'reproduce', 'plot1', '--out', at('figures')]));
    expect(drawn.code, drawn.stderr).to.equal(2);
    expect(drawn.stderr).to.include('cannot be written: EFBIG');
    expect(readdirSync(at('figures/runs'))).to.deep.equal([]);
  });

  it('may have any name that the file system takes', async () => {
    const out = at(`${'n'.repeat(250)}.json`);
    const { code, stderr } = await runCli(['fit', csv, ...asked('--out', out)]);
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(readFileSync(out, 'utf8')).target).to.equal('y');
  });

  /** A private run whose folder for results goes away after it has begun. */
  const bereft = async (scratch: string, ...flags: string[]): Promise<CliRun> => {
    mkdirSync(at('results'));
    const run = spawn(
      process.execPath,
      [...bundleOfCli(), 'fit', '-', ...asked('--mode', 'fresh', '--rows', String(ROWS), ...flags)],
      { env: { ...process.env, TMPDIR: scratch, TMP: scratch, TEMP: scratch } },
    );
    const result = ended(run);
    const half = TABLE.length / 2;
    run.stdin.write(TABLE.slice(0, half));
    // The run begins once the outputs are proven and the rows arrive.
    while (!existsSync(ledger) && run.exitCode === null) await new Promise(done => setTimeout(done, 20));
    rmSync(at('results'), { recursive: true });
    run.stdin.end(TABLE.slice(half));
    return result;
  };

  it('leave the model in a named place when they cannot be written in the end', async () => {
    mkdirSync(at('scratch'));
    const run = await bereft(at('scratch'), '--out', at('results/model.json'), '--trace', at('steps.csv'));
    expect(run.code, run.stderr).to.equal(2);
    const [, place] = /; the model is in (.*)\n$/.exec(run.stderr)!;
    expect(run.stderr).to.include(`sluice: ${at('results/model.json')} cannot be written: ENOENT`);
    const model = JSON.parse(readFileSync(place!, 'utf8'));
    expect(Object.keys(model.coefficients)).to.deep.equal(['x']);
    expect(run.stdout).to.include('x');
    if (process.platform !== 'win32') expect(statSync(place!).mode & 0o777).to.equal(0o600);
    expect(await spent()).to.be.above(0);
    expect(readFileSync(at('steps.csv'), 'utf8').split('\n')).to.have.length(model.steps.length + 2);
  });

  it('leave the model on standard output when there is no other place', async () => {
    const flags = ['--mode', 'fresh', '--out', at('results/model.json')];
    const plain = await bereft(at('nowhere'), ...flags);
    expect(plain.stderr).to.match(/; the model is in standard output\n$/);
    const printed = plain.stdout.slice(plain.stdout.indexOf('\n{\n'));
    expect(JSON.parse(printed).format).to.equal('sluice-model');
    rmSync(ledger);
    const json = await bereft(at('nowhere'), ...flags, '--json');
    expect(json.stderr).to.match(/; the model is in standard output\n$/);
    expect(JSON.parse(json.stdout).format).to.equal('sluice-model');
  });

  it('keep the model when another of them fails', async () => {
    const run = await bereft(folder, '--out', at('model.json'), '--report', at('results/report.html'));
    expect(run.code, run.stderr).to.equal(2);
    expect(run.stderr).to.match(/report\.html cannot be written: .*; the model is in .*\/model\.json\n$/);
    expect(JSON.parse(readFileSync(at('model.json'), 'utf8')).target).to.equal('y');
  });

  itWhere(existsSync('/dev/full'))('are made for a model that cannot be printed', async () => {
    const run = spawn(process.execPath, [...bundleOfCli(), 'fit', csv, ...asked('--json')], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      env: { ...process.env, TMPDIR: folder },
    });
    const { code, stderr } = await ended(run);
    expect(code, stderr).to.equal(2);
    const [, place] = /the result could not be printed; the model is in (.*)\n/.exec(stderr)!;
    expect(JSON.parse(readFileSync(place!, 'utf8')).target).to.equal('y');
  });

  /** A run whose standard output is a pipe that nobody reads. */
  const unread = (...flags: string[]): Promise<CliRun> => {
    const child = spawn(process.execPath, [...bundleOfCli(), 'fit', csv, ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: folder },
    });
    child.stdout.destroy();
    return ended(child);
  };

  itOnUnix('are made for a private model whose reader has left, as a table or as JSON, but for no other', async () => {
    for (const flags of [asked('--json'), asked()]) {
      const { code, stderr } = await unread(...flags);
      expect(code, stderr).to.equal(2);
      const [, place] = /left before it had the whole result, .*; the model is in (.*)\n$/.exec(stderr)!;
      expect(JSON.parse(readFileSync(place!, 'utf8')).ledger.private).to.equal(true);
    }
    for (const flags of [asked('--out', at('model.json')), asked('--seed', '1'), ['--target', 'y', '--quiet']]) {
      const before = readdirSync(folder).filter(name => name.startsWith('sluice-')).length;
      const { code, stderr } = await unread(...flags);
      expect(code, stderr).to.equal(0);
      expect(readdirSync(folder).filter(name => name.startsWith('sluice-'))).to.have.length(before);
    }
    expect(JSON.parse(readFileSync(at('model.json'), 'utf8')).ledger.private).to.equal(true);
  });
});

function ended(child: ChildProcess): Promise<CliRun> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', part => {
      texts[name] += part;
    });
  }
  child.stdin?.on('error', () => {});
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', code => done({ code, ...texts }));
  });
}
