/**
 * Statistics of the online estimator, with as many repeats as tell them well. `SLUICE_SHARE=0.05` makes a twentieth of
 * the repeats, and allows for what chance adds then. Figures go to bench/online.json with a digest of what made them.
 */
import { expect } from 'chai';
import { record as keep, type Measured } from '../support/onlineFigures.ts';
import {
  afterOddBeginning,
  afterRubbish,
  againstBatch,
  CHUNK_VALUES,
  coverage,
  coverageOfValues,
  delays,
  estimatorAlarms,
  falseAlarms,
  forgetting,
  ODD,
  recovery,
  SERIES,
} from '../support/onlineStatistics.ts';
import { KINDS } from '../support/onlineStream.ts';

const share = Number(process.env.SLUICE_SHARE ?? 1);
const times = (full: number): number => Math.max(2, Math.round(full * share));
const program = new URL('../support/onlineStatistics.ts', import.meta.url);
const record = (name: string, cell: Measured['cell'], repeats: number, figures: Measured['figures']): Promise<void> =>
  keep(name, cell, repeats, figures, program);
/** Three standard errors of a share of 5 % of so many, of which two each say something of their own. */
const ofShares = (count: number): number => 3 * Math.sqrt((0.05 * 0.95) / (2 * count));

describe('the online estimator', () => {
  const cells = [
    { features: 5, chunk: 200, full: 200 },
    { features: 20, chunk: 1000, full: 40 },
    { features: 20, chunk: 200, full: 80 },
    { features: 100, chunk: 1000, full: 10 },
    { features: 5, chunk: 10_000, full: 8 },
  ];
  for (const { features, chunk, full } of cells)
    for (const kind of KINDS)
      it(`errs at most 1.02 times as much as the batch fit of all rows: ${kind}, p ${features}, m ${chunk}`, async () => {
        const world = { features, kind, rho: 0.9, mixedScales: true };
        for (const [chunks, found] of againstBatch(world, chunk, [3, 10, 30, 100], times(full))) {
          await record('error', { kind, features, chunk, chunks }, times(full), found);
          if (chunks >= 10) expect(found.ratio - 3 * found.ratioError, String(chunks)).to.be.below(1.02);
        }
      });

  for (const chunk of [200, 1000])
    it(`errs a little more in the intercept of skewed rows, which moves with the scale that is learnt: m ${chunk}`, async () => {
      const world = { features: 5, kind: 'skew' as const, rho: 0.9 };
      for (const [chunks, found] of againstBatch(world, chunk, [3, 10, 30, 100], times(200))) {
        await record('error', { kind: 'skew', features: 5, chunk, chunks }, times(200), found);
        if (chunks >= 10) expect(found.ratio - 3 * found.ratioError, String(chunks)).to.be.below(1.04);
      }
    });

  for (const [beginning, { kinds }] of Object.entries(ODD))
    for (const kind of kinds)
      it(`errs at most 1.15 times as much as the batch fit after ${beginning}: ${kind}`, async () => {
        const found = afterOddBeginning(beginning, kind, times(60));
        await record('odd beginning', { beginning, kind }, times(60), found);
        expect(found.ratio - 3 * found.ratioError).to.be.below(1.15);
      });

  for (const kind of ['squared', 'huber'] as const)
    it(`errs at most 1.2 times as much with two rubbish chunks in 100: ${kind}`, async () => {
      const found = afterRubbish(kind, times(60));
      await record('rubbish', { kind }, times(60), found);
      expect(found.ratio).to.be.below(1.2);
      expect(found.aside).to.equal(2);
    });

  for (const { kind, chunk, chunks } of [
    { kind: 'squared', chunk: 100, chunks: 200 },
    { kind: 't3', chunk: 100, chunks: 200 },
    { kind: 'logistic', chunk: 100, chunks: 200 },
    { kind: 'poisson', chunk: 100, chunks: 200 },
  ] as const)
    it(`is ever outside of any-time intervals in at most 6 % of 2,000 streams: ${kind}`, async () => {
      const streams = times(2000);
      const found = coverage({ features: 4, kind, rho: 0.5 }, { chunk, chunks, streams });
      await record('coverage', { kind, chunk, chunks }, streams, found);
      expect(found.ever).to.be.below(0.06 + (share < 1 ? ofShares(streams) : 0));
      expect(found.now).to.be.below(0.065 + ofShares(streams));
    });

  for (const values of Object.keys(CHUNK_VALUES))
    it(`is ever outside of any-time intervals so often where chunks say independent values: ${values}`, async () => {
      const streams = times(4000);
      const found = coverageOfValues(values, { chunks: 500, streams });
      await record('coverage', { values, chunks: 500 }, streams, found);
      // Values as skewed as exponential ones take more chunks than most streams begin with.
      expect(found.ever).to.be.below((values === 'normal' ? 0.06 : 0.1) + ofShares(streams / 2));
    });

  for (const series of Object.keys(SERIES))
    it(`raises so many false alarms in 10,000 chunks: ${series}`, async () => {
      const chunks = times(700_000);
      const rate = falseAlarms(series, chunks);
      await record('false alarms', { series }, chunks, { rate });
      if (series.startsWith('independent')) expect(rate).to.be.below(1 + 4 * Math.sqrt(10_000 / chunks));
    });

  for (const { kind, doubles } of [
    { kind: 'squared', doubles: false },
    { kind: 't3', doubles: false },
    { kind: 'logistic', doubles: false },
    { kind: 'poisson', doubles: false },
    { kind: 'squared', doubles: true },
    { kind: 'huber', doubles: true },
  ] as const)
    it(`raises at most one false alarm in 10,000 chunks: ${kind}${doubles ? ', whose noise doubles' : ''}`, async () => {
      const chunks = times(80_000);
      const rate = estimatorAlarms(kind, chunks, doubles);
      await record('false alarms', { kind, doubles }, chunks, { rate });
      expect(rate).to.be.below(1 + 4 * Math.sqrt(10_000 / chunks));
    });

  for (const { jump, most } of [
    { jump: 0.5, most: 80 },
    { jump: 1, most: 25 },
    { jump: 3, most: 5 },
  ])
    it(`finds a jump of ${jump} standard errors of a chunk after ${most} chunks in the median`, async () => {
      const found = delays(jump, { after: 1000, repeats: times(200) });
      await record('delay', { jump, after: 1000, rho: 0 }, times(200), found);
      expect(found.median).to.be.at.most(most * (1 + (share < 1 ? 2 / Math.sqrt(times(200)) : 0)));
    });

  it('finds jumps after 100 chunks, and where features are correlated by .9', async () => {
    for (const [jump, after, rho] of [
      [0.5, 100, 0],
      [1, 100, 0],
      [3, 100, 0],
      [1, 1000, 0.9],
    ] as const) {
      const found = delays(jump, { after, rho, repeats: times(200) });
      await record('delay', { jump, after, rho }, times(200), found);
    }
  });

  for (const kind of ['squared', 'huber', 'logistic'] as const)
    it(`forgets: worth twice the rows remembered, and over a change after four times those: ${kind}`, async () => {
      const found = forgetting(kind, { repeats: times(400) });
      await record('forgetting', { kind }, times(400), found);
      const slack = 1 / Math.sqrt(3 * times(400));
      if (found.worth !== null) expect(found.worth).to.be.within(1.8 * (1 - 3 * slack), 2.2 * (1 + 3 * slack));
      expect(found.recovery).to.be.below(4.5);
      expect(found.outside).to.be.below(0.07 + 3 * Math.sqrt((0.05 * 0.95) / (3 * times(400))));
    });

  it('recovers from a jump by forgetting, or by beginning anew, and otherwise does not', async () => {
    const found: Record<string, Record<string, number>> = {};
    for (const way of ['forget', 'restart', 'note'] as const) {
      found[way] = recovery(way, { repeats: times(60) });
      await record('recovery', { way }, times(60), found[way]);
    }
    const { forget, restart, note } = found;
    expect(forget!['5']).to.be.below(1.5 * forget!.before!);
    expect(restart!['1']).to.be.below(3 * restart!.before!);
    expect(note!['8']).to.be.greaterThan(10 * note!.before!);
  });
});
