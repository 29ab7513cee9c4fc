import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import { runCli } from '../support/runCli.ts';

describe('sluice reproduce', () => {
  const out = mkdtempSync(join(tmpdir(), 'sluice-reproduce-'));
  const path = (name: string): string => join(out, name);
  const reproduce = (...flags: string[]) => runCli(['reproduce', 'plot4', '--seeds', '2', '--out', out, ...flags]);
  let printed: string;
  before(async function () {
    this.timeout(0);
    const { code, stdout, stderr } = await reproduce();
    expect(code, stderr).to.equal(0);
    printed = stdout;
  });
  after(() => rmSync(out, { recursive: true }));

  it('writes the table as CSV and as Arrow, with the same cells', () => {
    const [head, ...lines] = readFileSync(path('plot4.csv'), 'utf8').trimEnd().split('\n');
    expect(head).to.equal('reading,series,x,median,q25,q75,seeds');
    expect(lines.filter(line => /^primary,GD n=900,\d+,/.test(line))).to.have.length(21);
    const table = tableFromIPC(readFileSync(path('plot4.arrow')));
    expect(table.toArray().map(row => Object.values(row.toJSON()).join(','))).to.deep.equal(lines);
  });

  it('draws the figure and its readings, says the verdict, and puts all on a page', () => {
    expect(printed).to.match(
      /^plot4: the exponentially decaying term .*: (holds|holds in part|does not hold)\n {2}primary /,
    );
    for (const name of ['plot4.svg', 'plot4-readings.svg']) {
      expect(readFileSync(path(name), 'utf8')).to.include('AGD n=1500');
    }
    for (const name of ['plot4.png', 'plot4-readings.png']) expect(statSync(path(name)).size).to.be.above(10_000);
    expect(readFileSync(path('reproduction.md'), 'utf8')).to.include('![plot4](./plot4.svg)');
  });

  it('goes on with what is there, and gives the same bits', async () => {
    const files = readdirSync(path('runs')).sort();
    expect(files).to.deep.equal(['plot4-seed-0.json', 'plot4-seed-1.json']);
    const [kept, redone] = files.map(name => join(path('runs'), name)) as [string, string];
    const before = readFileSync(path('plot4.csv'), 'utf8');
    const written = (file: string): number => statSync(file).mtimeMs;
    const first = written(kept);
    // Of other code: not to be used.
    writeFileSync(
      redone,
      readFileSync(redone, 'utf8')
        .replace(/"code":"\w+"/, '"code":"other"')
        .replaceAll('"value":-', '"value":'),
    );
    const { code, stdout } = await reproduce('--threads', '1', '--json');
    expect(code).to.equal(0);
    expect(written(kept)).to.equal(first);
    expect(readFileSync(redone, 'utf8')).not.to.include('other');
    expect(readFileSync(path('plot4.csv'), 'utf8')).to.equal(before);
    const [{ figure, verdict, seeds, readings }] = JSON.parse(stdout);
    expect({ figure, seeds }).to.deep.equal({ figure: 'plot4', seeds: 2 });
    expect(readings[0]).to.include({ reading: 'primary', verdict });
  });

  it('runs a seed anew whose file is damaged', async () => {
    const before = readFileSync(path('plot4.csv'), 'utf8');
    writeFileSync(path('runs/plot4-seed-0.json'), '{"code":');
    const { code, stderr } = await reproduce('--threads', '1', '--quiet');
    expect(code, stderr).to.equal(0);
    expect(readFileSync(path('plot4.csv'), 'utf8')).to.equal(before);
  });

  it('refuses figures and numbers of seeds that there are not', async () => {
    const unknown = await runCli(['reproduce', 'plot8', '--out', out]);
    expect(unknown.code).to.equal(2);
    expect(unknown.stderr).to.include('figure must be one of plot1, plot2');
    expect((await runCli(['reproduce', 'plot4', '--seeds', '0', '--out', out])).code).to.equal(2);
    const file = await runCli(['reproduce', 'plot4', '--out', path('plot4.csv')]);
    expect(file.code).to.equal(2);
    expect(file.stderr).to.match(/--out .*plot4\.csv cannot be created: .*; name a folder/);
  });
});
