import { Float32, Float64, Int32, makeVector, Table, vectorFromArray } from 'apache-arrow';
import { expect } from 'chai';
import fc from 'fast-check';
import type { LiveDesign, LiveReading } from '../../../src/source/live/liveDesign.ts';
import { liveRows } from '../../../src/source/live/liveRows.ts';
import type { Arrival, OpenStream } from '../../../src/source/live/liveSource.ts';
import { rowsInPlace } from '../../../src/source/live/rowsInPlace.ts';

/** How the first column of an arrival lies in memory. */
const KINDS = ['doubles', 'nulls', 'NaN', 'whole', 'floats', 'sliced', 'moved'] as const;
type Kind = (typeof KINDS)[number];

const value = (k: number, i: number): number => 100 * k + i;

/** Rows of which each has `x` as a kind says, and `y` twice that; every third is null or not a number where some are. */
function tableOf(kind: Kind, rows: number, k: number): Table {
  const all = Array.from({ length: rows }, (_, i) => value(k, i));
  const y = makeVector(Float64Array.from(all, x => 2 * x));
  const some = all.map((x, i) => (i % 3 === 0 ? (kind === 'nulls' ? null : Number.NaN) : x));
  switch (kind) {
    case 'nulls':
    case 'NaN':
      return new Table({ x: vectorFromArray(some, new Float64()), y });
    case 'whole':
      return new Table({ x: vectorFromArray(all, new Int32()), y });
    case 'floats':
      return new Table({ x: vectorFromArray(all, new Float32()), y });
    case 'sliced': {
      const longer = [-1, ...all, -2];
      const x = makeVector(Float64Array.from(longer));
      return new Table({ x, y: makeVector(Float64Array.from(longer, each => 2 * each)) }).slice(1, rows + 1);
    }
    case 'moved':
      return new Table({ more: y, y, x: makeVector(Float64Array.from(all)) });
    default:
      return new Table({ x: makeVector(Float64Array.from(all)), y });
  }
}

const streamOf = (tables: readonly Table[]): OpenStream => ({
  identity: null,
  endless: false,
  arrivals: {
    async *[Symbol.asyncIterator](): AsyncGenerator<Arrival> {
      for (const [place, table] of tables.entries())
        yield { batch: table.batches[0]!, items: [{ rows: table.numRows, place }] };
    },
  },
  lag: () => null,
  close: async () => {},
});

const DESIGN: LiveDesign = {
  columns: [{ name: 'x', field: 0 }],
  ...{ kinds: { x: 'number', y: 'number' }, categorical: {}, found: {}, times: [], isTwofold: false, seen: {} },
};
const READING: LiveReading = { target: 'y', name: 'rows', forPrivate: false };

describe('rowsInPlace', () => {
  it('gives the rows that decoding gives, in their order, whatever lies between', async () => {
    const arrivals = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.integer({ min: 1, max: 40 })), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(arrivals, fc.nat(39), async (kinds, skip) => {
        const used = Math.min(skip, kinds[0]![1]);
        const rows = await liveRows(streamOf(kinds.map(([kind, count], k) => tableOf(kind, count, k))), {
          ...READING,
          design: DESIGN,
          from: { after: null, rows: used },
          pilotRows: () => 1,
        });
        const found: number[][] = [];
        for await (const { rows: count, columns, target, weights } of rows.batches())
          for (let i = 0; i < count; i++) found.push([columns[0]![i]!, target[i]!, weights?.[i] ?? 1]);
        const wanted = kinds.flatMap(([kind, count], k) =>
          Array.from({ length: count }, (_, i) => {
            const isUsable = !(kind === 'nulls' || kind === 'NaN') || i % 3 !== 0;
            return isUsable ? [value(k, i), 2 * value(k, i), 1] : [0, 0, 0];
          }),
        );
        expect(found).to.deep.equal(wanted.slice(used));
        const unusable = wanted.slice(used).filter(([, , weight]) => weight === 0).length;
        expect(rows.use(wanted.length - used).unusable).to.equal(unusable);
      }),
      { numRuns: 60 },
    );
  });

  it('takes finite doubles where they lie, and nothing else', () => {
    const lying = (kind: Kind, reading: Partial<LiveReading> = {}, design: Partial<LiveDesign> = {}) =>
      rowsInPlace({ ...DESIGN, ...design }, { ...READING, ...reading }, null)(tableOf(kind, 6, 1).batches[0]!, 0);
    for (const kind of KINDS)
      expect(lying(kind) !== null, kind).to.equal(['doubles', 'sliced', 'moved'].includes(kind));
    const [batch] = tableOf('doubles', 6, 1).batches;
    const column = rowsInPlace(DESIGN, READING, null)(batch!, 2)!.columns[0]!;
    expect(column.buffer).to.equal(batch!.data.children[0]!.values.buffer);
    expect([...column]).to.deep.equal([102, 103, 104, 105]);
    // Rows that are named in errors, that are private, or that are more than numbers, are decoded.
    for (const reading of [{ nulls: 'error' }, { forPrivate: true }, { weights: 'x' }, { unit: 'x' }] as const)
      expect(lying('doubles', reading)).to.equal(null);
    expect(lying('doubles', {}, { times: ['x'] })).to.equal(null);
    expect(lying('doubles', {}, { categorical: { x: ['1'] } })).to.equal(null);
  });

  it('leaves rows to decoding whose target the loss does not accept', () => {
    const [batch] = tableOf('doubles', 6, 1).batches;
    const below = (most: number) => ({ accepts: (target: number) => target < most, advice: '' });
    expect(rowsInPlace(DESIGN, READING, below(211))(batch!, 0)!.rows).to.equal(6);
    expect(rowsInPlace(DESIGN, READING, below(210))(batch!, 0)).to.equal(null);
  });
});
