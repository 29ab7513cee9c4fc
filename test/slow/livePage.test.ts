/**
 * The live page in a real browser: what it shows is what was published, it comes back after a restart, pages of others
 * learn nothing from it, and it holds no more after thousands of updates than after hundreds.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { LiveEstimate } from '../../src/sink/live/liveState.ts';
import { type PageServer, type PageServerOptions, pageServer } from '../../src/sink/live/pageServer.ts';
import { openBrowser, until } from '../support/browser.ts';
import { liveEstimate, liveFacts, privateEstimate, privateFacts } from '../support/liveEstimates.ts';
import { expectFlat, soak } from '../support/livePageSoak.ts';
import { CONTRASTS, OVERFLOW } from '../support/pageProbes.ts';

const SIZES = {
  phone: { viewport: { width: 360, height: 740 } },
  laptop: { viewport: { width: 1280, height: 800 } },
  wide: { viewport: { width: 1920, height: 1080 } },
} as const;

/** The numbers of the table of coefficients, in full. */
const NUMBERS = `[...document.querySelectorAll('.coefficients tbody tr')].map(row => [
  row.querySelector('th').textContent,
  ...[...row.querySelectorAll('data')].map(data => Number(data.getAttribute('value'))),
])`;

const STATE = `document.getElementById('state').dataset.state`;

const numbersOf = ({ coefficients }: LiveEstimate): unknown[] =>
  coefficients.map(({ name, estimate, error, now, anyTime }) => [name, estimate, ...now!, ...anyTime!, error]);

/** Names that no page is made for. */
const awkward = [
  'a'.repeat(90),
  '<script>document.title = "taken"</script>',
  '<img src="https://example.org/a.png">',
  'עיכוב',
];

describe('the live page in a browser', () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());

  const served = async <T>(
    options: Partial<PageServerOptions> & { readonly browse?: BrowserContextOptions; readonly path?: string },
    look: (page: Page, server: PageServer, asked: string[]) => Promise<T>,
  ): Promise<T> => {
    const server = await pageServer({ facts: liveFacts, listen: '127.0.0.1:0', ...options });
    const context = await browser.newContext(options.browse ?? SIZES.laptop);
    try {
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', request => asked.push(request.url()));
      page.on('pageerror', error => {
        throw error;
      });
      await page.goto(server.url + (options.path ?? ''));
      return await look(page, server, asked);
    } finally {
      await context.close();
      await server.close();
    }
  };
  const untilState = (page: Page, state: string): Promise<unknown> => until(page, `${STATE} === '${state}'`);
  const untilChunk = (page: Page, chunk: number): Promise<unknown> =>
    until(page, `document.getElementById('chunk').getAttribute('value') === '${chunk}'`);

  for (const [size, browse] of Object.entries(SIZES)) {
    it(`shows the numbers that were published, at the size of a ${size}`, () =>
      served({ browse }, async (page, server) => {
        await untilState(page, 'waiting');
        for (const chunk of [2, 3, 57]) {
          const estimate = liveEstimate(chunk);
          await server.publish(estimate);
          await untilChunk(page, chunk);
          expect(await page.evaluate(NUMBERS)).to.deep.equal(numbersOf(estimate));
          const value = (id: string): Promise<string | null> => page.locator(`#${id}`).getAttribute('value');
          expect(await value('rows')).to.equal(String(estimate.rows.used));
          expect(await value('progressive')).to.equal(String(estimate.progressiveError!.all));
          expect(await value('dead-letters')).to.equal('12');
          expect(await value('lag')).to.equal('340');
        }
        expect(await page.locator('.trends figure').count()).to.equal(6);
      }));
  }

  /** Brings a page into a state. */
  const STATES: Readonly<Record<string, (server: PageServer) => Promise<void>>> = {
    waiting: async ({ tell }) => tell({ progress: { rows: 312, of: 1000 }, read: 312 }),
    live: async ({ publish }) => {
      for (let chunk = 0; chunk < 50; chunk++) await publish(liveEstimate(chunk));
    },
    alarmed: ({ publish }) => publish(liveEstimate(300, { alarm: { chunk: 290, coefficient: 'hour' } })),
    troubled: async ({ publish, tell }) => {
      await publish(liveEstimate(9, { notes: [{ text: 'rows are sorted by day', isSevere: true }] }));
      tell({ problems: { 'model.json': `model.json cannot be written: ${'no space left on device '.repeat(8)}` } });
    },
    ended: async ({ publish, tell }) => {
      await publish(liveEstimate(9));
      tell({ phase: 'ended' });
    },
    disconnected: async ({ publish, close }) => {
      await publish(liveEstimate(9));
      await close();
    },
  };

  for (const [state, bring] of Object.entries(STATES)) {
    for (const width of [320, 360, 700, 1920]) {
      it(`says that it is ${state}, and fits a window of ${width} pixels`, () =>
        served({ browse: { viewport: { width, height: 740 } } }, async (page, server) => {
          await untilState(page, 'waiting');
          await bring(server);
          await untilState(page, state);
          expect(await page.evaluate(OVERFLOW)).to.deep.equal({ scroll: 0, beyond: [] });
        }));
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has text and marks that stand out in ${colorScheme} mode when it is ${state}`, () =>
        served({ browse: { colorScheme } }, async (page, server) => {
          await untilState(page, 'waiting');
          await bring(server);
          await untilState(page, state);
          const { texts, marks } = (await page.evaluate(CONTRASTS)) as Record<string, { contrast: number }[]>;
          expect(texts!.filter(({ contrast }) => contrast < 4.5)).to.deep.equal([]);
          expect(marks!.filter(({ contrast }) => contrast < 3)).to.deep.equal([]);
        }));
    }
  }

  it('says where a coefficient has no interval, and shows no section that has nothing yet', () =>
    served({}, async (page, server) => {
      await untilState(page, 'waiting');
      expect(await page.locator('#history').isVisible()).to.equal(false);
      const { coefficients } = liveEstimate(9);
      const [first, second, ...others] = coefficients;
      await server.publish(
        liveEstimate(9, {
          coefficients: [
            { ...first!, error: null, now: null, anyTime: null },
            { ...second!, anyTime: null },
            ...others,
          ],
        }),
      );
      await untilChunk(page, 9);
      expect(await page.locator('#history').isVisible()).to.equal(true);
      const rows = await page.locator('#rows-of-coefficients tr').allInnerTexts();
      expect(rows.map(text => text.split('no interval').length - 1)).to.deep.equal([2, 1, 0, 0, 0, 0]);
      expect(await page.locator('.strip').first().getAttribute('aria-label')).to.include('no interval');
    }));

  it('takes names for names, whatever they are, and asks nobody but its server', () =>
    served(
      { browse: SIZES.phone, facts: { ...liveFacts, target: awkward[1]!, source: awkward[2]! } },
      async (page, server, asked) => {
        const alarm = { chunk: 3, coefficient: awkward[0]! };
        await server.publish(
          liveEstimate(4, { alarm, notes: awkward.map(text => ({ text, isSevere: false })) }, awkward),
        );
        await untilChunk(page, 4);
        expect(await page.title()).not.to.equal('taken');
        expect(await page.evaluate(OVERFLOW)).to.deep.equal({ scroll: 0, beyond: [] });
        expect(asked.every(url => url.startsWith(server.url) || url === 'data:,')).to.equal(true);
        const left: string[] = [];
        await page.route('https://example.org/**', route => {
          left.push(route.request().url());
          return route.abort();
        });
        // A planted element could neither run nor load anything.
        const taken = await page.evaluate(`(async () => {
        const image = document.createElement('img');
        image.src = 'https://example.org/a.png';
        document.body.append(image);
        const script = document.createElement('script');
        try { script.textContent = 'document.title = "taken"'; document.body.append(script); } catch {}
        return fetch('https://example.org/').then(() => 'fetched', () => document.title);
      })()`);
        expect(taken).to.be.a('string').and.not.oneOf(['taken', 'fetched']);
        expect(left).to.deep.equal([]);
      },
    ));

  it('says that it is disconnected, comes back after a restart, and then shows what is new', async () => {
    const first = await pageServer({ facts: liveFacts, listen: '127.0.0.1:0' });
    const { port } = new URL(first.url);
    const page = await browser.newPage();
    try {
      await page.goto(first.url);
      await first.publish(liveEstimate(5));
      await untilChunk(page, 5);
      await first.close();
      await untilState(page, 'disconnected');
      expect(await page.locator('#state-words').textContent()).to.equal('Disconnected, retrying');
      const second = await pageServer({ facts: liveFacts, listen: `127.0.0.1:${port}` });
      try {
        await second.publish(liveEstimate(6));
        await untilChunk(page, 6);
        await untilState(page, 'live');
        expect(await page.evaluate(NUMBERS)).to.deep.equal(numbersOf(liveEstimate(6)));
        await second.publish(liveEstimate(7));
        await untilChunk(page, 7);
      } finally {
        await second.close();
      }
    } finally {
      await page.close();
    }
  });

  it('gives nothing to a page of another origin, which can neither read nor post', () =>
    served({}, async (_page, server) => {
      await server.publish(liveEstimate(5));
      const other = createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html');
        response.end('<title>other</title>');
      });
      await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
      const page = await browser.newPage();
      try {
        // Another port of the same machine, and another name for it.
        for (const name of ['127.0.0.1', 'localhost']) {
          await page.goto(`http://${name}:${(other.address() as AddressInfo).port}/`);
          const tried = await page.evaluate(`(async () => {
            const url = '${server.url}';
            const text = (promise) => promise.then(answer => answer.text()).catch(() => 'refused');
            const loaded = (tag, path) => new Promise(resolve => {
              const element = document.createElement(tag);
              element.onload = () => resolve('loaded');
              element.onerror = () => resolve('refused');
              element.src = url + path;
              document.body.append(element);
            });
            const heard = new Promise(resolve => {
              const source = new EventSource(url + 'events', { withCredentials: true });
              source.addEventListener('snapshot', () => resolve('heard'));
              source.onerror = () => { source.close(); resolve('refused'); };
            });
            const frame = document.createElement('iframe');
            frame.src = url;
            document.body.append(frame);
            await new Promise(resolve => { frame.onload = resolve; });
            let framed = 'refused';
            try { if (frame.contentDocument.body.textContent.includes('fare')) framed = 'read'; } catch {}
            return [
              await text(fetch(url)),
              await text(fetch(url + 'metrics')),
              await text(fetch(url + 'metrics', { mode: 'no-cors' })),
              await text(fetch(url + 'login', { headers: { Authorization: 'Bearer x' } })),
              await text(fetch(url, { method: 'POST', body: 'x' })),
              await loaded('script', 'live.js'),
              await loaded('img', 'metrics'),
              await heard,
              framed,
            ];
          })()`);
          expect(tried).to.deep.equal(Array(9).fill('refused'));
        }
        const posted = await fetch(server.url, { method: 'POST', body: 'x' });
        expect(posted.status).to.equal(405);
      } finally {
        await page.close();
        other.close();
      }
    }));

  it('takes its token from the fragment, forgets it, and can be asked for it', async () => {
    const token = 'x'.repeat(24);
    await served({ token, path: `#token=${token}` }, async (page, server) => {
      await untilState(page, 'waiting');
      expect(page.url()).to.equal(server.url);
      await server.publish(liveEstimate(5));
      await untilChunk(page, 5);
      expect(await page.evaluate('document.cookie')).to.equal('');
    });
    await served({ token }, async page => {
      await page.getByLabel('Token').fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByText('This is not the token.').waitFor();
      await page.getByLabel('Token').fill(token);
      await page.keyboard.press('Enter');
      await untilState(page, 'waiting');
    });
  });

  it('shows of a private run its ledger and what was released', () =>
    served({ facts: privateFacts }, async (page, server) => {
      await untilState(page, 'waiting');
      await server.publish(privateEstimate(8));
      await untilChunk(page, 8);
      expect(await page.evaluate(NUMBERS)).to.deep.equal(numbersOf(privateEstimate(8)));
      expect(await page.locator('#epsilon').getAttribute('value')).to.equal('1');
      expect(await page.locator('#ledger-mu').getAttribute('value')).to.equal('0.21');
      const text = (await page.locator('main').textContent())!;
      expect(text).to.include('one row').and.not.include('Dead letters').and.not.include('Mean loss');
    }));

  it('is a table and named regions to those who do not see it, and chatters about no number', () =>
    served({ browse: SIZES.phone }, async (page, server) => {
      await untilState(page, 'waiting');
      await page.evaluate(`window.spoken = [];
        new MutationObserver(() => spoken.push(document.getElementById('announcer').textContent))
          .observe(document.getElementById('announcer'), { childList: true, characterData: true, subtree: true })`);
      for (let chunk = 2; chunk < 60; chunk++) {
        await server.publish(liveEstimate(chunk));
        await page.waitForTimeout(120);
      }
      const spoken = (await page.evaluate('spoken')) as string[];
      expect(spoken.length, spoken.join('; ')).to.be.at.most(3);
      expect(spoken.join()).not.to.match(/\d/);
      const table = page.getByRole('region', { name: 'Coefficients' }).getByRole('table');
      expect(await table.getByRole('row').count()).to.equal(7);
      expect(await table.getByRole('img', { name: /^hour: −1\.\d+, from .* clearly below zero$/ }).count()).to.equal(1);
      expect(await page.getByRole('progressbar', { name: /Rows of the (pilot|next chunk)/ }).count()).to.equal(1);
      expect(await page.getByRole('img', { name: /^hour by chunk: / }).count()).to.equal(1);
    }));

  it('can be paused by keyboard, and then stands still', () =>
    served({}, async (page, server) => {
      await server.publish(liveEstimate(5));
      await untilChunk(page, 5);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await server.publish(liveEstimate(6));
      await page.waitForTimeout(800);
      expect(await page.locator('#chunk').getAttribute('value')).to.equal('5');
      expect(await page.locator('#state-words').textContent()).to.equal('Live (paused here)');
      await page.keyboard.press('Space');
      await untilChunk(page, 6);
    }));

  it('shows the histories of many coefficients in groups, chosen by keyboard', () =>
    served({}, async (page, server) => {
      const names = Array.from({ length: 30 }, (_, k) => `feature ${k + 1}`);
      for (let chunk = 2; chunk < 6; chunk++) await server.publish(liveEstimate(chunk, {}, names));
      await untilChunk(page, 5);
      expect(await page.locator('.trends figure').count()).to.equal(12);
      await page.getByLabel('Coefficients', { exact: true }).and(page.locator('select')).focus();
      await page.keyboard.press('End');
      await until(page, `document.querySelectorAll('.trends figure').length === 6`);
      expect(await page.locator('.trends figure bdi').first().textContent()).to.equal('feature 25');
    }));

  it('prints, on white', () =>
    served({ browse: { colorScheme: 'dark' } }, async (page, server) => {
      await STATES['live']!(server);
      await untilState(page, 'live');
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).to.equal('rgb(255, 255, 255)');
      expect(await page.locator('#pause').isVisible()).to.equal(false);
      const pdf = await page.pdf({ format: 'A4' });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length).to.be.within(1, 4);
    }));

  it('holds no more after 5,000 updates in a minute than after 1,000', async () => {
    expectFlat(await soak(browser, 5000, 60));
  });
});
