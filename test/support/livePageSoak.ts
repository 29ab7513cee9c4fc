/** The live page under many updates: what it holds must not grow. */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { pageServer } from '../../src/sink/live/pageServer.ts';
import { until } from './browser.ts';
import { liveEstimate, liveFacts } from './liveEstimates.ts';

interface Held {
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}

/**
 * Publishes updates evenly over a time in seconds, and looks a few times at what the page holds after its memory was
 * collected. The first look comes after a fifth, when histories are full.
 */
export async function soak(browser: Browser, updates: number, seconds: number): Promise<readonly Held[]> {
  const server = await pageServer({ facts: liveFacts, listen: '127.0.0.1:0' });
  const page = await browser.newPage();
  try {
    await page.goto(server.url);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const lookOnce = async (): Promise<Held> => {
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (name: string): number => metrics.find(metric => metric.name === name)!.value;
      return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
    };
    // The least of a few, because a look may come amid a painting.
    const look = async (): Promise<Held> => {
      const found = [await lookOnce(), await lookOnce(), await lookOnce(), await lookOnce()];
      return found.reduce((least, held) => (held.heap < least.heap ? held : least));
    };
    const looks: Held[] = [];
    const begun = Date.now();
    for (let chunk = 0; chunk < updates; chunk++) {
      const alarm = chunk > 1000 ? { chunk: 1000 * Math.floor(chunk / 1000), coefficient: 'hour' } : null;
      await server.publish(liveEstimate(chunk, { alarm }));
      if (chunk % 10 === 0) server.tell({ progress: { rows: chunk % 1000, of: 1000 } });
      const early = begun + (1000 * seconds * chunk) / updates - Date.now();
      if (early > 0) await new Promise(resolve => setTimeout(resolve, early));
      if ((chunk + 1) % Math.floor(updates / 5) === 0) looks.push(await look());
    }
    await until(page, `document.getElementById('chunk').getAttribute('value') === '${updates - 1}'`);
    return looks;
  } finally {
    await page.close();
    await server.close();
  }
}

/** Room of a tenth and half a megabyte for heaps, as compiled code comes and goes; nodes may differ by a row of the table of alarms each. */
export function expectFlat(looks: readonly Held[]): void {
  const [first, ...later] = looks;
  for (const { heap, nodes, listeners } of later) {
    expect(heap, JSON.stringify(looks)).to.be.below(1.1 * first!.heap + 500_000);
    expect(nodes, JSON.stringify(looks)).to.be.below(first!.nodes + 200);
    expect(listeners).to.equal(first!.listeners);
  }
}
