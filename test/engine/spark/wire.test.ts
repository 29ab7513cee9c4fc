import { expect } from 'chai';
import fc from 'fast-check';
import { bytesIn, decoded, encoded, numberIn, textIn } from '../../../src/engine/spark/wire.ts';

describe('the wire format of Protocol Buffers', () => {
  it('is that of the examples in its specification', () => {
    expect(encoded([[1, 150]]).toString('hex')).to.equal('089601');
    expect(encoded([[2, 'testing']]).toString('hex')).to.equal('120774657374696e67');
    expect(encoded([[3, [[1, 150]]]]).toString('hex')).to.equal('1a03089601');
  });

  it('reads what it writes, in any order and with fields that nobody asks for', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(
        fc.nat(Number.MAX_SAFE_INTEGER),
        text,
        fc.uint8Array(),
        fc.integer({ min: 4, max: 2000 }),
        (number, word, bytes, other) => {
          const message = decoded(
            encoded([
              [other, 'later'],
              [3, bytes],
              [1, number],
              [2, word],
              [3, [[1, 7]]],
            ]),
          );
          expect(numberIn(message, 1)).to.equal(number);
          expect(textIn(message, 2)).to.equal(word);
          expect(bytesIn(message, 3).map(each => [...each])).to.deep.equal([[...bytes], [8, 7]]);
        },
      ),
    );
  });

  it('passes over fixed numbers, and refuses a message that is cut off', () => {
    const fixed = Buffer.from('0d01000000110200000000000000080a', 'hex');
    expect(numberIn(decoded(fixed), 1)).to.equal(10);
    for (const cut of ['08', '1205616263', '0d0102'])
      expect(() => decoded(Buffer.from(cut, 'hex')), cut).to.throw(/cut off|ends within/);
  });
});
