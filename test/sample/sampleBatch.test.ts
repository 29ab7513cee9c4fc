import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { filled } from '../../src/math/vector.ts';
import { requireBatch, rowsBetween, type SampleBatch, sampleBatch } from '../../src/sample/sampleBatch.ts';

const columns = [Float64Array.of(1, 2, 3, 4), Float64Array.of(10, 20, 30, 40)];
const target = Float64Array.of(5, 6, 7, 8);

describe('sampleBatch', () => {
  it('is made of the columns themselves', () => {
    const batch = sampleBatch(columns, target);
    expect(batch.rows).to.equal(4);
    expect(batch.columns[1]).to.equal(columns[1]);
    expect(batch.target).to.equal(target);
  });

  it('may be of no rows', () => {
    expect(sampleBatch([new Float64Array(0)], new Float64Array(0)).rows).to.equal(0);
  });

  it('refuses columns of another length or type, and no columns, by name', () => {
    const make = (columns: unknown, target: unknown) => () =>
      sampleBatch(columns as Float64Array[], target as Float64Array);
    expect(make([columns[0], filled(3, 0)], target)).to.throw(
      ArgumentError,
      'the length of columns[1] must be 4, got 3',
    );
    expect(make([columns[0], [1, 2, 3, 4]], target)).to.throw(
      ArgumentError,
      'columns[1] must be a Float64Array, got [1, 2, 3, 4]',
    );
    expect(make(columns, Float32Array.of(1))).to.throw(ArgumentError, 'target must be a Float64Array, got [1]');
    expect(make([], target)).to.throw(ArgumentError, 'columns must hold at least one feature, got []');
  });
});

describe('rowsBetween', () => {
  const batch = sampleBatch(columns, target);

  it('is a view of the rows from start up to end', () => {
    const middle = rowsBetween(batch, 1, 3);
    expect(middle.rows).to.equal(2);
    expect(middle.columns).to.deep.equal([Float64Array.of(2, 3), Float64Array.of(20, 30)]);
    expect(middle.target).to.deep.equal(Float64Array.of(6, 7));
    expect(middle.target.buffer).to.equal(target.buffer);
    expect(middle.columns[1]!.buffer).to.equal(columns[1]!.buffer);
  });

  it('takes the rows of a part by their place in the part', () => {
    expect(rowsBetween(rowsBetween(batch, 1, 4), 1, 3).target).to.deep.equal(Float64Array.of(7, 8));
  });

  it('takes the weights along where there are any', () => {
    expect(rowsBetween(batch, 1, 3)).not.to.have.property('weights');
    const weighted = { ...batch, weights: Float64Array.of(1, 0, 1, 2) };
    expect(rowsBetween(weighted, 1, 3).weights).to.deep.equal(Float64Array.of(0, 1));
  });

  it('takes all rows, and none', () => {
    expect(rowsBetween(batch, 0, 4).target).to.deep.equal(target);
    expect(rowsBetween(batch, 4, 4).rows).to.equal(0);
  });

  it('refuses rows that are not there, by name', () => {
    const bad: [start: number, end: number, message: string][] = [
      [-1, 2, 'start must be a whole number from 0 to 4, got -1'],
      [5, 5, 'start must be a whole number from 0 to 4, got 5'],
      [2, 1, 'end must be a whole number from 2 to 4, got 1'],
      [0, 5, 'end must be a whole number from 0 to 4, got 5'],
      [0.5, 2, 'start must be a whole number from 0 to 4, got 0.5'],
      [0, NaN, 'end must be a whole number from 0 to 4, got NaN'],
    ];
    for (const [start, end, message] of bad) {
      expect(() => rowsBetween(batch, start, end)).to.throw(ArgumentError, message);
    }
  });
});

describe('requireBatch', () => {
  const batch: SampleBatch = { rows: 3, columns, target };

  it('returns a batch of so many features, whose memory may hold more than its rows', () => {
    expect(requireBatch(batch, 2)).to.equal(batch);
  });

  it('refuses other features, and memory that ends before the rows do, by name', () => {
    expect(() => requireBatch(batch, 3)).to.throw(ArgumentError, 'the length of batch.columns must be 3, got 2');
    for (const [part, name] of [
      [{ columns: [columns[0]!, filled(2, 0)] }, 'columns[1]'],
      [{ target: filled(2, 0) }, 'target'],
      [{ weights: filled(2, 0) }, 'weights'],
    ] as const) {
      expect(() => requireBatch({ ...batch, ...part }, 2)).to.throw(
        ArgumentError,
        `the length of batch.${name} must be at least batch.rows = 3, got 2`,
      );
    }
    for (const rows of [-1, 1.5, NaN]) {
      expect(() => requireBatch({ ...batch, rows }, 2)).to.throw(
        ArgumentError,
        `batch.rows must be a whole number of at least 0, got ${rows}`,
      );
    }
  });
});
