import { expect } from 'chai';
import fc from 'fast-check';
import { cellGrams, cellGramsFit, LARGEST_GRAM_BYTES } from '../../../src/engine/kernel/cellGrams.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { uniform } from '../../../src/math/random/random.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { rowsBetween, type SampleBatch, sampleBatch } from '../../../src/sample/sampleBatch.ts';
import { casesOf } from '../../laws/holdsForAll.ts';
import { inArena } from './inArena.ts';

const NONE = 2 ** 32 - 1;

function randomBatch(rows: number, features: number, weighted: boolean): SampleBatch {
  const random = seeded(`${rows} ${features}`, 'cells');
  const column = (): Float64Array => Float64Array.from({ length: rows }, () => normal(random));
  const batch = sampleBatch(Array.from({ length: features }, column), column());
  return weighted ? { ...batch, weights: column().map(value => Math.max(0, value)) } : batch;
}

/** Each row in one of the cells, or in none of them. */
function randomCells(rows: number, cells: number): Uint32Array {
  const random = seeded(`${rows} ${cells}`, 'owners');
  return Uint32Array.from({ length: rows }, () => {
    const cell = Math.floor(uniform(random) * (cells + 1));
    return cell === cells ? NONE : cell;
  });
}

/** By the definition: sum of w (x.theta - y) x, and of the sizes of its terms. */
function plainly(batch: SampleBatch, cell: Uint32Array, own: number, at: Float64Array): [number, number][] {
  const { rows, columns, target, weights } = batch;
  const sums = Array.from(at, (): [number, number] => [0, 0]);
  for (let i = 0; i < rows; i++) {
    if (cell[i] !== own) continue;
    const x = Array.from(at, (_, j) => columns[j]?.[i] ?? 1);
    const weight = weights?.[i] ?? 1;
    const residual = x.reduce((sum, value, j) => sum + value * at[j]!, -target[i]!);
    const size = x.reduce((sum, value, j) => sum + Math.abs(value * at[j]!), Math.abs(target[i]!));
    sums.forEach((sum, j) => {
      sum[0] += weight * residual * x[j]!;
      sum[1] += weight * size * (Math.abs(x[j]!) + 1);
    });
  }
  return sums;
}

describe('cellGrams', () => {
  it('keeps the digits of columns far from 0 though the first rows of a file do not count', () => {
    const rows = 6000;
    const random = seeded(1, 'late');
    const offset = 1e7;
    const x = Float64Array.from({ length: rows }, (_, i) => (i < 3000 ? 0 : offset + normal(random)));
    const target = x.map(value => (value === 0 ? 0 : value - offset));
    const weights = x.map(value => (value === 0 ? 0 : 1));
    const grams = cellGrams({ features: 1, cells: 1 });
    grams.add({ rows, columns: [x], target, weights }, new Uint32Array(rows));
    // y = x - offset, so that the residual is 0 in every row.
    const [slope, level] = grams.sumsAt(Float64Array.of(1, -offset), 0, 1);
    expect(Math.abs(slope!)).to.be.below(1e-3);
    expect(Math.abs(level!)).to.be.below(1e-6);
    grams.close();
  });

  it('gives the sums of gradients of every cell at every point, for any features, weights and intercept', () => {
    const cases = fc.record({
      features: fc.integer({ min: 1, max: 33 }),
      cells: fc.integer({ min: 1, max: 40 }),
      rows: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 3000 })),
      intercept: fc.boolean(),
      weighted: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ features, cells, rows, intercept, weighted }) => {
        const batch = randomBatch(rows, features, weighted);
        const cell = randomCells(rows, cells);
        const grams = cellGrams({ features, cells });
        grams.add(batch, cell);
        const size = intercept ? features + 1 : features;
        for (const scale of [0, 1, 100]) {
          const at = Float64Array.from({ length: size }, (_, j) => scale * Math.sin(j + 1));
          const sums = grams.sumsAt(at, 0, cells);
          expect(sums).to.have.length(cells * size);
          for (let own = 0; own < cells; own++) {
            plainly(batch, cell, own, at).forEach(([sum, terms], j) => {
              expect(sums[own * size + j]).to.be.closeTo(sum, 1e-13 * terms);
            });
          }
          expect([...grams.sumsAt(at, 1, cells - 1)]).to.deep.equal([...sums.subarray(size)]);
        }
      }),
      { seed: 11, numRuns: casesOf(60) },
    );
  });

  it('gives the same bits for any cut into batches, in an arena or not', () => {
    const rows = 3000;
    const cell = randomCells(rows, 7);
    const at = Float64Array.of(1, -2, 3, 4);
    for (const weighted of [false, true]) {
      const batch = randomBatch(rows, 3, weighted);
      const whole = cellGrams({ features: 3, cells: 7 });
      whole.add(batch, cell);
      const expected = [...whole.sumsAt(at, 0, 7)];
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: rows }), { maxLength: 6 }), fc.boolean(), (cuts, near) => {
          const edges = [0, ...cuts.sort((a, b) => a - b), rows];
          const source = near ? inArena(batch) : batch;
          const pieces = cellGrams({ features: 3, cells: 7 });
          for (let k = 1; k < edges.length; k++) {
            const [start, end] = [edges[k - 1]!, edges[k]!];
            pieces.add(rowsBetween(source, start, end), cell.subarray(start, end));
          }
          expect([...pieces.sumsAt(at, 0, 7)]).to.deep.equal(expected);
        }),
        { seed: 12, numRuns: casesOf(40) },
      );
    }
  });

  it('takes weights of 1 and no weights for the same', () => {
    const batch = randomBatch(2000, 2, false);
    const cell = randomCells(2000, 3);
    const [plain, weighted] = [cellGrams({ features: 2, cells: 3 }), cellGrams({ features: 2, cells: 3 })];
    plain.add(batch, cell);
    weighted.add({ ...batch, weights: new Float64Array(2000).fill(1) }, cell);
    const at = Float64Array.of(1, 2, 3);
    expect([...weighted.sumsAt(at, 0, 3)]).to.deep.equal([...plain.sumsAt(at, 0, 3)]);
  });

  it('loses no digit to an offset, though a far row stands among the first and rows without weight do too', () => {
    const rows = 4000;
    const offset = 1e8;
    const x = Float64Array.from({ length: rows }, (_, i) => offset + ((i * 7) % 5));
    const y = x.map((value, i) => 3 * (value - offset) + (i % 3) - 1);
    const weights = new Float64Array(rows).fill(1);
    for (let i = 0; i < 1024; i += 2) {
      weights[i] = 0;
      x[i] = 0;
      y[i] = 0;
    }
    x[1] = 1e15;
    const cell = Uint32Array.from({ length: rows }, (_, i) => (i === 1 ? 0 : 1));
    const grams = cellGrams({ features: 1, cells: 2 });
    grams.add({ rows, columns: [x], target: y, weights }, cell);
    const at = Float64Array.of(3, -3 * offset);
    // Whole numbers throughout, of which every sum below is one that a double holds.
    const exact = plainly({ rows, columns: [x], target: y, weights }, cell, 1, at).map(([sum]) => sum);
    expect([...grams.sumsAt(at, 1, 1)]).to.deep.equal(exact);
    expect(exact[0]).to.not.equal(0);
  });

  it('says when its cells fit, the rows they hold included', () => {
    expect(cellGramsFit({ size: 33, intercept: false, cells: 1000 })).to.equal(true);
    expect(cellGramsFit({ size: 34, intercept: true, cells: 1 })).to.equal(false);
    for (const size of [1, 2, 21, 33]) {
      const most = Array.from({ length: 24 }, (_, k) => 2 ** k).findLast(cells =>
        cellGramsFit({ size, intercept: false, cells }),
      )!;
      // The moments of (x, y, 1), one half and the diagonal, and eight rows.
      expect(most * 8 * (((size + 2) * (size + 3)) / 2 + 8 * (size + 2))).to.be.at.most(LARGEST_GRAM_BYTES);
    }
  });

  it('counts features alone, whether theta has an intercept or not', () => {
    for (const features of [1, 2, 3, 20, 32]) {
      for (let cells = 2000; cells < 2 ** 20; cells = Math.ceil(1.01 * cells)) {
        expect(cellGramsFit({ size: features + 1, intercept: true, cells })).to.equal(
          cellGramsFit({ size: features, intercept: false, cells }),
        );
      }
    }
  });

  it('refuses no features, no cells, rows of another size, and cells it has not', () => {
    expect(() => cellGrams({ features: 0, cells: 1 })).to.throw('features must');
    expect(() => cellGrams({ features: 1, cells: 0 })).to.throw('cells must');
    const grams = cellGrams({ features: 2, cells: 3 });
    expect(() => grams.add(randomBatch(5, 1, false), new Uint32Array(5))).to.throw('batch.columns');
    expect(() => grams.add(randomBatch(5, 2, false), new Uint32Array(4))).to.throw('the length of cell');
    expect(() => grams.sumsAt(new Float64Array(4), 0, 1)).to.throw('the length of at');
    expect(() => grams.sumsAt(new Float64Array(2), 2, 2)).to.throw('first + count');
  });
});
