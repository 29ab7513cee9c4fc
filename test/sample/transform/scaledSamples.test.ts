import { expect } from 'chai';
import fc from 'fast-check';
import { type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { type Samples, samplesOf } from '../../../src/sample/samples.ts';
import { scaledSamples } from '../../../src/sample/transform/scaledSamples.ts';
import {
  type FeatureBounds,
  type Scaling,
  scaledNorm,
  scaledTarget,
  scalingOf,
} from '../../../src/sample/transform/scaling.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { rebatched } from '../../support/descentFixtures.ts';

interface Row {
  readonly x: readonly number[];
  readonly y: number;
  readonly weight: number;
}

async function rowsOf(samples: Samples): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { rows: count, columns, target, weights } of samples.batches()) {
    for (let i = 0; i < count; i++) {
      rows.push({ x: columns.map(column => column[i]!), y: target[i]!, weight: weights?.[i] ?? 1 });
    }
  }
  return rows;
}

const batchOf = (rows: readonly Pick<Row, 'x' | 'y'>[]): SampleBatch =>
  sampleBatch(
    rows[0]!.x.map((_, j) => Float64Array.from(rows, ({ x }) => x[j]!)),
    Float64Array.from(rows, ({ y }) => y),
  );

const scalingBy = (bounds: FeatureBounds, intercept = true): Scaling =>
  scalingOf({ features: 2, bounds, target: { least: 0, most: 10 }, intercept, scalesTarget: true });

const box = scalingBy({
  intervals: [
    { least: -1, most: 3 },
    { least: 100, most: 200 },
  ],
});
const INVALID = { x: [0, 0], y: 0, weight: 0 };

/** Anything that a column of doubles may hold. */
const anything = fc.oneof(
  fc.double(),
  fc.constantFrom(NaN, Infinity, -Infinity, 1e308, -1e308, Number.MAX_VALUE, 5e-324, 0, -0, 1, 150),
);
const anyRow = fc.record({ x: fc.tuple(anything, anything), y: anything });

describe('scaledSamples', () => {
  it('scales rows by their bounds and moves what is outside to the nearest one', async () => {
    const found = await rowsOf(
      scaledSamples(
        samplesOf(
          batchOf([
            { x: [1, 150], y: 5 },
            { x: [3, 100], y: 10 },
            { x: [99, -1e6], y: -3 },
            { x: [-99, 1e300], y: 1e9 },
          ]),
        ),
        box,
      ),
    );
    expect(found).to.deep.equal([
      { x: [0, 0], y: 0, weight: 1 },
      { x: [1, -1], y: 1, weight: 1 },
      { x: [1, -1], y: -1, weight: 1 },
      { x: [-1, 1], y: 1, weight: 1 },
    ]);
  });

  it('makes zeros of weight 0, in their place, of rows with anything that is not finite or was left out before', async () => {
    const odd = [NaN, Infinity, -Infinity];
    const rows = [
      ...odd.flatMap(value => [
        { x: [value, 150], y: 5 },
        { x: [1, value], y: 5 },
        { x: [1, 150], y: value },
      ]),
      { x: [3, 200], y: 0 },
    ];
    const batch = batchOf(rows);
    const found = await rowsOf(scaledSamples(samplesOf(batch), box));
    expect(found).to.deep.equal([...Array(9).fill(INVALID), { x: [1, 1], y: -1, weight: 1 }]);
    const skipped = { ...batchOf([rows[9]!, rows[9]!]), weights: Float64Array.of(0, 3) };
    expect(await rowsOf(scaledSamples(samplesOf(skipped), box))).to.deep.equal([
      INVALID,
      // A private run has no weights but these.
      { x: [1, 1], y: -1, weight: 1 },
    ]);
  });

  it('makes an invalid row of a value so large that it overflows when it is scaled', async () => {
    const small = scalingBy({ intervals: Array(2).fill({ least: 0, most: 1e-10 }) });
    const found = await rowsOf(scaledSamples(samplesOf(batchOf([{ x: [1e308, 0], y: 0 }])), small));
    expect(found).to.deep.equal([INVALID]);
  });

  it('moves rows into bounds that leave 0 out, where nothing is shifted for want of an intercept', async () => {
    const intervals = [
      { least: 50, most: 100 },
      { least: -8, most: 2 },
    ];
    const rows = [
      { x: [-70, 9], y: 5 },
      { x: [80, -9], y: 5 },
    ];
    const found = await rowsOf(scaledSamples(samplesOf(batchOf(rows)), scalingBy({ intervals }, false)));
    expect(found.map(({ x }) => x)).to.deep.equal([
      [0.5, 0.25],
      [0.8, -1],
    ]);
  });

  it('weighs rows that are longer than said by how much longer they are, the intercept included, and others by 1', async () => {
    const rows = [
      { x: [1, 150], y: 5 },
      { x: [3, 150], y: 5 },
      { x: [-1, 200], y: 5 },
      { x: [NaN, 200], y: 5 },
    ];
    for (const [rowLength, intercept] of [
      [1.2, true],
      [1.2, false],
      [0.5, false],
    ] as const) {
      const scaling = { ...box, intercept, rowLength };
      const lengths = [0, 1, Math.SQRT2].map(length => Math.hypot(length, intercept ? 1 : 0));
      const found = await rowsOf(scaledSamples(samplesOf(batchOf(rows)), scaling));
      const weights = lengths.map(length => Math.min(1, rowLength / length));
      found.forEach(({ weight }, i) => {
        expect(weight).to.be.closeTo(i < 3 ? weights[i]! : 0, 1e-15);
      });
      expect(found[3]).to.deep.equal(INVALID);
    }
  });

  it('shrinks rows to a norm bound, however long they are, and leaves shorter ones', async () => {
    const byNorm = scalingBy({ norm: 5 });
    const found = await rowsOf(
      scaledSamples(
        samplesOf(
          batchOf([
            { x: [3, 0], y: 5 },
            { x: [3, 4], y: 5 },
            { x: [30, 40], y: 5 },
            { x: [3e307, 4e307], y: 5 },
            { x: [0, 0], y: 5 },
          ]),
        ),
        byNorm,
      ),
    );
    const expected = [
      [0.6, 0],
      [0.6, 0.8],
      [0.6, 0.8],
      [0.6, 0.8],
      [0, 0],
    ];
    found.forEach(({ x, y, weight }, i) => {
      expect([y, weight]).to.deep.equal([0, 1]);
      x.forEach((value, j) => {
        expect(value).to.be.closeTo(expected[i]![j]!, 1e-15);
      });
    });
  });

  it('keeps every row within the bounds that noise is calibrated to, whatever it holds, and makes it of that row alone', async () => {
    const neighbouring = fc.asyncProperty(
      fc.array(anyRow, { minLength: 2, maxLength: 9 }),
      anyRow,
      async (rows, other) => {
        const weighed = { ...box, rowLength: 1.1 };
        for (const scaling of [box, weighed, scalingBy({ norm: 5 }), scalingBy({ norm: 2 }, false)]) {
          const found = await rowsOf(scaledSamples(samplesOf(batchOf(rows)), scaling));
          for (const { x, y, weight } of found) {
            expect(Math.hypot(...x, scaling.intercept ? 1 : 0)).to.be.at.most(scaledNorm(scaling) * (1 + 1e-12));
            expect(Math.abs(y)).to.be.at.most(scaledTarget(scaling));
            const length = Math.hypot(...x, scaling.intercept ? 1 : 0);
            expect(weight * length).to.be.at.most((scaling.rowLength ?? Infinity) * (1 + 1e-12));
            if (scaling.rowLength === undefined) expect(weight).to.be.oneOf([0, 1]);
            if (weight === 0) expect([...x, y]).to.deep.equal([0, 0, 0]);
          }
          const changed = rebatched(batchOf([other, ...rows.slice(1)]), 2);
          expect((await rowsOf(scaledSamples(changed, scaling))).slice(1)).to.deep.equal(found.slice(1));
        }
      },
    );
    await fc.assert(neighbouring, { seed: 1, numRuns: casesOf(500) });
  });

  it('changes no rows of its source, and is the same for any batch size', async () => {
    const batch = batchOf(Array.from({ length: 50 }, (_, i) => ({ x: [i / 5 - 3, 90 + 3 * i], y: i === 7 ? NaN : i })));
    const before = [...batch.columns, batch.target].map(column => [...column]);
    const whole = await rowsOf(scaledSamples(samplesOf(batch), box));
    expect([...batch.columns, batch.target].map(column => [...column])).to.deep.equal(before);
    for (const size of [1, 7, 49]) {
      expect(await rowsOf(scaledSamples(rebatched(batch, size), box))).to.deep.equal(whole);
    }
  });

  it('refuses batches that do not hold the rows and features they speak of', async () => {
    const good = batchOf([
      { x: [1, 2], y: 3 },
      { x: [1, 2], y: 3 },
    ]);
    const short = { ...good, columns: [good.columns[0]!, good.columns[1]!.subarray(0, 1)] };
    const narrow = { ...good, columns: good.columns.slice(1) };
    for (const [batch, text] of [
      [short, 'the length of batch.columns[1] must be at least batch.rows = 2, got 1'],
      [narrow, 'the length of batch.columns must be 2, got 1'],
    ] as const) {
      const samples = { ...samplesOf(batch), features: 2 };
      const read = async (): Promise<void> => {
        for await (const _ of scaledSamples(samples, box).batches()) expect.fail('rows were given');
      };
      expect(await read().catch((error: Error) => error.message)).to.equal(text);
    }
  });
});
