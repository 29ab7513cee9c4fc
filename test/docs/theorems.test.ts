import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { completeness, paperMarkdown, paperTable } from '../../src/lab/paper/paperTable.ts';
import { catalogue } from '../../src/plan/theorem/catalogue.ts';
import * as lemmas from '../../src/plan/theorem/lemmas/index.ts';
import * as theorems from '../../src/plan/theorem/theorems.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const page = read('docs/theorems.md');
/** As they stand in the paper's LaTeX. */
const { labels } = JSON.parse(read('test/vectors/paperLabels.json')) as { labels: readonly string[] };
const rows = paperTable(labels);

describe('the table of the paper', () => {
  it('has a row for every label, and refuses a label without one', () => {
    expect(rows.map(({ label }) => label)).to.deep.equal(labels);
    expect(new Set(labels).size).to.equal(labels.length);
    expect(() => paperTable([...labels, 'theorem:another'])).to.throw('no row for theorem:another');
    expect(() => paperTable(labels.filter(label => label !== 'lemma:GD'))).to.throw('no label for lemma:GD');
  });

  it('names files that export what it says, and tests that speak of it', async () => {
    const wrong: string[] = [];
    for (const { label, code, test, kind, because } of rows) {
      expect(because !== undefined, label).to.equal(kind !== 'whole');
      expect(code === undefined, label).to.equal(kind === 'tool');
      if (code === undefined) continue;
      const exported = await import(pathToFileURL(join(project, code.file)).href);
      if (!Object.hasOwn(exported, code.name)) wrong.push(`${label}: ${code.file} exports no ${code.name}`);
      if (!existsSync(join(project, test!))) {
        wrong.push(`${label}: there is no ${test}`);
        continue;
      }
      // The vectors name functions in a file of their own.
      const spoken = read(test!) + (test!.endsWith('vectors.test.ts') ? read('test/vectors/theorems.json') : '');
      if (!spoken.includes(code.name)) wrong.push(`${label}: ${test} does not speak of ${code.name}`);
    }
    expect(wrong).to.deep.equal([]);
  });

  it('holds every theorem of the catalogue and every lemma of the library', () => {
    const named = new Set(rows.map(({ code }) => code?.name));
    for (const { name } of catalogue()) expect(named).to.include(name);
    for (const name of Object.keys(lemmas)) expect(named).to.include(name);
    for (const name of Object.keys(theorems)) expect(page).to.include(`${name}\``);
  });

  it('is what docs/theorems.md shows, and its count what the page says of completeness', () => {
    expect(page).to.include(paperMarkdown(rows));
    expect(page).to.include(completeness(rows));
  });
});
