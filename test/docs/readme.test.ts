import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const readme = readFileSync(join(project, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(match => match[1]!);

/** Runs a program in a process of its own, with the package's name standing for its sources. */
function run(program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-readme-'));
  try {
    const file = join(folder, 'example.mts');
    writeFileSync(file, program.replaceAll("'sluice'", `'${pathToFileURL(join(project, 'src/index.ts'))}'`));
    return execFileSync(process.execPath, ['--import=tsx', file], { cwd: project, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the README', () => {
  it('shows an example of at most ten statements that prints what it says', () => {
    const [example] = examples;
    expect(example!.split('\n').filter(line => line.trim() !== '')).to.have.length.at.most(10);
    const said = /It prints `([^`]+)`/.exec(readme)![1]!;
    expect(run(example!).trim()).to.equal(said);
  });

  it('shows theorems that run', () => {
    expect(run(examples[1]!)).to.match(/^7 8571 /);
  });

  it('shows what npm start prints', () => {
    const shown = /prints how far.*?```\n(.*?)```/s.exec(readme)![1]!;
    const printed = execFileSync(process.execPath, ['--import=tsx', 'pipelines/heavy-tails.ts'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(printed).to.equal(shown);
  });

  it('names commands that the manifest has', () => {
    const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    expect(scripts).to.include.keys('start', 'test', 'prepare');
  });
});
