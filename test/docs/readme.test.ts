import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { runCli } from '../support/runCli.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const readme = readFileSync(join(project, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(match => match[1]!);

/** Runs a program in a process of its own, with the package's name standing for its sources. */
function run(program: string): string {
  // Beside the sources, so that the program finds the packages it imports.
  const folder = mkdtempSync(join(project, 'out-readme-'));
  try {
    const file = join(folder, 'example.mts');
    writeFileSync(file, program.replaceAll("'sluice'", `'${pathToFileURL(join(project, 'src/index.ts'))}'`));
    return execFileSync(process.execPath, ['--import=tsx', file], { cwd: project, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the README', () => {
  it('shows an example of at most ten lines that prints what it says', () => {
    const [example] = examples;
    expect(example!.split('\n').filter(line => line.trim() !== '')).to.have.length.at.most(10);
    const said = /It prints `([^`]+)`/.exec(readme)![1]!;
    expect(run(example!).trim()).to.equal(said);
  });

  it('shows an estimate from a file that is there, with intervals and notes', () => {
    const lines = run(examples[1]!).trim().split('\n');
    expect(lines.map(line => line.split(' ')[0]).slice(0, 3)).to.deep.equal(['hours', 'age', '(intercept)']);
    const [, slope, low, high] = lines[0]!.split(' ').map(Number);
    expect(slope).to.be.closeTo(0.8, 0.1).and.within(low!, high!);
  });

  it('shows a pipeline that runs, and theorems', () => {
    expect(run(examples[2]!)).to.equal('{ used: 19872, leftOver: 128 }\n');
    expect(run(examples[3]!)).to.match(/^7 8571 /);
  });

  it('names no file of data that a checkout lacks before it says whose it is', () => {
    const [shipped] = /## The command line.*?```sh\n(.*?)```/s.exec(readme)!.slice(1);
    for (const [file] of shipped!.matchAll(/[\w/]+\.(csv|parquet|arrow|ndjson)\b/g)) {
      if (!file.startsWith('out/')) expect(existsSync(join(project, file)), file).to.equal(true);
    }
    // What the commands write is none of the checkout's, which ignores out/.
    for (const [, file] of shipped!.matchAll(/--(?:out|report) (\S+)/g)) expect(file).to.match(/^out\//);
    expect(readme).to.include('`people.parquet` stands for your own file');
  });

  it('names commands and flags that exist', async () => {
    const commands = [...readme.matchAll(/npx sluice (\w+)([^\n]*)/g)].filter(([, name]) => name !== 'help');
    expect(commands.length).to.be.at.least(6);
    for (const [, name, rest] of commands) {
      const help = (await runCli([name!, '--help'])).stdout;
      for (const [flag] of rest!.matchAll(/--[a-z-]+/g)) expect(help, `${name} ${flag}`).to.include(flag);
    }
  });
});
