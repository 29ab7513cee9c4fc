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

/**
 * What each of the programs prints, the package's name standing for its sources. They run one after another in one
 * process, which loads the sources once.
 */
function printedBy(programs: readonly string[]): readonly string[] {
  // Beside the sources, so that the programs find the packages they import.
  const folder = mkdtempSync(join(project, 'out-readme-'));
  const end = '-- end of an example --';
  try {
    const files = programs.map((program, k) => {
      const file = join(folder, `example-${k}.mts`);
      writeFileSync(
        file,
        program.replaceAll(/'sluice(?:\/(\w+))?'/g, (_, entry?: string) => `'${pathToFileURL(sourceOf(entry))}'`),
      );
      return file;
    });
    const all = join(folder, 'examples.mts');
    // An example may leave work behind that prints later: each has ended when nothing is left to do.
    writeFileSync(
      all,
      `const files = ${JSON.stringify(files)};
process.on('beforeExit', async () => {
  console.log(${JSON.stringify(end)});
  const file = files.shift();
  if (file !== undefined) await import(file);
  else process.exit();
});`,
    );
    const printed = execFileSync(process.execPath, ['--import=tsx', all], { cwd: project, encoding: 'utf8' });
    return printed.split(`${end}\n`).slice(1, -1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the README', () => {
  let printed: readonly string[];
  before(() => {
    printed = printedBy(examples.slice(0, 4));
  });

  const linesOf = (example: string): readonly string[] => example.split('\n').filter(line => line.trim() !== '');

  it('shows a first pipeline of at most twelve lines that prints what it says', () => {
    expect(linesOf(examples[0]!)).to.have.length.at.most(12);
    const said = /It prints `([^`]+)`/.exec(readme)![1]!;
    expect(printed[0]!.trim()).to.equal(said);
  });

  it('shows a second one in fifteen lines, from a file by a generator to the slope that estimate finds', () => {
    expect(linesOf(examples[1]!)).to.have.length.at.most(15);
    const [slope, intercept] = /\[ (\S+), (\S+) \]/.exec(printed[1]!)!.slice(1).map(Number);
    expect(slope).to.be.closeTo(0.8, 0.05);
    expect(intercept).to.be.closeTo(4.7, 0.1);
  });

  it('shows the calls, with intervals, predictions and a private estimate', () => {
    const lines = printed[2]!.trim().split('\n');
    const hours = lines.find(line => line.startsWith('hours '))!;
    const [, slope, low, high] = hours.split(' ').map(Number);
    expect(slope).to.be.closeTo(0.8, 0.1).and.within(low!, high!);
    expect(lines.some(line => line.startsWith('(intercept) '))).to.equal(true);
    expect(lines).to.include("2000 [ 'age', 'prediction' ]");
    expect(lines.at(-1)).to.equal("true [ 'hours', 'age', '(intercept)' ]");
  });

  it('shows a theorem', () => {
    expect(printed[3]!).to.match(/^7 8571 /);
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
