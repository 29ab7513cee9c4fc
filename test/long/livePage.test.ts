/** The live page for a quarter of an hour. What it holds goes to bench/online.json with a digest of what made it. */
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { expectFlat, soak } from '../support/livePageSoak.ts';
import { record } from '../support/onlineFigures.ts';

describe('the live page for a quarter of an hour', () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());

  it('holds no more after 45,000 updates than after 9,000', async () => {
    const [updates, seconds] = [45_000, 900];
    const looks = await soak(browser, updates, seconds);
    const figures = looks.flatMap(({ heap, nodes, listeners }, k) => [
      [`megabytes ${k + 1}`, heap / 1e6] as const,
      [`nodes ${k + 1}`, nodes] as const,
      [`listeners ${k + 1}`, listeners] as const,
    ]);
    const program = new URL('../support/livePageSoak.ts', import.meta.url);
    await record('page', { updates, seconds }, 1, Object.fromEntries(figures), program);
    expectFlat(looks);
  });
});
