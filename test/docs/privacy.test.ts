import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Command } from 'commander';
import { addFitFlags } from '../../src/cli/flags/fitFlags.ts';
import { epsilonFor, muFor } from '../../src/privacy/gaussianDp.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const page = readFileSync(join(project, 'docs/privacy.md'), 'utf8');

describe('docs/privacy.md', () => {
  it('links to tests that exist', () => {
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(match => match[1]!);
    expect(links.filter(link => /^\.\.\/test\/.*\.test\.ts$/.test(link))).to.have.length.at.least(15);
    for (const link of links) expect(existsSync(join(project, 'docs', link)), link).to.equal(true);
  });

  it('names flags and pipelines that exist', () => {
    const help = addFitFlags(new Command())
      .option('--target')
      .option('--out')
      .option('--checkpoint')
      .option('--draws')
      .helpInformation();
    for (const [flag] of page.matchAll(/--[a-z]+(-[a-z]+)*/g)) expect(help, flag).to.include(flag);
    for (const [path] of page.matchAll(/pipelines\/[\w-]+\.ts/g))
      expect(existsSync(join(project, path))).to.equal(true);
  });

  it('says what two runs of epsilon 1 cost together', () => {
    expect(page).to.include(
      `two runs of epsilon 1 cost ${epsilonFor(Math.SQRT2 * muFor(1, 1e-6), 1e-6).toFixed(2)} together`,
    );
  });
});
