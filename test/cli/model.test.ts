import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { normal } from '../../src/math/random/normal.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { gather } from '../../src/sample/gather.ts';
import { openRows } from '../../src/source/read/openRows.ts';
import { bundleOfCli, runCli } from '../support/runCli.ts';

const rows = 3000;
const random = seeded(1, 'model');
const people = Array.from({ length: rows }, (_, i) => {
  const [x, town] = [normal(random), ['Ulm', 'Bath'][i % 2]!];
  return { x, town, y: 2 * x + (town === 'Bath' ? 3 : 0) + 1 + normal(random) / 10 };
});

describe('sluice predict, evaluate and inspect', () => {
  let folder: string;
  let csv: string;
  let model: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-model-'));
    csv = join(folder, 'people.csv');
    model = join(folder, 'model.json');
    writeFileSync(csv, `x,town,y\n${people.map(p => `${p.x},${p.town},${p.y}`).join('\n')}\n`);
    const run = await runCli([
      'fit',
      csv,
      '--target',
      'y',
      '--features',
      'x,town',
      '--categorical',
      'town=Bath',
      '--out',
      model,
    ]);
    expect(run.code, run.stderr).to.equal(0);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('carries columns along, from standard input to standard output or a file', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `p${i},${i},${2 * i + (i % 7)}`);
    const text = `id,x,y\n${rows.join('\n')}\n`;
    const data = join(folder, 'kept.csv');
    const made = join(folder, 'kept.json');
    writeFileSync(data, text);
    expect((await runCli(['fit', data, '--target', 'y', '--features', 'x', '--out', made])).code).to.equal(0);
    const piped = await runCli(['predict', made, '-', '--keep', 'id,y', '--out', '-'], text);
    expect(piped.code, piped.stderr).to.equal(0);
    const lines = piped.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines).to.have.length(300);
    expect(Object.keys(lines[7])).to.deep.equal(['id', 'y', 'prediction']);
    expect(lines[7]).to.include({ id: 'p7', y: 14 });
    const out = join(folder, 'kept-out.csv');
    expect((await runCli(['predict', made, data, '--keep', 'id', '--out', out])).code).to.equal(0);
    expect(readFileSync(out, 'utf8').split('\n')[8]).to.equal(`p7,${lines[7].prediction}`);
    const parquet = join(folder, 'kept.parquet');
    expect((await runCli(['predict', made, data, '--keep', 'id', '--out', parquet])).code).to.equal(0);
    expect((await runCli(['predict', made, parquet, '--out', out])).stderr).to.include('"x"');
    for (const [flags, told] of [
      [['--out', out, '--format', 'csv'], '--format is for --out -'],
      [['--out', '-', '--json'], 'leave one out'],
      [['--out', '-', '--keep', 'nothing'], 'nothing'],
    ] as const) {
      const refused = await runCli(['predict', made, data, ...flags]);
      expect([refused.code, refused.stdout], refused.stderr).to.deep.equal([2, '']);
      expect(refused.stderr).to.include(told);
    }
  });

  it('predict from a column that is named like an element of a vector', async () => {
    const named = join(folder, 'elements.csv');
    const out = join(folder, 'elements.json');
    writeFileSync(named, `a[0],town,y\n${people.map(p => `${p.x},${p.town},${p.y}`).join('\n')}\n`);
    const fit = await runCli(['fit', named, '--target', 'y', '--features', 'a[0]', '--out', out]);
    expect(fit.code, fit.stderr).to.equal(0);
    const run = await runCli(['predict', out, named, '--out', join(folder, 'elements.out.csv')]);
    expect(run.code, run.stderr).to.equal(0);
    const other = await runCli(['predict', out, csv, '--out', join(folder, 'none.csv')]);
    expect(other.stderr).to.include('has no column "a[0]"');
  });

  it('write a prediction per row in every format, the same numbers in each', async () => {
    const { coefficients, intercept } = JSON.parse(readFileSync(model, 'utf8'));
    const expected = people.map(
      p => coefficients.x * p.x + (p.town === 'Bath' ? coefficients['town=Bath'] : 0) + intercept,
    );
    for (const extension of ['arrow', 'parquet', 'csv', 'ndjson']) {
      const out = join(folder, `predictions.${extension}`);
      const run = await runCli(['predict', model, csv, '--out', out]);
      expect(run.code, run.stderr).to.equal(0);
      expect(run.stdout).to.include(`3000 predictions of y in ${out}`);
      const samples = await openRows(out, { features: ['prediction'] });
      const { columns } = await gather(samples.batches(), samples.rows, 1);
      await samples.close();
      columns[0]!.forEach((value, i) => {
        expect(value).to.be.closeTo(expected[i]!, 1e-12);
      });
    }
  });

  it('leave the place of a row without a prediction empty, in every format', async () => {
    const gaps = join(folder, 'with gaps.csv');
    writeFileSync(gaps, 'x,town\n1,Bath\n,Ulm\n3,Bath\nnan,Ulm\n5,\n6,Ulm\n');
    const { coefficients, intercept } = JSON.parse(readFileSync(model, 'utf8'));
    const at = (x: number, bath: number): number => coefficients.x * x + coefficients['town=Bath'] * bath + intercept;
    const expected = [at(1, 1), null, at(3, 1), null, null, at(6, 0)];
    for (const extension of ['arrow', 'parquet', 'csv', 'ndjson']) {
      const out = join(folder, `gaps.${extension}`);
      const run = await runCli(['predict', model, gaps, '--out', out, '--nulls', 'skip']);
      expect(run.code, run.stderr).to.equal(0);
      expect(run.stdout).to.equal(`3 predictions of y in ${out}; 3 invalid rows have none (null)\n`);
      const samples = await openRows(out, { features: ['prediction'], nulls: 'skip' });
      expect(samples.rows).to.equal(6);
      for await (const { columns, weights } of samples.batches()) {
        expected.forEach((value, i) => {
          expect(weights![i], `${extension} ${i}`).to.equal(value === null ? 0 : 1);
          if (value !== null) expect(columns[0]![i]).to.be.closeTo(value, 1e-12);
        });
      }
      await samples.close();
    }
  });

  it('read standard input, however many rows it has', async () => {
    const text = readFileSync(csv);
    const [piped, direct] = [join(folder, 'piped.csv'), join(folder, 'direct.csv')];
    const run = await runCli(['predict', model, '-', '--out', piped], text);
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stdout).to.equal(`3000 predictions of y in ${piped}\n`);
    await runCli(['predict', model, csv, '--out', direct]);
    expect(readFileSync(piped, 'utf8')).to.equal(readFileSync(direct, 'utf8'));
    const measured = await runCli(['evaluate', model, '-', '--json'], text);
    expect(measured.code, measured.stderr).to.equal(0);
    expect(measured.stdout).to.equal((await runCli(['evaluate', model, csv, '--json'])).stdout);
  });

  it('need no target to predict, and refuse data without the features, or other formats', async () => {
    const bare = join(folder, 'bare.csv');
    writeFileSync(bare, 'town,x\nBath,1\nUlm,2\n');
    const out = join(folder, 'bare.ndjson');
    expect((await runCli(['predict', model, bare, '--out', out])).code).to.equal(0);
    expect(readFileSync(out, 'utf8').trim().split('\n')).to.have.length(2);
    const lost = join(folder, 'lost.csv');
    writeFileSync(lost, 'town\nBath\n');
    const never = join(folder, 'never.csv');
    const missing = await runCli(['predict', model, lost, '--out', never]);
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.include('has no column "x"');
    writeFileSync(lost, 'town,x\nBath,much\nUlm,more\n');
    const text = await runCli(['predict', model, lost, '--out', never]);
    expect(text.code).to.equal(2);
    expect(text.stderr)
      .to.include('the model was fitted to numbers in this column')
      .and.not.to.include('--categorical');
    expect((await runCli(['predict', model, bare, '--out', join(folder, 'x.xlsx')])).code).to.equal(2);
    expect((await runCli(['predict', csv, bare, '--out', never])).stderr).to.include('is not JSON');
    expect(existsSync(never)).to.equal(false);
  });

  it('refuse plain numbers where the model was fitted to dates, but for models that do not say so', async () => {
    const days = join(folder, 'days.csv');
    const dated = join(folder, 'dated.json');
    const out = join(folder, 'dated.csv');
    const day = (i: number): string => new Date(i * 864e5).toISOString().slice(0, 10);
    writeFileSync(days, `day,y\n${people.map(({ x }, i) => `${day(i % 1000)},${(i % 1000) + x}`).join('\n')}\n`);
    const fit = await runCli(['fit', days, '--target', 'y', '--features', 'day', '--out', dated]);
    expect(fit.code, fit.stderr).to.equal(0);
    const found = JSON.parse(readFileSync(dated, 'utf8'));
    expect(found.times).to.deep.equal(['day']);
    expect((await runCli(['predict', dated, days, '--out', out])).code).to.equal(0);
    const numbers = join(folder, 'numbers.csv');
    writeFileSync(numbers, 'day,y\n1,1\n2,2\n');
    for (const command of [
      ['predict', dated, numbers, '--out', out],
      ['evaluate', dated, numbers],
    ]) {
      expect(await runCli(command)).to.deep.equal({
        code: 2,
        stdout: '',
        stderr:
          'sluice: column "day" must hold dates or times, as in the data that the model was fitted to, but holds plain numbers, whose unit is unknown; give dates or times, such as 2024-05-17T09:30:00Z\n',
      });
    }
    const { times, ...old } = found;
    writeFileSync(dated, JSON.stringify(old));
    expect((await runCli(['predict', dated, numbers, '--out', out])).code).to.equal(0);
    writeFileSync(dated, JSON.stringify({ ...old, times: [7] }));
    expect((await runCli(['evaluate', dated, days])).stderr).to.include('has malformed times');
  });

  it('measure the model', async () => {
    const run = await runCli(['evaluate', model, csv, '--json']);
    expect(run.code, run.stderr).to.equal(0);
    const { rows: counted, errors } = JSON.parse(run.stdout);
    expect(counted).to.equal(rows);
    expect(errors.r2).to.be.within(0.99, 1);
    expect(errors.rootMeanSquare).to.be.closeTo(0.1, 0.02);
    expect((await runCli(['evaluate', model, csv])).stdout).to.include('R2');
  });

  it('say that measures of a private model are not private, and of others nothing', async () => {
    const plain = await runCli(['evaluate', model, csv]);
    expect(plain.stderr).to.equal('');
    const protectedModel = join(folder, 'private.json');
    const found = JSON.parse(readFileSync(model, 'utf8'));
    const ledger = { ...found.ledger, private: true, epsilon: 1, delta: 1e-6, mu: 0.2, rho: 0.02 };
    writeFileSync(protectedModel, JSON.stringify({ ...found, ledger }));
    for (const form of [[], ['--json']]) {
      const run = await runCli(['evaluate', protectedModel, csv, ...form]);
      expect(run.code).to.equal(0);
      expect(run.stderr).to.match(
        /^sluice: these measures are computed from the rows exactly, .*: unlike the model they are not private; .*\n$/,
      );
      if (form.length === 0) expect(run.stdout).to.equal(plain.stdout);
      else expect(JSON.parse(run.stdout).rows).to.equal(rows);
    }
  });

  it('count one row as one', async () => {
    const one = join(folder, 'one.csv');
    writeFileSync(one, 'x,town,y\n1,Ulm,3\n');
    expect((await runCli(['evaluate', model, one])).stdout).to.match(/^y, 1 row, /);
    const { stdout } = await runCli(['inspect', one]);
    expect(stdout)
      .to.include(': csv, 1 row\n')
      .and.to.match(/1 level$/m);
  });

  it('measure it by weights as by copies, and tell which column is no weight', async () => {
    const line = ({ x, town, y }: (typeof people)[number], i: number): string => `${x},${town},${y},${i % 4}\n`;
    const weighted = join(folder, 'weighted.csv');
    const copied = join(folder, 'copied.csv');
    writeFileSync(weighted, `x,town,y,times\n${people.map(line).join('')}`);
    writeFileSync(copied, `x,town,y,times\n${people.map((p, i) => line(p, i).repeat(i % 4)).join('')}`);
    const byWeight = await runCli(['evaluate', model, weighted, '--weights', 'times', '--json']);
    expect(byWeight.code, byWeight.stderr).to.equal(0);
    const found = JSON.parse(byWeight.stdout);
    const expected = JSON.parse((await runCli(['evaluate', model, copied, '--json'])).stdout);
    expect(found.rows).to.equal((3 / 4) * rows);
    expect(found.weight).to.equal(expected.weight);
    expect(found.meanLoss).to.be.closeTo(expected.meanLoss, 1e-12);
    expect(found.errors.r2).to.be.closeTo(expected.errors.r2, 1e-12);
    expect(found.errors.absolute.p90).to.be.closeTo(expected.errors.absolute.p90, 1e-12);

    const shown = await runCli(['evaluate', model, weighted, '--weights', 'times']);
    expect(shown.stdout).to.match(/^y weighted by times, 2250 rows/);
    const town = await runCli(['evaluate', model, weighted, '--weights', 'town']);
    expect([town.code, town.stderr]).to.deep.equal([
      2,
      `sluice: ${weighted}, column "town": has the weights and cannot be a feature too\n`,
    ]);
  });

  it('show what a file holds, and warn against copying ranges into private bounds', async () => {
    const run = await runCli(['inspect', csv]);
    expect(run.code, run.stderr).to.equal(0);
    expect(run.stdout).to.include('people.csv: csv, 3000 rows');
    expect(run.stdout).to.include('do not use them as --bounds or --categorical of a private fit');
    // The most frequent level is left out, because with an intercept it follows from the others.
    expect(run.stdout).to.include(`levels of "town": Ulm 1500, Bath 1500\n  --categorical 'town=Bath'\n`);
    expect(run.stdout).to.include('(the most frequent level, Ulm, is left out: it is the reference');
    const [json] = JSON.parse((await runCli(['inspect', csv, '--json'])).stdout);
    expect(json.columns.map((column: { name: string }) => column.name)).to.deep.equal(['x', 'town', 'y']);
    expect(json.warnings.at(-1)).to.match(/--bounds or --categorical of a private fit$/);
  });

  it('list the levels of texts as --categorical takes them, but for those that it cannot take', async () => {
    const file = join(folder, 'levels.ndjson');
    const lines = Array.from({ length: 4000 }, (_, i) => ({
      many: `m${Math.min(i % 20, 14)}`,
      id: `id ${i}`,
      odd: ["O'Hara", 'a|b', '', 'line\nend'][i % 4],
      same: 'always',
      y: i,
    }));
    writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    const { stdout, code } = await runCli(['inspect', file]);
    expect(code).to.equal(0);
    const shown = stdout.split('\n').filter(line => /^levels of|^ {2}--categorical/.test(line));
    const others = Array.from({ length: 11 }, (_, k) => `m${k}`);
    expect(shown).to.deep.equal([
      `levels of "many": m14 1200, ${others.map(level => `${level} 200`).join(', ')}, and 3 others`,
      `  --categorical 'many=m14|${others.join('|')}'`,
      `levels of "id": ${Array.from({ length: 12 }, (_, k) => `id ${k} 1`).join(', ')}, and others`,
      `levels of "odd": O'Hara 1000, a|b 1000, "" 1000, "line\\nend" 1000`,
      `  --categorical 'odd=O'\\''Hara'`,
      'levels of "same": always 4000',
    ]);
    const flag = ['--categorical', `many=m14|${others.join('|')}`, '--features', 'many'];
    expect((await runCli(['fit', file, '--target', 'y', ...flag])).code).to.equal(0);
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`leave no half-written file when they are ended by ${signal}`, async () => {
      const out = join(folder, 'interrupted.csv');
      const parts = (): string[] => readdirSync(folder).filter(name => name.endsWith('.part'));
      const child = spawn(process.execPath, [...bundleOfCli(), 'predict', model, '-', '--out', out]);
      try {
        const ended = new Promise(done => child.on('close', done));
        // The pipe stays open, so that nothing but the signal ends the run, which may leave a part of the rows unread.
        child.stdin.on('error', () => {});
        child.stdin.write(`x,town\n${'1,Bath\n'.repeat(100_000)}`);
        // A file that is there for a moment proves that one can be written; the output stays.
        let seen: string | undefined;
        do {
          [seen] = parts();
          await new Promise(done => setTimeout(done, 100));
        } while ((seen === undefined || !parts().includes(seen)) && child.exitCode === null);
        expect(parts()).to.have.lengthOf(1);
        child.kill(signal);
        expect(await ended).to.equal(code);
        expect(parts()).to.deep.equal([]);
        expect(existsSync(out)).to.equal(false);
      } finally {
        child.kill('SIGKILL');
      }
    });
  }

  it('print predictions where no file is named, and end quietly when nobody reads on', async () => {
    const child = spawn(process.execPath, [...bundleOfCli(), 'predict', model, '-']);
    const ended = new Promise(done => child.on('close', done));
    let said = '';
    child.stderr.on('data', part => {
      said += part;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(`x,town\n${'1,Bath\n'.repeat(200_000)}`);
    const first = await new Promise(done => child.stdout.once('data', done));
    child.stdout.destroy();
    expect(String(first)).to.match(/^\{"prediction":/);
    expect(await ended, said).to.equal(0);
    expect(said).to.equal('');
  });

  it('end quietly when nobody reads what they print, and write their files all the same', async () => {
    const out = join(folder, 'unread.csv');
    const child = spawn(process.execPath, [...bundleOfCli(), 'predict', model, '-', '--out', out]);
    const ended = new Promise(done => child.on('close', done));
    let said = '';
    child.stderr.on('data', part => {
      said += part;
    });
    child.stdout.destroy();
    child.stdin.end(`x,town\n${'1,Bath\n'.repeat(100)}`);
    expect(await ended, said).to.equal(0);
    expect(said).to.equal('');
    expect(readFileSync(out, 'utf8').trimEnd().split('\n')).to.have.lengthOf(101);
  });
});
