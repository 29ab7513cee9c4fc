import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { figures } from '../src/lab/paper/exhibits.ts';
import { runsExhibit, runsFigure, slowFigures } from './support/pagesOfReproduce.ts';
import { runPage, tableOfPage } from './support/runPage.ts';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');

describe('the pipelines', () => {
  it('are pages of at most 40 lines, besides their imports', () => {
    const pages = readdirSync(join(project, 'pipelines')).filter(name => name.endsWith('.ts'));
    expect(pages).to.have.length.above(15);
    for (const name of pages) {
      const text = readFileSync(join(project, 'pipelines', name), 'utf8').trimEnd();
      expect(text.replace(/^import [^;]*;\n/gm, '').split('\n'), name).to.have.length.at.most(40);
    }
  });

  it('linear-heavy-tails: the median of means survives what the mean does not', async () => {
    const errors = [...(await runPage('linear-heavy-tails.ts')).matchAll(/error ([\d.]+)/g)].map(match =>
      Number(match[1]),
    );
    expect(errors[0]).to.be.above(1);
    expect(errors[1]).to.be.below(0.2);
  });

  it("custom-stage: a stage of the user's own clips every gradient", async () => {
    const printed = await runPage('custom-stage.ts');
    const gradients = [...printed.matchAll(/gradient ([\d.]+)/g)].map(match => Number(match[1]));
    expect(gradients).to.have.length(10);
    expect(Math.max(...gradients)).to.be.at.most(2);
    expect(Number(/error ([\d.]+)/.exec(printed)![1])).to.be.below(0.5);
  });

  it('online: intervals shrink while rows arrive, a change is found soon, and counting begins anew', async () => {
    const printed = await runPage('online.ts');
    const widths = [...printed.matchAll(/now ([\d.]+) \.\. ([\d.]+)/g)].map(
      ([, low, high]) => Number(high) - Number(low),
    );
    expect(widths.at(-2)).to.be.below(widths[0]! / 2);
    const [, found] = /chunk (\d+): coefficient 0 has moved/.exec(printed)!;
    expect(Number(found)).to.be.within(121, 130);
    expect(Number(/chunk 140: ([\d.]+)/.exec(printed)![1])).to.be.closeTo(1.3, 0.03);
  });

  it('private-vs-paper: exact accounting is many times nearer to the truth than the paper, at any size', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-picture-'));
    const picture = join(folder, 'picture.svg');
    try {
      const printed = await runPage('private-vs-paper.ts', '20000', '3', picture);
      const median = (series: string, epsilon: number): number =>
        Number(new RegExp(`^${series} +${epsilon} +([\\d.]+)`, 'm').exec(printed)![1]);
      const drawn = readFileSync(picture, 'utf8');
      for (const series of ['full, exact', 'fresh, parallel', 'paper']) expect(drawn).to.include(`>${series}<`);
      for (const epsilon of [0.9, 0.5, 0.2, 0.1]) {
        for (const series of ['full, exact', 'fresh, parallel'])
          expect(median(series, epsilon), series).to.be.below(median('paper', epsilon) / 5);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const [name, least] of Object.entries({ 'lower-bound': 5, rates: 10 })) runsExhibit(name, least);

  it('lower-bound: the condition of theorem UPRidge holds on the data, and the excess risk falls as n grows', async () => {
    const shown = await tableOfPage('lower-bound.ts');
    for (const [key, value] of shown) if (key.startsWith('condition')) expect(value, key).to.be.at.least(0);
    expect(shown.get('ACCFW eps=0.9 at 26624')).to.be.below(shown.get('ACCFW eps=0.9 at 416')! - 2);
  });

  for (const { name } of figures()) if (!slowFigures.includes(name)) runsFigure(name);
});
