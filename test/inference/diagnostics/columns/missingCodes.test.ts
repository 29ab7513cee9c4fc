import { expect } from 'chai';
import fc from 'fast-check';
import { missingCodes } from '../../../../src/inference/diagnostics/columns/missingCodes.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { studentT } from '../../../../src/math/random/studentT.ts';

const random = seeded(1, 'missing codes');
const column = (draw: (row: number) => number, rows = 2000): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => draw(i));
const found = (...columns: readonly Float64Array[]) =>
  missingCodes({ rows: columns[0]!.length, columns, target: columns[0]! });
const age = (): number => Math.floor(18 + 70 * uniform(random));
const exponential = (): number => -Math.log(1 - uniform(random));

describe('missingCodes', () => {
  it('finds one value beyond all others that many rows have, on either side and on both', () => {
    const low = column(i => (i % 20 === 0 ? -9 : normal(random)));
    const years = column(i => (i % 15 === 0 ? 999 : age()));
    const both = column(i => (i % 20 === 0 ? -99 : i % 30 === 1 ? 999 : exponential()));
    expect(
      found(
        column(() => normal(random)),
        low,
        years,
        both,
      ),
    ).to.deep.equal([
      { column: 1, value: -9, share: 0.05 },
      { column: 2, value: 999, share: 134 / 2000 },
      { column: 3, value: -99, share: 0.05 },
      { column: 3, value: 999, share: 67 / 2000 },
    ]);
  });

  it('is not misled by a stray between the code and the others, among many rows', () => {
    expect(found(column(i => (i % 20 === 0 ? -9 : i === 1 ? -5.5 : normal(random)), 5000))).to.have.length(1);
  });

  it('says nothing where fewer than one row in two hundred has the value, or than ten rows', () => {
    expect(found(column(i => (i % 250 === 0 ? -9 : normal(random)), 5000))).to.deep.equal([]);
    expect(found(column(i => (i < 9 ? -9 : normal(random)), 100))).to.deep.equal([]);
    expect(found(column(i => (i < 10 ? -9 : normal(random)), 100))).to.have.length(1);
  });

  const others: Readonly<Record<string, (row: number) => number>> = {
    'heavy tails': () => studentT(random, 1),
    'skewed amounts': () => Math.exp(2 * normal(random)),
    'amounts that some have none of': i => (i % 12 === 0 ? 0 : Math.exp(normal(random))),
    'large amounts that many have none of': i => (i % 3 === 0 ? 0 : 50 + 5 * normal(random)),
    'a yes and a no': i => (i % 50 === 0 ? 1 : 0),
    'levels, one apart': i => (i % 20 === 0 ? 99 : i % 7),
    'many whole numbers': () => Math.floor(50 * uniform(random)),
    'rounded values': () => Math.round(10 * normal(random)) / 10,
    'values cut off at a bound': () => Math.max(-1, Math.min(2, normal(random))),
    dates: () => 86_400 * Math.floor(18_000 + 365 * uniform(random)),
    'a constant': () => 3,
  };
  for (const [name, draw] of Object.entries(others)) {
    it(`says nothing of ${name}`, () => {
      for (const rows of [100, 2000]) {
        for (let k = 0; k < 20; k++) expect(found(column(draw, rows))).to.deep.equal([]);
      }
    });
  }

  it('says nothing of values that are all different, nor of none', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.double({ noNaN: true })), values => {
        expect(found(Float64Array.from(values))).to.deep.equal([]);
      }),
    );
  });
});
