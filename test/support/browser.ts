/** A real browser, for pages. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env['SLUICE_CHROMIUM'] ?? '/usr/bin/chromium';

export function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(
      `there is no browser at ${CHROMIUM}; install Debian's package chromium, or set SLUICE_CHROMIUM to the path of one`,
    );
  }
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Waits until an expression is true in a page. It is asked from outside, because a strict page evaluates no text. */
export async function until(page: Page, expression: string): Promise<void> {
  const end = Date.now() + 30_000;
  // While a page loads another, nothing can be asked.
  while (!(await page.evaluate(expression).catch(() => false))) {
    if (Date.now() > end)
      throw new Error(`never true: ${expression}; the page says: ${await page.locator('body').innerText()}`);
    await page.waitForTimeout(30);
  }
}
