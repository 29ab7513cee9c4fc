import { expect } from 'chai';
import { codedRows } from '../../../../src/inference/diagnostics/columns/missingCodes.ts';
import { tukey } from '../../../../src/method/loss/tukey.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

const rows = 100;
const weights = new Float64Array(rows).fill(1);
/** The first ten have a code. */
const column = Float64Array.from({ length: rows }, (_, i) => (i < 10 ? 999 : i));
const batch = sampleBatch([column], new Float64Array(rows));
const codes = [{ column: 0, value: 999, share: 0.1 }];

describe('codedRows', () => {
  it('tells far rows without a code from those with one', () => {
    const residuals = Float64Array.from({ length: rows }, (_, i) => (i < 15 ? 50 : 1));
    const options = { codes, redescending: { loss: tukey(10), residuals }, limit: 6, weights };
    expect(codedRows(batch, residuals, options)).to.deep.equal({
      uncodedOutlierShare: 0.05,
      uncodedWeightlessShare: 0.05,
      rejectedCodes: [0],
    });
    expect(codedRows(batch, residuals, { ...options, codes: [] }).uncodedOutlierShare).to.equal(0.15);
  });

  it('says that rows with a code count where they are near, or where the loss leaves none out', () => {
    const near = new Float64Array(rows).fill(1);
    const far = new Float64Array(rows).fill(50);
    const options = { codes, limit: 6, weights };
    const redescending = { loss: tukey(10), residuals: near };
    expect(codedRows(batch, near, { ...options, redescending }).rejectedCodes).to.deep.equal([]);
    expect(codedRows(batch, far, { ...options, redescending: null }).rejectedCodes).to.deep.equal([]);
  });
});
