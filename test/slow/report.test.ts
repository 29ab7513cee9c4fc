/**
 * Reports in a real browser: what is drawn is what the model says, nothing leaves the page, and it can be read on a
 * phone, in the dark and on paper.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Model } from '../../src/model/model.ts';
import { htmlReport } from '../../src/sink/page/htmlReport.ts';
import { openBrowser } from '../support/browser.ts';
import { modelOf } from '../support/modelOf.ts';
import { CONTRASTS, NORM_HEIGHTS, OVERFLOW, STRIPS } from '../support/pageProbes.ts';
import { plainReport, privateReport, theoremReport } from '../support/reportModels.ts';

/** Names that no page is made for: long, without a place to break, and in the clothes of markup. */
const awkward = ((): Model => {
  const { '(intercept)': _, ...errors } = plainReport.uncertainty!.errors;
  const names = [
    'a'.repeat(90),
    '<script>document.title = "taken"</script>',
    '<img src="https://example.org/pixel.png">',
    'arrival delay in minutes after the scheduled time of arrival at the gate',
    'עיכוב',
  ];
  const renamed = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.keys(errors).map((name, j) => [names[j]!, record[name]!]));
  return {
    ...plainReport,
    target: names[1]!,
    features: names,
    intercept: null,
    coefficients: renamed(plainReport.coefficients),
    uncertainty: {
      ...plainReport.uncertainty!,
      errors: renamed(errors),
      intervals: renamed(plainReport.uncertainty!.intervals),
    },
    notes: names,
    choices: names,
  };
})();

const models: Readonly<Record<string, Model>> = {
  plain: plainReport,
  private: privateReport,
  theorem: theoremReport,
  bare: modelOf([1, 2], { intercept: 3 }),
  awkward,
};

/** A text that a person reads, as the number that it stands for. */
function numberIn(text: string): number {
  const [factor, power] = text
    .replaceAll(',', '')
    .replace('−', '-')
    .split(/\s×\s10/);
  const exponent = [...(power ?? '⁰')].map(sign => (sign === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign))).join('');
  return Number(`${factor}e${exponent}`);
}

interface Strip {
  readonly name: string;
  readonly values: readonly number[];
  readonly texts: readonly string[];
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  readonly width: number;
}

interface Contrast {
  readonly what: string;
  readonly contrast: number;
}

describe('a report in a browser', () => {
  let folder: string;
  let browser: Browser;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-browser-'));
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  const PHONE = { viewport: { width: 360, height: 740 } };

  /** Shows a page, and gathers what it asks of anybody: such requests are cut off. */
  const show = async (
    html: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; asked: string[]; close: () => Promise<void> }> => {
    const file = join(folder, 'report.html');
    writeFileSync(file, html);
    const address = pathToFileURL(file).href;
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const asked: string[] = [];
    await page.route('**/*', route => {
      const url = route.request().url();
      if (url === address) return route.continue();
      asked.push(url);
      return route.abort();
    });
    await page.goto(address, { waitUntil: 'load' });
    return { page, asked, close: () => context.close() };
  };
  const shown = async <T>(
    model: Model,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<T>,
  ): Promise<T> => {
    const { page, asked, close } = await show(await htmlReport(model), options);
    try {
      const seen = await look(page);
      expect(asked).to.deep.equal([]);
      return seen;
    } finally {
      await close();
    }
  };

  for (const [kind, options] of [
    ['a phone', PHONE],
    ['a desk', {}],
  ] as const) {
    it(`shows the numbers of the model on ${kind}, and draws each interval to the scale of its row`, async () => {
      const strips = await shown(plainReport, options, page => page.evaluate(STRIPS) as Promise<Strip[]>);
      const { coefficients, intercept, uncertainty } = plainReport;
      const expected = Object.entries({ ...coefficients, '(intercept)': intercept! });
      expect(strips.map(({ name }) => name)).to.deep.equal(expected.map(([name]) => name));
      strips.forEach(({ name, values, texts, estimate, low, high, width }, k) => {
        const error = uncertainty!.errors[name]!;
        const interval = uncertainty!.intervals[name]!;
        const known = [expected[k]![1], ...interval, error];
        expect(values, name).to.deep.equal(known);
        // Two digits of the error: what is read is at most 5 % of it away. On a phone the error itself is not shown.
        texts.forEach((text, j) => {
          if (text !== '') expect(numberIn(text), `${name}: ${text}`).to.be.closeTo(known[j]!, 0.05 * error);
        });
        expect(texts.slice(0, 3)).not.to.include('');
        const scale = Math.max(...[estimate, low, high].map(Math.abs)) / Math.max(...known.slice(0, 3).map(Math.abs));
        [estimate, low, high].forEach((place, j) => {
          expect(place, name).to.be.closeTo(known[j]! * scale, 0.6);
        });
        expect(Math.abs(estimate)).to.be.below(width / 2);
      });
    });
  }

  it('draws norms by their logarithms', async () => {
    const heights = await shown(plainReport, PHONE, page => page.evaluate(NORM_HEIGHTS) as Promise<number[]>);
    expect(heights).to.have.length(5);
    // The norms fall by a fourth of a power of ten every step.
    const falls = heights.slice(1).map((height, k) => height - heights[k]!);
    for (const fall of falls) expect(fall).to.be.closeTo(falls[0]!, 0.3).and.above(20);
  });

  it('makes no request, whatever the names are, and would be kept from making one', async () => {
    for (const model of Object.values(models)) {
      await shown(model, {}, async page => expect(await page.title()).not.to.equal('taken'));
    }
    const planted = (await htmlReport(plainReport)).replace(
      '<h1>',
      '<img src="https://example.org/a.png"><script src="https://example.org/b.js"></script><script>document.title = "taken"</script><h1>',
    );
    const guarded = await show(planted);
    expect(guarded.asked).to.deep.equal([]);
    expect(await guarded.page.title()).not.to.equal('taken');
    await guarded.close();
    // Without the policy the same page would ask, and be seen to.
    const open = await show(planted.replace(/<meta http-equiv[^>]*>/, ''));
    expect(open.asked).to.have.members(['https://example.org/a.png', 'https://example.org/b.js']);
    await open.close();
  });

  for (const width of [320, 360, 700]) {
    it(`fits a window of ${width} pixels`, async () => {
      for (const [name, model] of Object.entries(models)) {
        const found = await shown(model, { viewport: { width, height: 740 } }, page => page.evaluate(OVERFLOW));
        expect(found, name).to.deep.equal({ scroll: 0, beyond: [] });
      }
    });
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has text and marks that stand out in ${colorScheme} mode`, async () => {
      for (const [name, model] of Object.entries(models)) {
        const { texts, marks } = await shown(
          model,
          { colorScheme },
          page => page.evaluate(CONTRASTS) as Promise<{ texts: Contrast[]; marks: Contrast[] }>,
        );
        expect(texts.length).to.be.above(20);
        expect(
          texts.filter(({ contrast }) => contrast < 4.5),
          name,
        ).to.deep.equal([]);
        expect(
          marks.filter(({ contrast }) => contrast < 3),
          name,
        ).to.deep.equal([]);
      }
    });
  }

  const paper = 'getComputedStyle(document.body).backgroundColor';

  it('is dark where the reader wants it, but never on paper', async () => {
    await shown(privateReport, { colorScheme: 'dark' }, async page => {
      expect(await page.evaluate(paper)).to.equal('rgb(20, 23, 27)');
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.evaluate(paper)).to.equal('rgb(255, 255, 255)');
    });
  });

  it('prints', async () => {
    const pdf = await shown(privateReport, {}, page => page.pdf({ format: 'A4' }));
    expect(pdf.subarray(0, 5).toString()).to.equal('%PDF-');
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length).to.be.within(1, 4);
  });

  it('is a table to those who do not see it, on a phone too', async () => {
    await shown(plainReport, PHONE, async page => {
      const table = page.getByRole('region', { name: 'Coefficients' }).getByRole('table');
      expect(await table.getByRole('row').count()).to.equal(7);
      expect(await table.getByRole('rowheader', { name: 'hour', exact: true }).count()).to.equal(1);
      expect(await table.getByRole('columnheader', { name: 'Feature' }).count()).to.equal(1);
      const strip = table.getByRole('img', {
        name: 'weekday: 0.04, from −0.1168 to 0.1968; not clearly different from zero',
      });
      expect(await strip.count()).to.equal(1);
    });
  });
});
