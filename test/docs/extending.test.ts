import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const page = readFileSync(join(project, 'docs/extending.md'), 'utf8');

const parts = [...page.matchAll(/^## (.*)\n[\s\S]*?```ts\n([\s\S]*?)```/gm)].map(([, title, code]) => ({
  title: title!,
  code: code!.trimEnd(),
}));

/** What each part prints. */
const printed: Readonly<Record<string, string>> = {
  'A loss': 'logCosh() 2.0',
  'A stage': 'clipped(2)',
  'An aggregator': 'blocks',
  'A rule': 'heavy ball',
  'A source': '3',
  'A sink': 'written',
};

describe('docs/extending.md', function () {
  this.timeout(60_000);
  let folder: string;
  const cache = join(project, 'out');
  const program = join(cache, `extending-${process.pid}.mts`);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-extending-'));
    mkdirSync(cache, { recursive: true });
  });
  after(() => {
    rmSync(folder, { recursive: true });
    rmSync(program, { force: true });
  });

  it('has a part for every kind of thing, each in under 20 lines', () => {
    expect(parts.map(({ title }) => title)).to.deep.equal(Object.keys(printed));
    for (const { title, code } of parts) expect(code.split('\n'), title).to.have.length.below(20);
  });

  it('runs as it stands', async () => {
    const { exports } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const sourceOf = (name: string): string =>
      pathToFileURL(join(project, exports[name].types.replace('./dist/', 'src/').replace('.d.ts', '.ts'))).href;
    // One process for all: each part is a module of its own, with the package's names turned to its sources.
    const modules = parts.map(({ code }, k) => {
      const path = program.replace('.mts', `-${k}.mts`);
      writeFileSync(
        path,
        code.replace(/from 'sluice(\/\w+)?'/g, (_, entry = '') => `from '${sourceOf(`.${entry}`)}'`),
      );
      return path;
    });
    writeFileSync(
      program,
      modules.map(path => `await import(${JSON.stringify(pathToFileURL(path).href)});`).join('\n'),
    );
    try {
      const tsx = join(project, 'node_modules/tsx/dist/cli.mjs');
      const { stdout } = await promisify(execFile)(process.execPath, [tsx, program], { cwd: folder });
      expect(stdout.trim().split('\n')).to.deep.equal(Object.values(printed));
      const written = readFileSync(join(folder, 'predictions.txt'), 'utf8');
      expect(written.split('\n').slice(0, 3)).to.deep.equal(['1 2.00', '2 4.00', '3 6.00']);
    } finally {
      for (const path of modules) rmSync(path, { force: true });
    }
  });
});
