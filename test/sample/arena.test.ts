import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { arenaOf, columnArena } from '../../src/sample/arena.ts';
import { holdsForAll } from '../laws/holdsForAll.ts';
import { refusesBad } from '../support/badArguments.ts';

const shapes = fc.record({
  features: fc.integer({ min: 1, max: 40 }),
  capacity: fc.integer({ min: 1, max: 3000 }),
  slots: fc.integer({ min: 1, max: 3 }),
  weights: fc.boolean(),
});

const columnsOf = ({ slots }: ReturnType<typeof columnArena>): Float64Array[] =>
  slots.flatMap(({ columns, target, weights }) => [...columns, target, ...(weights.length > 0 ? [weights] : [])]);

describe('columnArena', () => {
  it('has the columns asked for, of the rows asked for, all zero', () => {
    const { slots, features, capacity } = columnArena({ features: 3, capacity: 10, slots: 2, weights: true });
    expect({ features, capacity }).to.deep.equal({ features: 3, capacity: 10 });
    expect(slots).to.have.length(2);
    for (const { columns, target, weights } of slots) {
      expect(columns).to.have.length(3);
      for (const column of [...columns, target, weights]) expect(column).to.deep.equal(new Float64Array(10));
    }
  });

  it('has two slots and no weights unless told', () => {
    const { slots } = columnArena({ features: 1, capacity: 1 });
    expect(slots).to.have.length(2);
    expect(slots[0]!.weights).to.have.length(0);
  });

  it('keeps columns apart, above the kernel, on cache lines of different places in a page, and off the last 8 bytes', () => {
    holdsForAll(
      fc.property(shapes, shape => {
        const arena = columnArena(shape);
        const { buffer } = arena.memory;
        let end = arena.region.bytes;
        let place = -1;
        for (const column of columnsOf(arena)) {
          expect(column.buffer).to.equal(buffer);
          expect(column.byteOffset).to.be.at.least(end);
          expect(column.byteOffset % 64).to.equal(0);
          expect(column.byteOffset % 4096).not.to.equal(place);
          end = column.byteOffset + column.byteLength;
          place = column.byteOffset % 4096;
        }
        expect(end + 8).to.be.at.most(buffer.byteLength);
      }),
    );
  });

  it('is shared memory that cannot grow', () => {
    const { memory } = columnArena({ features: 2, capacity: 5 });
    expect(memory.buffer).to.be.instanceOf(SharedArrayBuffer);
    expect(() => (memory as unknown as { grow(pages: number): void }).grow(1)).to.throw(RangeError);
  });

  it('is found again by any view of its columns, and by no other array', () => {
    const arena = columnArena({ features: 2, capacity: 5 });
    expect(arenaOf(arena.slots[1]!.columns[1]!.subarray(2, 3))).to.equal(arena);
    expect(arenaOf(new Float64Array(5))).to.equal(undefined);
    expect(arenaOf(new Float64Array(new SharedArrayBuffer(40)))).to.equal(undefined);
  });

  it('refuses sizes that are no counts, or more than WebAssembly can address', () => {
    refusesBad(
      columnArena,
      { features: 2, capacity: 5, slots: 1 },
      {
        features: 'count',
        capacity: 'count',
        slots: 'count',
      },
    );
    expect(() => columnArena({ features: 20, capacity: 2 ** 25, slots: 1 })).to.throw(
      ArgumentError,
      'capacity must fit 1 slots of 21 columns into 4 GiB, got 33554432',
    );
  });
});
