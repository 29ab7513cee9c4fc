import { expect } from 'chai';
import fc from 'fast-check';
import { tailOf, timeType } from '../../../src/source/table/numberType.ts';
import { holdsForAll } from '../../laws/holdsForAll.ts';

const seconds = (count: bigint, perSecond: number): number => {
  const out = new Float64Array(BigInt64Array.of(count).buffer);
  timeType(8, { perSecond }).widen(tailOf(out, 8), out);
  return out[0]!;
};

describe('timeType', () => {
  it('gives the nearest double to a count of nanoseconds, which the decimal also has', () => {
    holdsForAll(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), count => {
        expect(seconds(count, 1e9)).to.equal(Number(`${count}e-9`));
      }),
    );
  });

  it('has with its rest every digit of a count', () => {
    const { rest } = timeType(8, { perSecond: 1e9 });
    holdsForAll(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), count => {
        const out = new Float64Array(BigInt64Array.of(count).buffer);
        rest!(tailOf(out, 8), out);
        const nearest = seconds(count, 1e9);
        const whole = Math.floor(nearest);
        const nanoseconds = Math.round((nearest - whole + out[0]!) * 1e9);
        expect(BigInt(whole) * 1000000000n + BigInt(nanoseconds)).to.equal(count);
      }),
    );
  });

  it('gives the same seconds for an instant in any unit', () => {
    holdsForAll(
      fc.property(fc.bigInt(-(2n ** 43n), 2n ** 43n), milliseconds => {
        const expected = Number(milliseconds) / 1000;
        expect(seconds(milliseconds, 1e3)).to.equal(expected);
        expect(seconds(milliseconds * 1000n, 1e6)).to.equal(expected);
        if (milliseconds ** 2n < 2n ** 84n) expect(seconds(milliseconds * 1000000n, 1e9)).to.equal(expected);
      }),
    );
  });

  it('reads counts of 32 bits, and days', () => {
    const out = new Float64Array(2);
    new Int32Array(out.buffer).set([-5, 19000], 2);
    timeType(4, { seconds: 86400 }).widen(tailOf(out, 4), out);
    expect([...out]).to.deep.equal([-432000, 1641600000]);
  });
});
