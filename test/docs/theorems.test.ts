import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as engines from '../../src/engine/index.ts';
import * as flow from '../../src/flow/index.ts';
import * as sluice from '../../src/index.ts';
import * as paper from '../../src/lab/paper/index.ts';
import * as method from '../../src/method/index.ts';
import * as planning from '../../src/plan/index.ts';
import * as catalogue from '../../src/plan/theorem/index.ts';
import * as theorems from '../../src/plan/theorem/theorems.ts';
import * as privacy from '../../src/privacy/index.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const page = readFileSync(join(project, 'docs/theorems.md'), 'utf8');

describe('docs/theorems.md', () => {
  it('lists every theorem that the library has, and names only what it exports', () => {
    const named = [...page.matchAll(/`([\w.]+)`/g)].map(match => match[1]!);
    for (const name of Object.keys(theorems)) expect(named).to.include(`theorems.${name}`);
    for (const name of named) {
      const [first, second] = name.split('.');
      const found = (
        {
          ...sluice,
          ...flow,
          ...engines,
          ...planning,
          ...privacy,
          ...method,
          ...paper,
          ...catalogue,
          theorems,
        } as Record<string, unknown>
      )[first!];
      expect(second === undefined ? found : (found as Record<string, unknown>)[second], name).to.not.equal(undefined);
    }
  });

  it('names files that are there', () => {
    const files = [...page.matchAll(/\b(?:test|pipelines)\/[\w./-]+\.ts/g)].map(match => match[0]);
    expect(files.length).to.be.above(20);
    for (const file of files) expect(existsSync(join(project, file)), file).to.equal(true);
  });
});
