import { expect } from 'chai';
import { adversary, replaced } from '../../../src/lab/audit/adversary.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { auditedScaling } from '../../support/auditPlans.ts';

describe('adversary', () => {
  const made = (scaling = auditedScaling()) => adversary(scaling, seeded(1, 'adversary'));
  const many = (scaling = auditedScaling()) => {
    const { row, oddRow } = made(scaling);
    return Array.from({ length: 300 }, (_, kind) => (kind % 2 === 0 ? row(kind / 2) : oddRow()));
  };

  it('makes the same rows for the same words', () => {
    expect(many()).to.deep.equal(many());
    expect(made().rows(20, 3, 2)).to.deep.equal(made().rows(20, 3, 2));
    const other = adversary(auditedScaling(), seeded(2, 'adversary'));
    expect(other.rows(20, 3, 2)).not.to.deep.equal(made().rows(20, 3, 2));
  });

  it('goes to all ends of the bounds, beyond them, and to what is no number', () => {
    const rows = many();
    for (const first of [-1, 1, NaN, Infinity, -Infinity, Number.MAX_VALUE]) {
      expect(rows.some(({ features }) => Object.is(features[0], first))).to.equal(true);
    }
    for (const second of [5, 25]) expect(rows.some(({ features }) => features[1] === second)).to.equal(true);
    expect(rows.some(({ features }) => features[1]! > 1e100)).to.equal(true);
    for (const target of [0, 1, NaN, Infinity, -Infinity, Number.MIN_VALUE]) {
      expect(rows.some(row => Object.is(row.target, target))).to.equal(true);
    }
    for (const weight of [0, 1, -1, NaN, Infinity]) {
      expect(rows.some(row => Object.is(row.weight, weight))).to.equal(true);
    }
  });

  it('keeps corners to a norm bound, where that is what is declared', () => {
    const { row } = made(auditedScaling({ bounds: { norm: 3 }, intercept: false }));
    expect(Math.hypot(...row(0).features)).to.be.closeTo(3, 1e-12);
  });

  it('puts rows at two poles by runs, so that block means are in a line', () => {
    const { columns } = made().rows(8, 0, 2);
    const sides = columns[0]!.map(Math.sign);
    expect([...sides]).to.deep.equal([0, 0, 1, 1, 0, 0, 1, 1].map(k => (k === 0 ? sides[0] : -sides[0]!)));
    // The last of an odd number of runs is elsewhere.
    const { columns: odd, rows } = made().rows(10, 0, 2);
    expect([odd.length, rows]).to.deep.equal([2, 10]);
  });

  it('replaces rows in their places, and changes nothing else', () => {
    const { rows, row } = made();
    const before = rows(6, 1, 1);
    const copy = structuredClone(before);
    const [one, two] = [row(0), row(9)];
    const after = replaced(before, [1, 4], [one, two]);
    expect(before).to.deep.equal(copy);
    for (let i = 0; i < 6; i++) {
      const expected =
        i === 1
          ? one
          : i === 4
            ? two
            : { features: before.columns.map(column => column[i]), target: before.target[i], weight: 1 };
      expect({
        features: after.columns.map(column => column[i]),
        target: after.target[i],
        weight: after.weights![i],
      }).to.deep.equal(expected);
    }
  });
});
