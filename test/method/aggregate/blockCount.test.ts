import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/errors.ts';
import { blockCount, blockLayout, PSI } from '../../../src/method/aggregate/blockCount.ts';
import { holdsForAll, uniform } from '../../laws/holdsForAll.ts';

const { psi_7_18, cases }: { psi_7_18: string; cases: { zeta: number; b: number; n_min: number }[] } = JSON.parse(
  readFileSync(new URL('../../vectors/privacy.json', import.meta.url), 'utf8'),
).buckets;

describe('blockCount', () => {
  it('divides by psi(7/18)', () => {
    expect(PSI).to.be.closeTo(Number(psi_7_18), 1e-15);
  });

  it('agrees with every case of the table', () => {
    expect(cases).to.have.length.of.at.least(14);
    for (const { zeta, b } of cases) expect(blockCount(zeta)).to.equal(b);
  });

  it("has the paper's 8 blocks at 0.1 and 16 at 0.01", () => {
    expect([blockCount(0.1), blockCount(0.01)]).to.deep.equal([8, 16]);
  });

  it('is the least b with exp(-b psi) < zeta, for all zeta down to 1e-300', () => {
    holdsForAll(
      fc.property(uniform(-300, -1e-6), exponent => {
        const zeta = 10 ** exponent;
        const b = blockCount(zeta);
        expect(b * PSI).to.be.above(-Math.log(zeta));
        expect((b - 1) * PSI).to.be.at.most(-Math.log(zeta));
      }),
    );
  });

  it('refuses what is no probability, by name', () => {
    for (const bad of [0, 1, -0.1, 1.5, NaN, Infinity]) {
      expect(() => blockCount(bad)).to.throw(ArgumentError, `failureProbability must be in (0, 1), got ${bad}`);
    }
  });
});

describe('blockLayout', () => {
  it('cuts rows into equal blocks and counts what is left over', () => {
    expect(blockLayout(10, 3)).to.deep.equal({ blocks: 3, rowsPerBlock: 3, leftOver: 1 });
    expect(blockLayout(10, 5)).to.deep.equal({ blocks: 5, rowsPerBlock: 2, leftOver: 0 });
    expect(blockLayout(7, 7)).to.deep.equal({ blocks: 7, rowsPerBlock: 1, leftOver: 0 });
    expect(blockLayout(1, 1)).to.deep.equal({ blocks: 1, rowsPerBlock: 1, leftOver: 0 });
  });

  it('loses no row: blocks and left-over rows add up, and the left-over would not fill the blocks', () => {
    holdsForAll(
      fc.property(fc.integer({ min: 1, max: 1e9 }), uniform(0, 1), (rows, share) => {
        const { blocks, rowsPerBlock, leftOver } = blockLayout(rows, 1 + Math.floor(share * (rows - 1)));
        expect(blocks * rowsPerBlock + leftOver).to.equal(rows);
        expect(leftOver).to.be.within(0, blocks - 1);
      }),
    );
  });

  it('refuses more blocks than rows, and counts that are none', () => {
    expect(() => blockLayout(3, 4)).to.throw(ArgumentError, 'blocks must be a whole number from 1 to 3, got 4');
    for (const bad of [0, -1, 1.5, NaN, Infinity]) {
      expect(() => blockLayout(3, bad)).to.throw(ArgumentError, `got ${bad}`);
      expect(() => blockLayout(bad, 1)).to.throw(ArgumentError, `rows must be a whole number`);
    }
  });
});
