import { expect } from 'chai';
import { unitKey, unitTable } from '../../../src/sample/transform/unitTable.ts';

const key = new Uint8Array(32).fill(1);

describe('unitTable', () => {
  it('lets a unit have so many rows in a chunk and so many for life, and no more after a restart', () => {
    let table = unitTable({ key, perChunk: 2, most: 3 });
    expect([1, 2, 3].map(() => table.take('ann'))).to.deep.equal([true, true, false]);
    const pending = table.pending();
    table.commit();
    table = unitTable({ key, perChunk: 2, most: 3, saved: pending });
    expect([1, 2].map(() => table.take('ann'))).to.deep.equal([true, false]);
    expect(table.take('bob')).to.equal(true);
    table.commit();
    const saved = table.save();
    expect(saved).to.have.length(24);
    table = unitTable({ key, perChunk: 2, most: 3, saved });
    expect(table.take('ann')).to.equal(false);
    expect([1, 2, 3].map(() => table.take('bob'))).to.deep.equal([true, true, false]);
  });

  it('forgets the counts of a chunk that was not committed', () => {
    const table = unitTable({ key, most: 1 });
    expect(table.take(7)).to.equal(true);
    expect(unitTable({ key, most: 1, saved: table.save() }).take(7)).to.equal(true);
  });

  it('takes a number and its text for the same unit, and none for a number that may have been rounded', () => {
    const table = unitTable({ key, most: 1 });
    expect(table.take(7)).to.equal(true);
    expect(table.take('7')).to.equal(false);
    for (const unit of [NaN, 0.5, 2 ** 53, Infinity, '']) expect(table.take(unit)).to.equal(false);
  });

  for (const [units, tag] of [
    [10_000, ''],
    [100_000, ' @slow'],
  ] as const) {
    it(`counts ${units} units exactly${tag}`, () => {
      const table = unitTable({ key, most: 2 });
      for (const expected of [true, true, false]) {
        let asExpected = 0;
        for (let unit = 0; unit < units; unit++) if (table.take(unit) === expected) asExpected++;
        expect(asExpected).to.equal(units);
        table.commit();
      }
      expect(table.save()).to.have.length(12 * units);
    });
  }

  it('stores nothing by which someone without the key could tell a unit', () => {
    const records = [key, unitKey()].map(of => {
      const table = unitTable({ key: of, most: 1 });
      table.take('ann');
      return Buffer.from(table.pending()).toString('hex');
    });
    expect(records[0]).not.to.equal(records[1]);
    expect(unitKey()).to.have.length(32);
  });

  it('is HMAC-SHA-256, as RFC 4231 has it', () => {
    // Test case 2 of the RFC has the key "Jefe", which is too short here; case 1 has 20 bytes of 0x0b.
    const table = unitTable({ key: new Uint8Array(20).fill(0x0b), most: 1 });
    table.take('Hi There');
    expect(Buffer.from(table.pending().subarray(0, 8)).toString('hex')).to.equal('b0344c61d8db3853');
  });
});
