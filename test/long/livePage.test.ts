/** The live page for a quarter of an hour. */
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { expectFlat, soak } from '../support/livePageSoak.ts';

describe('the live page for a quarter of an hour', () => {
  let browser: Browser;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser?.close());

  it('holds no more after 45,000 updates than after 9,000', async () => {
    expectFlat(await soak(browser, 45_000, 900));
  });
});
