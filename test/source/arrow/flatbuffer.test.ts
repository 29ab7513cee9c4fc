import { expect } from 'chai';
import fc from 'fast-check';
import { DataError, dataError } from '../../../src/errors.ts';
import { type FlatTable, flatbuffer } from '../../../src/source/arrow/flatbuffer.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';
import { flatbufferOf, type Members } from '../../support/arrowFlatbuffer.ts';

const read = (bytes: Uint8Array): FlatTable => flatbuffer(bytes, problem => dataError({ table: 't' }, problem));

describe('flatbuffer', () => {
  it('reads every kind of member, and the default of an absent one', () => {
    const table = read(
      flatbufferOf({
        0: { byte: 200 },
        1: { short: -5 },
        2: { int: -70000 },
        3: { long: -(2n ** 53n) + 1n },
        4: { string: 'Straße' },
        5: { table: { 0: { byte: 1 } } },
        6: { tables: [{ 0: { int: 1 } }, {}, { 0: { int: 3 } }] },
        7: {
          structs: [
            [1n, -2n],
            [3n, 2n ** 40n],
          ],
        },
      }),
    );
    expect(table.byte(0)).to.equal(200);
    expect(table.short(1)).to.equal(-5);
    expect(table.int(2)).to.equal(-70000);
    expect(table.long(3)).to.equal(-(2 ** 53) + 1);
    expect(table.string(4)).to.equal('Straße');
    expect(table.table(5)!.bool(0)).to.equal(true);
    expect(table.tables(6).map(entry => entry.int(0))).to.deep.equal([1, 0, 3]);
    const structs = table.structs(7, 16);
    expect([structs.count, structs.long(0, 8), structs.int(1, 0), structs.long(1, 8)]).to.deep.equal([
      2,
      -2,
      3,
      2 ** 40,
    ]);
    expect(() => structs.int(2, 0)).to.throw(DataError);

    expect([table.bool(9), table.byte(9), table.short(9, 7), table.int(9), table.long(9)]).to.deep.equal([
      false,
      0,
      7,
      0,
      0,
    ]);
    expect([table.string(9), table.table(9), table.tables(9)]).to.deep.equal(['', undefined, []]);
    expect(table.structs(9, 16).count).to.equal(0);
  });

  it('refuses numbers beyond 2^53 and names that are not UTF-8', () => {
    expect(() => read(flatbufferOf({ 0: { long: 2n ** 53n } })).long(0)).to.throw(DataError, '9007199254740992');
    const bytes = flatbufferOf({ 0: { string: 'abc' } });
    bytes[Buffer.from(bytes).indexOf('abc')] = 0xff;
    expect(() => read(bytes).string(0)).to.throw(DataError, 'UTF-8');
  });

  it('refuses tables that refer to the same tables over and over', () => {
    const count = (table: FlatTable): number => table.tables(0).reduce((sum, child) => sum + count(child), 1);
    const nested = (depth: number): Members => (depth === 0 ? {} : { 0: { same: nested(depth - 1), times: 8 } });
    expect(count(read(flatbufferOf({ 0: { tables: [{}, {}] } })))).to.equal(3);
    // 8^20 visits of 21 tables.
    expect(() => count(read(flatbufferOf(nested(20))))).to.throw(DataError, 'nested endlessly');
  });

  it('refuses tables nested beyond 64 levels', () => {
    const nested = (depth: number): Members => (depth === 0 ? {} : { 0: { table: nested(depth - 1) } });
    const depth = (table: FlatTable | undefined): number => (table === undefined ? -1 : 1 + depth(table.table(0)));
    expect(depth(read(flatbufferOf(nested(64))))).to.equal(64);
    expect(() => depth(read(flatbufferOf(nested(65))))).to.throw(DataError);
  });

  it('ends with a DataError or a value on any bytes', () => {
    const visit = (table: FlatTable, depth = 0): void => {
      if (depth > 3) return;
      for (let member = 0; member < 4; member++) {
        const readers = [
          () => table.long(member),
          () => table.string(member),
          () => table.structs(member, 24).long(0, 16),
          () => table.tables(member).map(child => visit(child, depth + 1)),
          () => table.table(member) && visit(table.table(member)!, depth + 1),
        ];
        for (const reader of readers) onlyDataErrors(reader);
      }
    };
    const small = fc.array(fc.constantFrom(0, 0, 0, 1, 4, 8, 12, 16, 252, 255), { maxLength: 200 });
    holdsForAll(
      fc.property(small, numbers => {
        const bytes = Uint8Array.from(numbers);
        onlyDataErrors(() => visit(read(bytes)));
      }),
    );
  });
});

function onlyDataErrors(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
  }
}
