import { expect } from 'chai';
import { keepRows, worseThanStart } from '../../../../src/inference/diagnostics/run/worseThanStart.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { pseudoHuber } from '../../../../src/method/loss/pseudoHuber.ts';
import { ridge } from '../../../../src/method/loss/ridge.ts';
import { squared } from '../../../../src/method/loss/squared.ts';
import { type SampleBatch, sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const random = seeded('worseThanStart', 'rows');
const x = Float64Array.from({ length: 3000 }, () => normal(random));
const rows = sampleBatch(
  [x],
  x.map(value => 3 * value + 1 + normal(random)),
);
const loss = pseudoHuber(1);
const [answer, start] = [Float64Array.of(3, 1), Float64Array.of(0, 0)];

describe('worseThanStart', () => {
  it('is true of an end with a larger loss than the start, and of none that is nearer the answer', () => {
    expect(worseThanStart(rows, { loss, start, end: answer })).to.equal(false);
    expect(worseThanStart(rows, { loss, start: answer, end: start })).to.equal(true);
    expect(worseThanStart(rows, { loss, start, end: Float64Array.of(900, -400) })).to.equal(true);
    expect(worseThanStart(rows, { loss, start, end: start })).to.equal(false);
  });

  it('is true of coefficients that overflow', () => {
    const end = Float64Array.of(1e200, 0);
    expect(worseThanStart(rows, { loss: squared(), start, end })).to.equal(true);
    expect(worseThanStart(rows, { loss, start, end: Float64Array.of(NaN, NaN) })).to.equal(true);
  });

  it('counts a ridge penalty, which may draw coefficients away from a start that suits the rows better', () => {
    const end = Float64Array.of(0.01, 0.01);
    expect(worseThanStart(rows, { loss: ridge(loss, 100), start: answer, end })).to.equal(false);
  });

  it('leaves out rows that do not count', () => {
    const weights = x.map((_, i) => (i === 0 ? 0 : 1));
    const wild = { ...rows, target: rows.target.map((y, i) => (i === 0 ? NaN : y)), weights };
    expect(worseThanStart(wild, { loss, start, end: answer })).to.equal(false);
    expect(worseThanStart(wild, { loss, start: answer, end: start })).to.equal(true);
  });
});

describe('keepRows', () => {
  it('copies rows of the last chunk only, 2,000 at most, and passes all of them on', async () => {
    const { keep, found } = keepRows(1);
    const chunkOf = (index: number, batches: readonly SampleBatch[]) => ({
      index,
      rows: 3000,
      release: async () => {},
      batches: (async function* () {
        yield* batches;
      })(),
    });
    const first = chunkOf(0, [rows]);
    expect(keep(first)).to.equal(first);
    let passed = 0;
    for await (const batch of keep(chunkOf(1, [rows])).batches) passed += batch.rows;
    expect(passed).to.equal(3000);
    expect(found()!.rows).to.equal(2000);
    expect(found()!.columns[0]).to.deep.equal(x.slice(0, 2000));
    expect(found()!.columns[0]!.buffer).to.not.equal(x.buffer);
  });
});
