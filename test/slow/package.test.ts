/** The package as it is installed without the optional ones. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { bundleCli, bundleLibrary } from '../../tools/bundle.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

describe('the package without the optional ones', () => {
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-package-'));
    const installed = (name: string): string => join(folder, 'node_modules', name);
    mkdirSync(installed('sluice/dist'), { recursive: true });
    const manifest = readFileSync(join(project, 'package.json'), 'utf8');
    writeFileSync(installed('sluice/package.json'), manifest);
    for (const name of Object.keys(JSON.parse(manifest).dependencies)) {
      mkdirSync(dirname(installed(name)), { recursive: true });
      symlinkSync(join(project, 'node_modules', name), installed(name), 'dir');
    }
    await Promise.all([bundleLibrary(installed('sluice/dist')), bundleCli(installed('sluice/dist/cli'))]);
  });
  after(() => rmSync(folder, { recursive: true }));

  const sluice = (...args: string[]): Promise<{ code: number; stderr: string }> =>
    new Promise(done => {
      const main = join(folder, 'node_modules/sluice/dist/cli/main.js');
      execFile(process.execPath, [main, ...args], { cwd: folder }, (error, _, stderr) =>
        done({ code: Number(error?.code ?? 0), stderr }),
      );
    });

  it('fits and reports', async () => {
    const data = join(project, 'data/incomes.csv');
    const { code, stderr } = await sluice(
      ...['fit', data, '--target', 'income', '--features', 'hours,age', '--report', 'report.html', '--quiet'],
    );
    expect(code, stderr).to.equal(0);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).to.include('<svg');
  });

  it('names the package that a query needs', async () => {
    const { code, stderr } = await sluice('fit', '--sql', 'SELECT 1 AS y, 2 AS x', '--target', 'y');
    expect(code).to.equal(2);
    expect(stderr).to.equal(
      'sluice: --sql needs the optional package @duckdb/node-api, which is not installed; run npm install @duckdb/node-api\n',
    );
  });

  it('draws figures that need no rasteriser, and says which package the others need', async () => {
    const { code, stderr } = await sluice('reproduce', 'plot4', '--seeds', '1', '--out', 'figures', '--quiet');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include('SVG only: ').and.include('npm install @resvg/resvg-js');
    expect(existsSync(join(folder, 'figures/plot4.svg'))).to.equal(true);
    expect(existsSync(join(folder, 'figures/plot4.png'))).to.equal(false);
  });

  it('is imported by name', done => {
    const program = "import { pseudoHuber } from 'sluice'; console.log(pseudoHuber(1).name);";
    execFile(process.execPath, ['--input-type=module', '-e', program], { cwd: folder }, (error, stdout) => {
      expect(stdout).to.equal('pseudoHuber(1)\n');
      done(error);
    });
  });
});
