import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBConnection } from '@duckdb/node-api';
import { expect } from 'chai';
import { build } from 'esbuild';
import { bundleLibrary } from '../../tools/bundle.ts';
import { bundleOfCli, runCli, sourcesOfCli, spawnCli } from '../support/runCli.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

describe('the bundled command line', () => {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  let main: string;
  const bundled = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [main, ...args])).stdout;
  const fromSources = async (...args: string[]): Promise<string> => (await spawnCli(args, '', sourcesOfCli)).stdout;

  before(() => {
    [main] = bundleOfCli() as [string];
    folder = mkdtempSync(join(tmpdir(), 'sluice-bundle-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('starts from a few files, the first of which can be run', async () => {
    const files = readdirSync(dirname(main)).filter(name => name.endsWith('.js'));
    expect(files).to.include.members(['main.js', 'columnWorker.js', 'figureWorker.js']);
    expect(files).to.have.length.below(150);
    expect(statSync(main).mode & 0o111).to.equal(0o111);
    expect(await bundled('--version')).to.equal(await fromSources('--version'));
  });

  it('fits as the sources do, with all of their threads @slow', async () => {
    const duckdb = await DuckDBConnection.create();
    await duckdb.run(
      `COPY (SELECT sin(i) AS a, cos(i * 7) AS b, sin(i) + tan(i) AS y FROM range(1500000) t(i)) TO '${path('long.parquet')}'`,
    );
    duckdb.closeSync();
    for (const flags of [[], ['--loss', 'squared']]) {
      const fit = ['fit', path('long.parquet'), '--target', 'y', '--threads', '2', '--order-seed', '1', '--json'];
      const model = await bundled(...fit, ...flags);
      expect(model).to.include('"coefficients"');
      expect(model).to.equal(await fromSources(...fit, ...flags));
    }
  });

  it('reads and writes every format', async () => {
    const data = path('data.csv');
    const rows = Array.from({ length: 300 }, (_, i) => `${i},${Math.sin(i)},${3 * i + Math.cos(i)}`);
    writeFileSync(data, `a,b,y\n${rows.join('\n')}\n`);
    const model = path('model.json');
    await bundled('fit', data, '--target', 'y', '--out', model, '--report', path('report.html'), '--quiet');
    expect(statSync(path('report.html')).size).to.be.above(1000);
    const expected = await bundled('evaluate', model, data);
    for (const name of ['p.arrow', 'p.parquet', 'p.csv', 'p.ndjson']) {
      await bundled('predict', model, data, '--out', path(name), '--quiet');
      expect((await runCli(['inspect', path(name)])).stdout, name).to.include('300 rows');
    }
    expect(expected).to.equal(await fromSources('evaluate', model, data));
  });

  it('runs figures in processes', async () => {
    const out = path('figures');
    const printed = await bundled(...['reproduce', 'plot4', '--seeds', '2', '--threads', '2', '--out', out, '--quiet']);
    expect(printed).to.match(/^plot4: /);
    expect(readdirSync(join(out, 'runs'))).to.have.length(2);
  });
});

describe('the bundled library', () => {
  let folder: string;
  const dist = (name: string): string => join(folder, 'node_modules/sluice/dist', name);

  before(async () => {
    folder = mkdtempSync(join(project, 'out-readme-'));
    mkdirSync(dist(''), { recursive: true });
    // A package of its own: in Sluice's, its name would mean the checkout.
    writeFileSync(join(folder, 'package.json'), '{}');
    copyFileSync(join(project, 'package.json'), join(folder, 'node_modules/sluice/package.json'));
    await bundleLibrary(dist(''));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('loads no more packages than every use of it needs', () => {
    const packages = new Set<string>();
    const seen = new Set<string>();
    const follow = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      for (const [, target] of readFileSync(dist(name), 'utf8').matchAll(
        /^(?:import|export)\b[^;'"]*?(?:\bfrom )?"([^"]+)";$/gm,
      )) {
        if (target!.startsWith('./')) follow(target!);
        else if (!target!.startsWith('node:')) packages.add(target!);
      }
    };
    follow('./index.js');
    expect(seen).to.have.length.above(1);
    expect([...packages].sort()).to.deep.equal(['ml-matrix', 'rxjs', 'seedrandom']);
  });

  it('gives a bundler a loss without the readers', async () => {
    const { warnings, metafile, outputFiles } = await build({
      stdin: {
        contents: "import { pseudoHuber } from 'sluice'; console.log(pseudoHuber(1).name);",
        resolveDir: folder,
      },
      outfile: join(folder, 'bundle.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    expect(warnings.map(({ text, location }) => `${location?.file}: ${text}`)).to.deep.equal([]);
    const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    );
    expect(used.filter(path => path.includes('sluice/dist'))).not.to.have.length(0);
    // They are files of their own, because they are imported on demand.
    expect(Object.keys(metafile.inputs).join('\n')).to.include('openParquet');
    expect(used.filter(path => /open(Arrow|Parquet|Csv|Ndjson)|apache-arrow|Encoder/.test(path))).to.deep.equal([]);
    writeFileSync(join(folder, 'bundle.mjs'), outputFiles[0]!.contents);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'bundle.mjs')]);
    expect(stdout).to.equal('pseudoHuber(1)\n');
  });
});
