import { expect } from 'chai';
import fc from 'fast-check';
import { blockCount } from '../../src/method/aggregate/blockCount.ts';
import { cellsOf, type LayoutOptions, layoutRows, widened } from '../../src/plan/layout.ts';

const usual = { aggregate: 'median-of-means', failureProbability: 0.05, pilot: true } as const;
const total = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

describe('layoutRows', () => {
  it('gives a million rows a pilot of 5 % and three growing chunks, the last with three quarters', () => {
    const layout = layoutRows({ ...usual, rows: 1_000_000, size: 21 });
    expect(layout).to.deep.include({ pilotRows: 50_000, rows: 950_000, mode: 'fresh', steps: 3 });
    expect(layout.blocks).to.equal(blockCount(0.05 / 3));
    const { chunks } = layout.schedule!;
    expect(chunks.map(size => Math.round((100 * size) / 950_000))).to.deep.equal([5, 19, 76]);
  });

  it('never makes a chunk that is much smaller than the pilot, or too small for its blocks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 2_000_000 }), fc.integer({ min: 1, max: 60 }), (rows, size) => {
        const layout = layoutRows({ ...usual, rows, size });
        if (layout.schedule === null) return;
        const smallest = Math.min(...layout.schedule.chunks);
        expect(smallest).to.be.at.least(0.9 * layout.pilotRows);
        expect(smallest / layout.blocks).to.be.at.least(Math.max(20, 2 * size));
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it('lets every step see all rows where there are too few for chunks, in as many blocks as they fill', () => {
    expect(layoutRows({ ...usual, rows: 400, size: 3 })).to.deep.include({
      mode: 'full',
      steps: 20,
      blocks: 20,
    });
    expect(layoutRows({ ...usual, rows: 55, size: 3 })).to.deep.include({ mode: 'full', blocks: 1 });
  });

  it('lets a pilot that counts have all rows where they are few, and keeps it apart from the steps otherwise', () => {
    const counting = { ...usual, pilotCounts: true };
    for (const [rows, size] of [
      [50, 20],
      [8000, 5],
      [15_000, 80],
    ] as const) {
      const layout = layoutRows({ ...counting, rows, size });
      expect(layout).to.deep.include({ mode: 'full', sharesPilot: true, pilotRows: rows, rows });
      expect(total(cellsOf(layout))).to.equal(rows);
    }
    const [apart, fresh] = [
      layoutRows({ ...counting, rows: 15_000, size: 10, mode: 'full' }),
      layoutRows({ ...counting, rows: 1_000_000, size: 10 }),
    ];
    expect(apart).to.deep.include({ mode: 'full', sharesPilot: false, pilotRows: 5000, rows: 10_000 });
    expect(fresh).to.deep.include({ mode: 'fresh', sharesPilot: false, pilotRows: 50_000 });
    for (const [rows, size, sharesPilot] of [
      [50, 20, true],
      [10_000, 300, true],
      [52_428, 20, true],
      [52_429, 20, false],
    ] as const)
      expect(layoutRows({ ...usual, rows, size }).sharesPilot, `${rows}`).to.equal(sharesPilot);
    expect(layoutRows({ ...usual, rows: 4000, size: 20, mode: 'full' }).sharesPilot).to.equal(true);
  });

  it('does what it is told about mode, steps, blocks and schedule', () => {
    const told = layoutRows({
      ...usual,
      rows: 10_000,
      size: 3,
      mode: 'fresh',
      steps: 5,
      blocks: 7,
      schedule: 'uniform',
    });
    expect(told).to.deep.include({ mode: 'fresh', steps: 5, blocks: 7 });
    expect(new Set(told.schedule!.chunks)).to.deep.equal(new Set([1900]));
    expect(layoutRows({ ...usual, rows: 10_000, size: 3, mode: 'full', steps: 5 })).to.deep.include({
      mode: 'full',
      steps: 5,
    });
    expect(layoutRows({ ...usual, rows: 10_000, size: 3, pilot: false }).pilotRows).to.equal(0);
    expect(layoutRows({ ...usual, rows: 10_000, size: 3, aggregate: 'mean' }).blocks).to.equal(1);
  });

  it('cuts all rows into cells, whatever is asked', () => {
    const options: fc.Arbitrary<LayoutOptions> = fc.record({
      rows: fc.integer({ min: 100, max: 50_000 }),
      size: fc.integer({ min: 1, max: 10 }),
      aggregate: fc.constantFrom('mean', 'median-of-means', 'huber'),
      failureProbability: fc.constantFrom(0.01, 0.3),
      mode: fc.constantFrom('auto', 'fresh', 'full'),
      schedule: fc.constantFrom('uniform', 'geometric'),
      pilot: fc.boolean(),
    });
    fc.assert(
      fc.property(options, given => {
        const layout = layoutRows(given);
        const cells = cellsOf(layout);
        expect(total(cells)).to.equal(given.rows);
        expect(Math.min(...cells)).to.be.above(0);
        if (layout.schedule !== null)
          expect(total(layout.schedule.chunks) + layout.schedule.leftOver).to.equal(layout.rows);
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('refuses fresh chunks that the rows do not fill, with a way out', () => {
    for (const schedule of ['geometric', 'uniform'] as const) {
      const fresh = { ...usual, size: 2, mode: 'fresh', schedule } as const;
      expect(() => layoutRows({ ...fresh, rows: 2 })).to.throw(
        "rows must leave at least 2 rows for 2 fresh chunks after a pilot of 1, got 2; use more rows, or `mode: 'full'`",
      );
      expect(() => layoutRows({ ...fresh, rows: 5, steps: 6, pilot: false })).to.throw(
        "rows must leave at least 6 rows for 6 fresh chunks, got 5; use more rows, fewer `steps`, or `mode: 'full'`",
      );
      expect(layoutRows({ ...fresh, rows: 4 }).schedule!.chunks).to.deep.equal([1, 1]);
    }
  });

  it('refuses rows, sizes and probabilities that are none', () => {
    expect(() => layoutRows({ ...usual, rows: 0, size: 3 })).to.throw('rows must');
    for (const bad of [NaN, Infinity, 0, -1, 1.5]) {
      expect(() => layoutRows({ ...usual, rows: 100, size: 3, steps: bad })).to.throw('steps must');
      expect(() => layoutRows({ ...usual, rows: 100, size: 3, blocks: bad })).to.throw('blocks must');
    }
    expect(() => layoutRows({ ...usual, rows: 10, size: 0 })).to.throw('size must');
    expect(() => layoutRows({ ...usual, rows: 10, size: 1, failureProbability: 1 })).to.throw(
      'failureProbability must',
    );
  });
});

describe('widened', () => {
  const layout = layoutRows({ ...usual, rows: 1_000_000, size: 21 });

  it('gives the pilot all rows where so many may be kept, and lets the steps see them again', () => {
    const wide = widened(layout, 1e6)!;
    const all = { pilotRows: 1e6, rows: 1e6, sharesPilot: true, mode: 'full', steps: 20, schedule: null };
    expect(wide).to.deep.include(all);
    expect(total(cellsOf(wide))).to.equal(1e6);
  });

  it('moves the first chunks that fit into the pilot otherwise, never the last, and loses no row', () => {
    const [first, second, last] = layout.schedule!.chunks as [number, number, number];
    const wide = widened(layout, 900_000)!;
    expect(wide).to.deep.include({ pilotRows: 50_000 + first + second, rows: last, steps: 1 });
    expect(wide.schedule).to.deep.equal({ chunks: [last], leftOver: layout.schedule!.leftOver });
    const fitting = widened(layout, 100_000)!;
    expect(fitting).to.deep.include({ pilotRows: 50_000 + first, steps: 2 });
    for (const other of [wide, fitting]) expect(total(cellsOf(other))).to.equal(1_000_000);
  });

  it('has nothing to give where no chunk fits, none is to spare, or steps see all rows', () => {
    expect(widened(layout, 60_000)).to.equal(null);
    expect(widened(widened(layout, 900_000)!, 900_000)).to.equal(null);
    expect(widened(layoutRows({ ...usual, rows: 5000, size: 3 }), 1e6)).to.equal(null);
    expect(widened(layoutRows({ ...usual, pilot: false, rows: 1e6, size: 3 }), 1e6)).to.equal(null);
  });
});
