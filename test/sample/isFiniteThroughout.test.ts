import { expect } from 'chai';
import { columnArena } from '../../src/sample/arena.ts';
import { isFiniteThroughout } from '../../src/sample/isFiniteThroughout.ts';

describe('isFiniteThroughout', () => {
  const usual = [0, -0, 1, -1e308, Number.MAX_VALUE, Number.MIN_VALUE, -5e-310, Math.PI];
  const arena = columnArena({ features: 1, capacity: 100, slots: 1 });
  const memories: Readonly<Record<string, (length: number) => Float64Array>> = {
    'an arena': length => arena.slots[0]!.columns[0]!.subarray(1, 1 + length),
    'other memory': length => new Float64Array(length),
  };

  for (const [where, columnOf] of Object.entries(memories)) {
    it(`finds every NaN and infinity in ${where}, at any place of any length`, () => {
      for (let length = 0; length <= 40; length++) {
        const column = columnOf(length);
        column.forEach((_, i) => {
          column[i] = usual[i % usual.length]!;
        });
        expect(isFiniteThroughout(column)).to.equal(true);
        for (let i = 0; i < length; i++) {
          for (const odd of [NaN, Infinity, -Infinity]) {
            const before = column[i]!;
            column[i] = odd;
            expect(isFiniteThroughout(column)).to.equal(false);
            column[i] = before;
          }
        }
      }
    });
  }
});
