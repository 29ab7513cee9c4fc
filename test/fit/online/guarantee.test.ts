/** The guarantee of private streams, through `estimateOnline` alone, and departures from it that must be noticed. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { estimateOnline, type OnlineOptions } from '../../../src/fit/online/estimateOnline.ts';
import { viewOutput } from '../../../src/fit/online/liveView.ts';
import type { Output } from '../../../src/fit/online/onlineEstimate.ts';
import { modelFileOutput } from '../../../src/sink/live/modelFile.ts';
import { estimateLine } from '../../../src/sink/live/ndjson.ts';
import { allOf, cut } from '../../support/onlineRows.ts';
import {
  ASKED,
  calmRows,
  contentOf,
  type Departure,
  inTurn,
  muBetween,
  planOf,
  type Released,
  type Row,
  type Run,
  rawSums,
  releasing,
  squaredShift,
  stateAfter,
  tableOf,
  withDeparture,
  withRelease,
} from '../../support/watchedReleases.ts';

/** A release of every kind: moments, histogram, look, a gradient of the preamble and a pooled one. */
const KINDS = [0, 1, 2, 4, 10];
const FIRST_POOLED = 9;

/** Rows that an adversary may put in another's place. */
const WILD: readonly Row[] = [
  [1, 1, 1],
  [-1, -1, -1],
  [1, -1, 1],
  [1, 1, -1],
  [0, 0, 0],
  [NaN, 0, 0],
  [null, null, null],
  [1e308, -1e308, 1e308],
  [Infinity, 0, -Infinity],
  [5e-324, 0.2, 1],
  // Near the truth, where the second derivative is the largest.
  [1, 1, 0.2],
  [1, -1, 0.8],
  [-1, 1, -0.6],
].map(row => row as unknown as Row);

const put = (rows: readonly Row[], position: number, row: Row): Row[] => rows.with(position, row) as Row[];
const inserted = (rows: readonly Row[], position: number, row: Row): Row[] =>
  [...rows.slice(0, position), row, ...rows.slice(position)].slice(0, rows.length);

describe('the guarantee of a private stream', () => {
  it('holds for every kind of release: no row moves one by more than is declared, also after wild releases', async () => {
    const plan = planOf(ASKED);
    const rows = calmRows(plan, 12);
    const { next, remove } = releasing(plan, ASKED);
    const largest: number[] = [];
    try {
      let state: Released | null = null;
      for (let t = 0; t <= KINDS.at(-1)!; t++) {
        const pasts: (Released | null)[] = [state];
        if (KINDS.includes(t) && state !== null) {
          // A past that no honest stream has: releases many times as large, of other signs, in places not finite.
          const wild = await next(rows, state, t);
          const path = join(wild.folder, 'checkpoint.json');
          const text = readFileSync(join(state.folder, 'checkpoint.json'), 'utf8');
          writeFileSync(
            path,
            withRelease(text, (value, k) => (k % 2 === 0 ? -1e3 : 1e3) * value),
          );
          pasts.push({ ...wild, sums: state.sums });
        }
        if (KINDS.includes(t))
          for (const [k, past] of pasts.entries()) {
            const released: Released[] = [];
            for (const row of WILD) released.push(await next(put(rows, plan.rowsBefore(t) + 3, row), past, t));
            const shifts = released.flatMap(one => released.map(other => squaredShift(one, other)));
            const found = Math.max(...shifts);
            expect(found, `release ${t}`).to.be.at.most(4 * plan.noise.squaredNorm);
            if (k === 0) largest.push(Math.sqrt(found / (4 * plan.noise.squaredNorm)));
          }
        state = await next(rows, state, t);
      }
    } finally {
      remove();
    }
    // Moments and looks of two rows have no negative inner product, so they come no further apart than sqrt(1/2) of it.
    const [moments, histogram, look, gradient, pooled] = largest as [number, number, number, number, number];
    expect(moments).to.be.within(0.6, 0.7072);
    expect(histogram).to.be.within(0.999, 1);
    expect(look).to.be.within(0.25, 0.7072);
    expect(gradient).to.be.within(0.9, 1);
    expect(pooled).to.be.within(0.9, 1);
  });

  it('has one release to which a row matters, which the noise covers', async () => {
    const plan = planOf(ASKED);
    const rows = calmRows(plan, 12);
    const position = plan.rowsBefore(FIRST_POOLED) + 5;
    const worlds = [put(rows, position, [1, 1, 1]), put(rows, position, [1, 1, -1])] as const;
    const { mu, declared, moved } = await muBetween(worlds, ASKED, { from: FIRST_POOLED - 1, to: FIRST_POOLED + 3 });
    expect(moved).to.deep.equal([FIRST_POOLED]);
    expect(mu / declared).to.be.within(0.9, 1);
  });

  it('covers all rows of a unit under its caps, however they lie, over restarts', async () => {
    const options: OnlineOptions = { ...ASKED, unit: 'unit', maxPerUnit: 4, perChunk: 2 };
    const plan = planOf(options);
    const rows = calmRows(plan, FIRST_POOLED + 4);
    const start = plan.rowsBefore(FIRST_POOLED);
    // Six rows: three in a chunk, of which one is too many, then one in each of the next.
    const places = [2, 3, 4, 41 + 1, 82 + 7, 123 + 9].map(place => start + place);
    const worldOf = (y: number, unit: (k: number) => string): Row[] =>
      places.reduce((all, place, k) => put(all, place, [1, 1, y, unit(k)]), rows);
    const from = { from: FIRST_POOLED, to: FIRST_POOLED + 4 };
    const worlds = [worldOf(1, () => 'one'), worldOf(-1, () => 'another')] as const;
    const found = await muBetween(worlds, options, from);
    expect(found.mu / found.declared).to.be.within(0.7, 1);
    expect(found.moved).to.deep.equal([FIRST_POOLED, FIRST_POOLED + 1, FIRST_POOLED + 2]);
    const gone = places.reduce((all, place) => put(all, place, [NaN, null, 1e308]), rows);
    const without = await muBetween([worlds[0], gone], options, from);
    expect(without.mu / without.declared).to.be.within(0.3, Math.SQRT1_2);
  });

  for (const { name, worlds, to, least } of departures())
    it(`would not be what it is if ${name}, which the same measurement shows`, async () => {
      const { mu, declared } = await muBetween(worlds, ASKED, { from: FIRST_POOLED, to });
      expect(mu / declared).to.be.above(least);
    });

  it('would not be what it is if a row were used twice, which the same measurement shows', async () => {
    const plan = planOf(ASKED);
    const rows = calmRows(plan, FIRST_POOLED + 2);
    // Each of the ten runs until then would begin a row too early.
    const place = plan.rowsBefore(FIRST_POOLED + 1) - 10;
    const worlds = [put(rows, place, [1, 1, 1]), put(rows, place, [1, 1, -1])] as const;
    const steps = { from: FIRST_POOLED, to: FIRST_POOLED + 2 };
    const honest = await muBetween(worlds, ASKED, steps);
    expect(honest.moved).to.deep.equal([FIRST_POOLED]);
    const twice: Departure = {
      file: 'src/fit/online/onlineSession.ts',
      from: 'rows!.use(used)',
      to: 'rows!.use(used - 1)',
    };
    const { mu, declared, moved } = await withDeparture(twice, run => muBetween(worlds, ASKED, { ...steps, run }));
    expect(moved).to.deep.equal([FIRST_POOLED, FIRST_POOLED + 1]);
    expect(mu / declared).to.be.above(1.2);
  });

  it('leaves no sum without noise in any file, at any release', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-secrets-'));
    const at = (name: string): string => join(folder, name);
    const plan = planOf(ASKED);
    const rows = calmRows(plan, 14);
    const file = modelFileOutput(at('model.json'));
    const lines = viewOutput({
      name: 'lines',
      publish: async estimate => appendFileSync(at('lines.ndjson'), estimateLine(estimate)),
      close: async () => {},
    });
    let [releases, leaked] = [0, [] as string[]];
    const look: Output = {
      name: 'look',
      publish: async () => {
        const { made } = contentOf(at('state'));
        const { step, sums } = made!.release;
        const raw = rawSums(plan, rows, made!.state, step);
        const files = bytesOfFiles(folder);
        const found = (values: Float64Array): string[] =>
          tracesOf(values, plan, step).flatMap(trace =>
            [...files].filter(([, bytes]) => bytes.includes(trace)).map(([name]) => `release ${step}: ${name}`),
          );
        leaked = [...leaked, ...found(raw)];
        // What was released is found, so the search is one that finds.
        const released = sums.map(value => Math.round(value / plan.noise.grid));
        expect(found(released).filter(name => name.endsWith('checkpoint.json'))).to.have.length.above(1);
        if (step === 3) {
          writeFileSync(at('planted'), Buffer.concat([Buffer.from('..'), littleEndian(raw[0]!)]));
          expect(
            bytesOfFiles(folder)
              .get('planted')!
              .includes(tracesOf(raw, plan, step)[0]!),
          ).to.equal(true);
          rmSync(at('planted'));
        }
        releases++;
      },
    };
    try {
      const ledger = { file: at('ledger.jsonl'), dataset: 'rows' };
      const options = { ...ASKED, seed: 'noise', checkpoint: at('state'), ledger, outputs: [file, lines, look] };
      await allOf(estimateOnline(cut(tableOf(rows), 97), options));
      expect(releases).to.equal(14);
      expect(
        [...bytesOfFiles(folder).keys()].map(name => name.replace(/jsonl\..*\.rel/, 'jsonl.rel')),
      ).to.include.members([
        'ledger.jsonl',
        'ledger.jsonl.key',
        'ledger.jsonl.releases',
        'lines.ndjson',
        'model.json',
        'state/checkpoint.json',
      ]);
      expect(leaked).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has the noise that it declares on every number, and would show it if moments had noise for sqrt(p + 2)', async () => {
    // Each deviation is outside with a probability of about 1e-7.
    const honest = await spreadOfNoise();
    expect(Math.abs(honest.zScore)).to.be.below(5.3);
    const half: Departure = {
      file: 'src/privacy/discreteGaussianMechanism.ts',
      from: 'discreteGaussian(random, scale))',
      to: 'discreteGaussian(random, Math.round(scale / Math.sqrt(4))))',
    };
    const { zScore, spread } = await withDeparture(half, spreadOfNoise);
    expect(zScore).to.be.below(-5.3);
    expect(spread).to.be.within(0.4, 0.6);
  });
});

/** Streams that differ in more than the content of one row. */
function departures() {
  const plan = planOf(ASKED);
  const start = plan.rowsBefore(FIRST_POOLED);
  const adverse = calmRows(plan, FIRST_POOLED + 12).map((row, i) => (i < start ? row : inTurn(i)));
  const calm = calmRows(plan, FIRST_POOLED + 4);
  const four = (y: number, gap: number): Row[] =>
    [0, 1, 2, 3].reduce((all, k) => put(all, start + 3 + k * gap, [1, 1, y]), calm);
  return [
    {
      name: 'a row were inserted before rows of an adversary',
      worlds: [adverse, inserted(adverse, start, inTurn(start + 1))] as const,
      to: FIRST_POOLED + 12,
      least: 2.5,
    },
    {
      name: 'four rows of a unit in one chunk were one row',
      worlds: [four(1, 1), four(-1, 1)] as const,
      to: FIRST_POOLED + 1,
      least: 3.5,
    },
    {
      name: 'four rows of a unit in four chunks were one row',
      worlds: [four(1, plan.figures.chunk), four(-1, plan.figures.chunk)] as const,
      to: FIRST_POOLED + 4,
      least: 1.8,
    },
  ];
}

/** The spread of what was released about the sums of rows, in units of the scale of the noise, over 12 releases. */
async function spreadOfNoise(run?: Run): Promise<{ readonly spread: number; readonly zScore: number }> {
  const plan = planOf(ASKED);
  const rows = calmRows(plan, 12);
  const { next, remove } = releasing(plan, ASKED, run);
  let [squares, numbers] = [0, 0];
  try {
    let state: Released | null = null;
    for (let t = 0; t < 12; t++) {
      const raw = rawSums(plan, rows, state && stateAfter(plan, contentOf(state.folder)), t);
      const released: Released = await next(rows, state, t, { seed: `noise ${t}` });
      released.sums.forEach((value, k) => {
        squares += ((value - raw[k]!) / plan.noise.scale) ** 2;
      });
      numbers += released.sums.length;
      state = released;
    }
  } finally {
    remove();
  }
  return { spread: Math.sqrt(squares / numbers), zScore: (squares - numbers) / Math.sqrt(2 * numbers) };
}

/** All files below a folder by name, with what stands in base64 within them decoded behind. */
function bytesOfFiles(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return new Map(
    names
      .filter(name => statSync(join(folder, name)).isFile())
      .map(name => {
        const bytes = readFileSync(join(folder, name));
        const hidden = [...bytes.toString('latin1').matchAll(/[A-Za-z0-9+/]{10,}={0,2}/g)];
        return [name, Buffer.concat([bytes, ...hidden.map(([text]) => Buffer.from(text, 'base64'))])];
      }),
  );
}

/** What a number may be written as: an integer, the sum and the mean in the units of rows, in digits and in bytes. */
function tracesOf(sums: Float64Array, { noise, steps }: ReturnType<typeof planOf>, step: number): Buffer[] {
  // Small integers stand everywhere, and so do few digits.
  const large = [...sums].filter(sum => Math.abs(sum) > 1e3);
  return large.flatMap(sum => {
    const values = [sum, sum * noise.grid, (sum * noise.grid) / steps.at(step)!.rows];
    const whole = Buffer.alloc(8);
    whole.writeBigInt64LE(BigInt(sum));
    return [
      ...values.map(littleEndian),
      ...values.map(value => Buffer.from(littleEndian(value)).reverse()),
      ...values.map(value => Buffer.from(String(value))).filter(({ length }) => length > 9),
      whole,
      Buffer.from(whole).reverse(),
    ];
  });
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
