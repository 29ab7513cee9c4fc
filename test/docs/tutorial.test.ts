import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseModel } from '../../src/model/model.ts';
import { type PlainBuild, plainBuild } from '../support/plainBuild.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const file = join(project, 'docs/tutorial.md');
const page = readFileSync(file, 'utf8');

/** Commands, and what is shown of their output: word for word, or with numbers of their own where noise is drawn. */
const STEP = /```sh( refused)?\n(.*?)```\n\n```text( noisy)?\n(.*?)```/gs;
const steps = [...page.matchAll(STEP)].map(([whole, refused, commands, noisy, shown]) => ({
  whole: whole!,
  commands: commands!,
  shown: shown!,
  code: refused === undefined ? 0 : 2,
  isNoisy: noisy !== undefined,
}));

/** A short audit may find no lower bound, and then says how to find one. */
const shapeOf = (text: string): string =>
  text
    .replace('; give more --draws for a sharper bound', '')
    .replaceAll(/\b[0-9a-f]{64}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|-?\d+(\.\d+)?(e-?\d+)?/g, '#')
    .replaceAll(/ +/g, ' ');

describe('docs/tutorial.md @slow', () => {
  // WRITE_TUTORIAL=1 writes what the commands print into the page.
  const isWriting = process.env.WRITE_TUTORIAL === '1';
  let written = page;
  let build: PlainBuild;
  let folder: string;
  let path: string;
  before(() => {
    build = plainBuild('src', 'pipelines/people.ts');
    symlinkSync(join(project, 'node_modules'), build.compiled('node_modules'));
    copyFileSync(join(project, 'package.json'), build.compiled('package.json'));
    folder = build.folder();
    // `npx sluice` and `npx tsx pipelines/….ts`, compiled, so that many commands take few seconds.
    const npx = join(folder, 'npx');
    const built = (name: string): string => `'${process.execPath}' '${build.compiled(name)}'`;
    writeFileSync(
      npx,
      `#!/bin/sh\ncase "$1 $2" in\n'tsx pipelines/people.ts') shift 2; exec ${built('pipelines/people.ts')} "$@";;\n'sluice '*) shift; exec ${built('src/cli/main.ts')} "$@";;\nesac\necho "no such command: $*"; exit 1\n`,
    );
    chmodSync(npx, 0o755);
    path = `${folder}${delimiter}${process.env.PATH}`;
  });
  after(() => {
    build.remove();
    if (isWriting) writeFileSync(file, written);
  });

  const run = (commands: string): Promise<{ code: number; printed: string }> =>
    new Promise(done => {
      const options = { cwd: folder, env: { ...process.env, PATH: path } };
      execFile('/bin/sh', ['-ec', `{ ${commands}} 2>&1`], options, (error, stdout) =>
        done({ code: error === null ? 0 : Number(error.code), printed: stdout }),
      );
    });

  it('shows every command with what it prints', () => {
    expect(page.match(/```sh/g)).to.have.length(steps.length);
    expect(steps).to.have.length.at.least(12);
  });

  for (const { whole, commands, shown, code, isNoisy } of steps) {
    it(`${commands.trim().split('\n').at(-1)!.slice(0, 60)} … prints what is shown`, async () => {
      const found = await run(commands);
      expect(found.code, found.printed).to.equal(code);
      if (isWriting) {
        const before = whole.slice(0, whole.length - `${shown}\`\`\``.length);
        written = written.replace(whole, () => `${before}${found.printed}\`\`\``);
      } else if (isNoisy) expect(shapeOf(found.printed)).to.equal(shapeOf(shown));
      else expect(found.printed).to.equal(shown);
    });
  }

  it('ends with a private model near the truth, reports, and no file of the refused run', () => {
    const model = parseModel(readFileSync(join(folder, 'out/private.json'), 'utf8'), 'private.json');
    expect(model.ledger).to.include({ private: true, epsilon: 1, delta: 1e-6 });
    // Noise moves them by 0.0003 or so, and the steps end up to 0.008 away: a false alarm would take noise of forty
    // standard deviations.
    expect(model.coefficients.hours).to.be.closeTo(0.9, 0.02);
    expect(model.coefficients.age).to.be.closeTo(0.25, 0.02);
    expect(model.coefficients.commute).to.be.closeTo(-0.05, 0.02);
    for (const name of ['model.html', 'private.html', 'predictions.parquet'])
      expect(existsSync(join(folder, 'out', name)), name).to.equal(true);
    expect(existsSync(join(folder, 'out/again.json'))).to.equal(false);
  });

  it('links to what exists', () => {
    for (const [, link, , anchor] of page.matchAll(/\]\(([^)#]+)(#([^)]+))?\)/g)) {
      const target = join(project, 'docs', link!);
      expect(existsSync(target), link).to.equal(true);
      if (anchor === undefined) continue;
      const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
        title!
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(headings, link).to.include(anchor);
    }
  });
});
