import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { runCli } from '../support/runCli.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const readme = readFileSync(join(project, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(match => match[1]!);

/** The source of an entry, as package.json exports it. */
function sourceOf(entry?: string): string {
  const { exports } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const { types } = exports[entry === undefined ? '.' : `./${entry}`];
  return join(project, types.replace('./dist', 'src').replace('.d.ts', '.ts'));
}

/** Runs a program in a process of its own, with the package's name standing for its sources. */
function run(program: string): string {
  // Beside the sources, so that the program finds the packages it imports.
  const folder = mkdtempSync(join(project, 'out-readme-'));
  try {
    const file = join(folder, 'example.mts');
    writeFileSync(
      file,
      program.replaceAll(/'sluice(?:\/(\w+))?'/g, (_, entry?: string) => `'${pathToFileURL(sourceOf(entry))}'`),
    );
    return execFileSync(process.execPath, ['--import=tsx', file], { cwd: project, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the README', () => {
  const linesOf = (example: string): readonly string[] => example.split('\n').filter(line => line.trim() !== '');

  it('shows a first pipeline of at most twelve lines that prints what it says', () => {
    const [example] = examples;
    expect(linesOf(example!)).to.have.length.at.most(12);
    const said = /It prints `([^`]+)`/.exec(readme)![1]!;
    expect(run(example!).trim()).to.equal(said);
  });

  it('shows a second one in fifteen lines, from a file by a generator to the slope that estimate finds', () => {
    expect(linesOf(examples[1]!)).to.have.length.at.most(15);
    const [slope, intercept] = /\[ (\S+), (\S+) \]/.exec(run(examples[1]!))!.slice(1).map(Number);
    expect(slope).to.be.closeTo(0.8, 0.05);
    expect(intercept).to.be.closeTo(4.7, 0.1);
  });

  it('shows the calls, with intervals, predictions and a private estimate', () => {
    const lines = run(examples[2]!).trim().split('\n');
    const hours = lines.find(line => line.startsWith('hours '))!;
    const [, slope, low, high] = hours.split(' ').map(Number);
    expect(slope).to.be.closeTo(0.8, 0.1).and.within(low!, high!);
    expect(lines.some(line => line.startsWith('(intercept) '))).to.equal(true);
    expect(lines).to.include("2000 [ 'age', 'prediction' ]");
    expect(lines.at(-1)).to.equal("true [ 'hours', 'age', '(intercept)' ]");
  });

  it('shows a theorem', () => {
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
