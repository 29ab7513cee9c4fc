import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ComparedErrors } from '../../../pipelines/beyond/comparedErrors.ts';
import { comparedSettings, errorMeasure } from '../../../pipelines/beyond/comparedSettings.ts';
import { findings, inShort } from '../../../pipelines/beyond/comparisonFindings.ts';
import { comparisonPage } from '../../../pipelines/beyond/comparisonPage.ts';
import { columnsExplained, remarks } from '../../../pipelines/beyond/comparisonRemarks.ts';
import { figures } from '../../../src/lab/paper/exhibits.ts';
import type { Point } from '../../../src/lab/paper/figure.ts';
import { filled, zeros } from '../../../src/math/vector.ts';

const point = (reading: string, value: number, series = 'plot7, FW'): Point => ({
  reading,
  series,
  x: 20_000,
  value,
});

describe('comparisonPage', () => {
  const lines = comparisonPage([
    [point('paper', 1), point('default', 0.5), point('paper', 2, 'plot2, FW eps=0.5')],
    [point('paper', 3), point('default', 0.5), point('paper', 2, 'plot2, FW eps=0.5')],
    [point('paper', 2), point('default', 0.1), point('paper', 2, 'plot2, FW eps=0.5')],
  ]).split('\n');

  it('shows medians over seeds and their ratio', () => {
    expect(lines).to.include('| FW | 20,000 |  | 2 |  |  |  |  | 0.5 | 4 |');
  });

  it('says where the default refuses', () => {
    expect(lines).to.include('| FW eps=0.5 | 20,000 |  | 2 |  |  |  |  | refused |  |');
  });

  it('has a section for every figure', () => {
    for (const { name, title } of figures()) expect(lines).to.include(`## ${name}: ${title}`);
  });
});

const READINGS = ['nothing', 'paper', 'geometric', 'preconditioned', 'averaged', 'least noise', 'default'];

/** The rows of a page's tables. */
const rowsOf = (page: string): ComparedErrors[] =>
  page.split('\n## ').flatMap(section =>
    [...section.matchAll(/^\| (\w[^|]*) \| ([\d,]+) \|(.*)\|$/gm)].map(([, method, n, cells]) => ({
      series: `${section.slice(0, section.indexOf(':'))}, ${method}`,
      x: Number(n!.replaceAll(',', '')),
      errors: Object.fromEntries(
        cells!.split('|').flatMap((cell, k) => {
          const reading = READINGS[k];
          return reading === undefined || cell.trim() === '' ? [] : [[reading, Number(cell)]];
        }),
      ),
    })),
  );

describe('the committed comparison', () => {
  const committed = readFileSync(new URL('../../../docs/beyond-the-paper.md', import.meta.url), 'utf8');

  it('says what the pipeline would say today of its numbers, and beside them', () => {
    const rows = rowsOf(committed);
    expect(rows).to.have.length(42);
    const found = figures().map(({ name }) => findings(rows.filter(({ series }) => series.startsWith(name))));
    for (const text of [columnsExplained, ...Object.values(remarks), inShort(rows), ...found]) {
      expect(committed).to.include(text);
    }
  });

  it('says a lower bound for plot6 that no plan is below by more than the rounding', () => {
    const section = committed.slice(committed.indexOf('## plot6'), committed.indexOf('## plot7'));
    const rows = [...section.matchAll(/m=(\d) \| [\d,]+ \|(.*)\|$/gm)];
    expect(rows).to.have.length(6);
    for (const [, rank, cells] of rows) {
      const errors = cells!
        .split('|')
        .slice(0, -1)
        .filter(cell => cell.trim() !== '')
        .map(Number);
      expect(Math.min(...errors), `m=${rank}`).to.be.at.least(Math.sqrt(1 - Number(rank) / 10) - 0.0005);
    }
  });
});

describe('comparedSettings', () => {
  it('are some n of every study of every figure, all of them its own', () => {
    for (const figure of figures()) {
      for (const study of figure.studies) {
        const own = comparedSettings.filter(setting => setting.study === study);
        expect(own, figure.name).not.to.have.length(0);
        for (const { rows } of own) expect(study.sizes, figure.name).to.include(rows);
      }
    }
  });

  it('measure errors without the logarithm that a figure takes of them', () => {
    for (const name of ['plot6', 'plot7']) {
      const setting = comparedSettings.find(({ figure }) => figure.name === name)!;
      const { batch } = setting.study.sample(100, 0);
      expect(errorMeasure(setting, batch, filled(10, 1))(zeros(10)), name).to.be.closeTo(Math.sqrt(10), 1e-12);
    }
  });
});
