/**
 * Statistics of the online estimator, with as many repeats as tell them well. `SLUICE_SHARE=0.05` makes a twentieth of
 * the repeats, and allows for what chance adds then. Figures go to bench/online.json with a digest of what made them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { codeVersion } from '../../src/lab/paper/crew.ts';
import {
  afterOddBeginning,
  afterRubbish,
  againstBatch,
  coverage,
  delays,
  estimatorAlarms,
  falseAlarms,
  forgetting,
  ODD,
  SERIES,
} from '../support/onlineStatistics.ts';
import { KINDS } from '../support/onlineStream.ts';

const share = Number(process.env.SLUICE_SHARE ?? 1);
const times = (full: number): number => Math.max(1, Math.round(full * share));
const path = fileURLToPath(new URL('../../bench/online.json', import.meta.url));

/** Keeps the figures of one measurement, beside those of others. */
async function record(name: string, figures: unknown, repeats: number): Promise<void> {
  process.stdout.write(`      ${name} [${repeats}]: ${JSON.stringify(figures)}\n`);
  const sources = await codeVersion(new URL('../support/onlineStatistics.ts', import.meta.url));
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  if (known[name]?.sources === sources && known[name].repeats > repeats) return;
  known[name] = { repeats, sources, figures };
  const sorted = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`);
}

describe('the online estimator', () => {
  const cells = [
    { features: 5, chunk: 200, full: 60 },
    { features: 20, chunk: 200, full: 40 },
    { features: 20, chunk: 1000, full: 20 },
    { features: 100, chunk: 1000, full: 6 },
  ];
  for (const { features, chunk, full } of cells)
    for (const kind of KINDS)
      it(`errs at most 1.02 times as much as the batch fit of all rows: ${kind}, p ${features}, m ${chunk}`, async () => {
        const world = { features, kind, rho: 0.9, mixedScales: true };
        const ratios = againstBatch(world, chunk, [10, 30, 100], times(full));
        await record(`error ${kind}, p ${features}, m ${chunk}`, ratios, times(full));
        // A pair of runs differs by about 3 % of either's error, of which there are as many parts as coefficients.
        const slack = 0.3 / Math.sqrt(times(full) * features);
        for (const ratio of Object.values(ratios)) expect(ratio).to.be.below(1.02 + slack);
      });

  it('errs a little more in the intercept of skewed rows, whose place depends on the scale that is learnt', async () => {
    const world = { features: 5, kind: 'skew' as const, rho: 0.9 };
    const ratios = againstBatch(world, 200, [10, 30, 100], times(200));
    await record('error skew, p 5, m 200', ratios, times(200));
    for (const ratio of Object.values(ratios)) expect(ratio).to.be.below(1.04 + 0.3 / Math.sqrt(times(200)));
  });

  for (const [name, { kinds }] of Object.entries(ODD))
    for (const kind of kinds)
      it(`errs at most 1.15 times as much as the batch fit after ${name}: ${kind}`, async () => {
        const ratio = afterOddBeginning(name, kind, times(40));
        await record(`odd: ${name}, ${kind}`, ratio, times(40));
        expect(ratio).to.be.below(1.15);
      });

  for (const kind of ['squared', 'huber'] as const)
    it(`errs at most 1.2 times as much with two rubbish chunks in 100: ${kind}`, async () => {
      const found = afterRubbish(kind, times(60));
      await record(`rubbish ${kind}`, found, times(60));
      expect(found.ratio).to.be.below(1.2);
      expect(found.aside).to.equal(2);
    });

  for (const { kind, chunk, chunks } of [
    { kind: 'squared', chunk: 200, chunks: 500 },
    { kind: 't3', chunk: 200, chunks: 300 },
    { kind: 'logistic', chunk: 200, chunks: 300 },
    { kind: 'poisson', chunk: 200, chunks: 300 },
  ] as const)
    it(`is ever outside of any-time intervals in at most 6 % of 2,000 streams: ${kind}`, async () => {
      const streams = times(2000);
      const found = coverage({ features: 4, kind, rho: 0.5 }, { chunk, chunks, streams });
      await record(`coverage ${kind}, ${chunks} chunks`, found, streams);
      expect(found.ever).to.be.below(0.06 + (share < 1 ? 3 * Math.sqrt((0.05 * 0.95) / (2 * streams)) : 0));
      expect(found.now).to.be.below(0.065 + 3 * Math.sqrt((0.05 * 0.95) / (2 * streams)));
    });

  for (const name of Object.keys(SERIES))
    it(`raises so many false alarms in 10,000 chunks: ${name}`, async () => {
      const chunks = times(700_000);
      const rate = falseAlarms(name, chunks);
      await record(`false alarms: ${name}`, rate, chunks);
      if (name.startsWith('independent')) expect(rate).to.be.below(1 + 4 * Math.sqrt(10_000 / chunks));
    });

  for (const { kind, doubles } of [
    { kind: 'squared', doubles: false },
    { kind: 't3', doubles: false },
    { kind: 'logistic', doubles: false },
    { kind: 'squared', doubles: true },
    { kind: 'huber', doubles: true },
  ] as const)
    it(`raises at most one false alarm in 10,000 chunks: ${kind}${doubles ? ', whose noise doubles' : ''}`, async () => {
      const chunks = times(40_000);
      const rate = estimatorAlarms(kind, chunks, doubles);
      await record(`false alarms of ${kind}${doubles ? ', doubled noise' : ''}`, rate, chunks);
      expect(rate).to.be.below(1 + 4 * Math.sqrt(10_000 / chunks));
    });

  for (const { jump, most } of [
    { jump: 0.5, most: 80 },
    { jump: 1, most: 25 },
    { jump: 3, most: 5 },
  ])
    it(`finds a jump of ${jump} standard errors of a chunk after ${most} chunks in the median`, async () => {
      const found = delays(jump, { after: 1000, repeats: times(300) });
      await record(`delay of a jump of ${jump} after 1,000 chunks`, found, times(300));
      expect(found.median).to.be.at.most(most * (1 + (share < 1 ? 2 / Math.sqrt(times(300)) : 0)));
    });

  it('finds jumps after 100 chunks, and where features are correlated by .9', async () => {
    for (const [jump, after, rho] of [
      [0.5, 100, 0],
      [1, 100, 0],
      [1, 1000, 0.9],
    ] as const) {
      const found = delays(jump, { after, rho, repeats: times(100) });
      await record(`delay of a jump of ${jump} after ${after} chunks, rho ${rho}`, found, times(100));
    }
  });

  for (const kind of ['squared', 'huber', 'logistic'] as const)
    it(`forgets: worth twice the rows remembered, and over a change after four times those: ${kind}`, async () => {
      const found = forgetting(kind, { repeats: times(400) });
      await record(`forgetting ${kind}`, found, times(400));
      const slack = 1 / Math.sqrt(3 * times(400));
      if (found.worth !== null) expect(found.worth).to.be.within(1.8 * (1 - 3 * slack), 2.2 * (1 + 3 * slack));
      expect(found.recovery).to.be.below(4.5);
      expect(found.outside).to.be.below(0.07 + 3 * Math.sqrt((0.05 * 0.95) / (3 * times(400))));
    });
});
