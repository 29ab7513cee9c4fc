import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

describe('codeVersion', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(project, 'out-readme-'));
    await cp(join(project, 'src'), join(folder, 'src'), { recursive: true });
    await symlink(join(project, 'package.json'), join(folder, 'package.json'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const versionNow = async (): Promise<string> => {
    const { codeVersion } = await import(join(folder, 'src/lab/paper/crew.ts'));
    return codeVersion();
  };
  const change = async (path: string): Promise<void> => {
    const file = join(folder, 'src', path);
    await writeFile(file, `${await readFile(file, 'utf8')}// changed\n`);
  };

  it('changes with whatever the numbers depend on, however far, and with nothing else', async () => {
    const before = await versionNow();
    expect(before).to.match(/^[0-9a-f]{16}$/);
    await change('cli/render/progress.ts');
    await change('sink/page/chart.ts');
    expect(await versionNow()).to.equal(before);
    await change('math/random/normal.ts');
    const after = await versionNow();
    expect(after).not.to.equal(before);
    await change('lab/paper/exhibits/plot6.ts');
    expect(await versionNow()).not.to.equal(after);
  });

  it('follows imports in the quotes that compiled files have', async () => {
    const src = join(folder, 'src');
    for (const name of await readdir(src, { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const text = await readFile(join(src, name), 'utf8');
      await writeFile(join(src, name), text.replace(/ from '(\.[^']+)'/g, ' from "$1"'));
    }
    const before = await versionNow();
    await change('math/random/normal.ts');
    expect(await versionNow()).not.to.equal(before);
  });

  it('follows imports of a bundle, some of which name nothing', async () => {
    const worker = join(folder, 'src/lab/paper/figureWorker.ts');
    await writeFile(join(folder, 'src/lab/paper/chunk.ts'), 'export {};\n');
    await writeFile(worker, `import "./chunk.ts";\n${await readFile(worker, 'utf8')}`);
    const before = await versionNow();
    await change('lab/paper/chunk.ts');
    expect(await versionNow()).not.to.equal(before);
  });
});
