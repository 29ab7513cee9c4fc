import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { domain, scoreBound, times } from '../../../src/method/loss/domain.ts';

describe('domain', () => {
  it('derives the l2 bound of a row from the l-infinity bound', () => {
    expect(domain({ features: 9, max: 2 })).to.deep.equal({
      features: 9,
      norm: 6,
      max: 2,
      target: Infinity,
      radius: Infinity,
    });
  });

  it('derives the l-infinity bound from the l2 bound, and keeps the sharper of two', () => {
    expect(domain({ features: 9, norm: 2 }).max).to.equal(2);
    expect(domain({ features: 9, norm: 2, max: 1 })).to.include({ norm: 2, max: 1 });
    expect(domain({ features: 4, norm: 5, max: 1 })).to.include({ norm: 2, max: 1 });
  });

  it('is frozen', () => {
    expect(domain({ features: 1 })).to.be.frozen;
  });

  it('refuses what is not a bound, by name', () => {
    for (const name of ['norm', 'max', 'target', 'radius']) {
      for (const bad of [Number.NaN, -1, -Infinity]) {
        expect(() => domain({ features: 1, [name]: bad })).to.throw(ArgumentError, `${name} must`);
      }
    }
    for (const bad of [0, 1.5, Number.NaN, Infinity]) {
      expect(() => domain({ features: bad })).to.throw(ArgumentError, 'features must');
    }
  });
});

describe('times', () => {
  it('lets a bound of 0 stand beside an undeclared one', () => {
    expect(times(0, Infinity)).to.equal(0);
    expect(times(Infinity, 0)).to.equal(0);
    expect(times(2, Infinity)).to.equal(Infinity);
    expect(times(2, 3)).to.equal(6);
  });
});

describe('scoreBound', () => {
  it('is L_x D', () => {
    expect(scoreBound(domain({ features: 4, max: 1, radius: 3 }))).to.equal(6);
    expect(scoreBound(domain({ features: 4, radius: 0 }))).to.equal(0);
    expect(scoreBound(domain({ features: 4, max: 1 }))).to.equal(Infinity);
  });
});
