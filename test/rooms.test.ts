import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Files beside the rooms, which every room may import; they import nothing but each other. */
const BESIDE = ['errors', 'options', 'words', 'files', 'peers', 'broker', 'version'];

/** The public entries below src, by the exports of the package: its index, and the index of a room. */
const ENTRIES: readonly string[] = Object.values<{ types?: string }>(
  JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).exports,
).flatMap(({ types }) => (types === undefined ? [] : [join(types.slice('./dist/'.length, -5).concat('.ts'))]));

/** What each room may import, besides itself: the table of docs/architecture.md. The index opens every room. */
const mayImport: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...[
    ...readFileSync(join(project, 'docs/architecture.md'), 'utf8')
      .split('\n## ')
      .find(section => section.startsWith('The rooms'))!
      .matchAll(/^\| `(\w+)` \|[^|]*\|([^|]*)\|$/gm),
  ].map(([, room, others]) => [
    room!,
    others!.trim() === 'nothing' ? [] : others!.split(',').map(other => other.trim()),
  ]),
]);

/** Packages that stay in their rooms, so that they could be replaced there. */
const packageRooms: Readonly<Record<string, readonly string[]>> = {
  'ml-matrix': ['math'],
  seedrandom: ['math'],
  'apache-arrow': ['source', 'sink', 'fit', 'engine'],
  '@grpc/grpc-js': ['engine', 'peers'],
  rxjs: ['flow', 'fit', 'lab'],
  '@observablehq/plot': ['sink'],
  linkedom: ['sink'],
  '@resvg/resvg-js': ['sink', 'peers'],
  'dejavu-fonts-ttf': ['sink'],
};

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const importsOf = ({ text }: SourceFile): string[] =>
  [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^;]*?\bfrom\s*'([^']+)'|(?:^|[\n;])\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'/g,
    ),
  ].map(match => match[1] ?? match[2] ?? match[3]!);

/** The room of a path below src: its first folder, or 'index' for src/index.ts. */
const roomOf = (path: string): string => {
  const [first, ...rest] = path.split(sep);
  return rest.length === 0 ? first!.replace(/\.ts$/, '') : first!;
};

function breaches(file: SourceFile): string[] {
  const room = roomOf(file.path);
  if (room === 'index') return [];
  const allowed = BESIDE.includes(room) ? BESIDE : [...BESIDE, ...(mayImport[room] ?? [])];
  if (!BESIDE.includes(room) && mayImport[room] === undefined) return [`${file.path}: there is no room ${room}`];
  return importsOf(file).flatMap(target => {
    if (target.startsWith('.')) {
      const entered = join(dirname(file.path), target);
      const may = [room, ...allowed].includes(roomOf(entered));
      const isOpen = allowed.includes('public entries') && ENTRIES.includes(entered);
      return may || isOpen ? [] : [`${file.path} imports ${target}`];
    }
    const rooms = packageRooms[/^(?:@[^/]+\/)?[^/]+/.exec(target)![0]];
    return rooms === undefined || rooms.includes(room) ? [] : [`${file.path} imports the package ${target}`];
  });
}

const filesBelow = (folder: string): SourceFile[] =>
  readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .map(path => ({ path, text: readFileSync(join(project, folder, path), 'utf8') }));

describe('the rooms of src', () => {
  const files = filesBelow('src');

  it('import only what they may', () => {
    expect(files.length).to.be.above(50);
    expect(files.flatMap(breaches)).to.deep.equal([]);
  });

  it('are the folders of src, and those of the table', () => {
    const folders = new Set(files.filter(({ path }) => path.includes(sep)).map(({ path }) => roomOf(path)));
    expect([...folders].sort()).to.deep.equal(Object.keys(mayImport).sort());
  });

  it('contain no circle of imports between files; types alone may refer to each other', () => {
    const graph = new Map(
      files.map(file => [
        file.path,
        importsOf({ ...file, text: file.text.replaceAll(/^(?:import|export) type\b[^;]*;/gm, '') })
          .filter(target => target.startsWith('.'))
          .map(target => join(dirname(file.path), target)),
      ]),
    );
    const finished = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) expect.fail(`a circle: ${[...trail, path].join(' -> ')}`);
      if (finished.has(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      finished.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    expect(finished.size).to.equal(files.length);
  });

  it('are checked by a rule that sees a breach', () => {
    const planted = (path: string, text: string): string[] => breaches({ path, text });
    expect(planted(join('math', 'a.ts'), "import { x } from '../method/loss/loss.ts';")).to.have.length(1);
    expect(planted(join('method', 'a.ts'), "import { Matrix } from 'ml-matrix';")).to.have.length(1);
    expect(planted(join('method', 'a.ts'), "export { y } from '../plan/plan.ts';")).to.have.length(1);
    expect(planted(join('method', 'a.ts'), "const z = await import('../plan/plan.ts');")).to.have.length(1);
    expect(planted(join('math', 'a.ts'), "import '../flow/descend.ts'; import 'rxjs';")).to.have.length(2);
    expect(planted(join('attic', 'a.ts'), '')).to.have.length(1);
    expect(planted(join('cli', 'a.ts'), "import { planFit } from '../plan/planFit.ts';")).to.have.length(1);
    expect(planted(join('cli', 'flags', 'a.ts'), "import { x } from '../../plan/index.ts';")).to.have.length(0);
    expect(
      planted(join('plan', 'theorem', 'a.ts'), "import { x } from '../../method/rule/nesterov.ts';"),
    ).to.have.length(0);
    expect(planted(join('method', 'a.ts'), "import {\n  x,\n  y,\n} from '../privacy/event.ts';")).to.have.length(1);
  });
});

describe('randomness', () => {
  it('never comes from Math by a way around the lint rule', () => {
    const around = /random\b[^;{}]*\}\s*=\s*Math\b|globalThis\s*\.\s*Math|Math\s*\[|=\s*Math\s*[;,\n]/;
    const hits = [...filesBelow('src'), ...filesBelow('pipelines')].filter(({ text }) => around.test(text));
    expect(hits.map(({ path }) => path)).to.deep.equal([]);
    expect(around.test('const { random } = Math;')).to.equal(true);
    expect(around.test("Math['random']()")).to.equal(true);
  });
});

describe('noise', () => {
  it('comes from the operating system through one module, or the lint rules say so', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-lint-'));
    try {
      const planted = [
        "import { randomFillSync } from 'node:crypto';",
        "import { randomBytes as bytes } from 'crypto';",
        "import * as all from 'node:crypto';",
        "import all from 'node:crypto';",
        "export { getRandomValues } from 'node:crypto';",
        "const { randomInt } = await import('node:crypto');",
        "const { randomInt } = require('node:crypto');",
        'crypto.getRandomValues(new Uint32Array(1));',
      ];
      planted.forEach((line, i) => {
        writeFileSync(join(folder, `planted${i}.ts`), `${line}\n`);
      });
      const rules = ['--only=style/noRestrictedImports', '--only=style/noRestrictedGlobals'];
      const biome = ['node_modules/.bin/biome', 'lint', '--vcs-enabled=false', '--config-path=.', ...rules];
      const { stderr } = spawnSync(process.execPath, [...biome, folder], { cwd: project, encoding: 'utf8' });
      planted.forEach((line, i) => {
        expect(stderr, line).to.match(new RegExp(`planted${i}\\.ts:\\d+:\\d+ lint/style/noRestricted`));
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('never comes by a way around them', () => {
    const around = /globalThis\b[^;\n]*\bcrypto|\bcrypto\b[^;\n]*globalThis|process\s*\.\s*binding|getBuiltinModule/;
    const hits = [...filesBelow('src'), ...filesBelow('pipelines')].filter(({ text }) => around.test(text));
    expect(hits.map(({ path }) => path)).to.deep.equal([]);
    for (const line of [
      "globalThis['crypto'].x",
      'const { crypto } = globalThis',
      "process.binding('crypto')",
      "process.getBuiltinModule('crypto')",
    ]) {
      expect(around.test(line), line).to.equal(true);
    }
  });
});

describe('pipelines', () => {
  it('import public entries, rxjs, the client of a broker and modules of Node only', () => {
    const imports = filesBelow('pipelines').flatMap(file =>
      importsOf(file).map(target =>
        target.startsWith('.') ? relative('.', join('pipelines', dirname(file.path), target)) : target,
      ),
    );
    const open = [...ENTRIES, 'files.ts', 'words.ts'].map(path => join('src', path));
    expect(
      imports.filter(
        target =>
          !['rxjs', '@nats-io/jetstream', '@nats-io/transport-node', ...open].includes(target) &&
          !target.startsWith('node:') &&
          !target.startsWith('pipelines'),
      ),
    ).to.deep.equal([]);
  });
});
