import { expect } from 'chai';
import fc from 'fast-check';
import { fromText, toText } from '../../src/math/plainData.ts';

describe('plain data as a text', () => {
  it('comes back to the last bit, whatever the numbers', () => {
    const numbers = fc.double();
    const data = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 4 },
        numbers,
        fc.boolean(),
        fc.constant(null),
        fc.string(),
        fc.array(numbers).map(values => Float64Array.from(values)),
        fc.array(tie('value')),
        fc.dictionary(
          fc.string().filter(name => !name.startsWith('$')),
          tie('value'),
        ),
      ),
    })).value;
    fc.assert(
      fc.property(data, value => {
        const text = toText(value);
        const back = fromText(text);
        expect(toText(back)).to.equal(text);
        if (typeof value === 'number') expect(Object.is(back, value)).to.equal(true);
        if (value instanceof Float64Array)
          expect(value.every((number, i) => Object.is(number, (back as Float64Array)[i]))).to.equal(true);
      }),
      { seed: 1 },
    );
    expect(fromText(toText({ a: [-0, Infinity, NaN], b: undefined }))).to.deep.equal({ a: [-0, Infinity, NaN] });
  });

  it('refuses what is not plain data, and names that it uses itself', () => {
    expect(() => toText({ a: () => 1 })).to.throw('plain data must be numbers');
    expect(() => toText(new Map())).to.throw('plain data must be numbers');
    expect(() => toText({ $a: 1 })).to.throw('must not begin with $, got $a');
  });
});
