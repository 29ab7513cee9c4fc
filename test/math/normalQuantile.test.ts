import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { normalQuantile } from '../../src/math/normalQuantile.ts';
import { normalTail } from '../support/normalTail.ts';

describe('normalQuantile', () => {
  it('has the tail that it is asked for', () => {
    for (const p of [1e-6, 1e-3, 0.1, 0.3, 0.457, 0.5]) {
      expect(normalTail(-normalQuantile(p)) / p).to.be.closeTo(1, 1e-8);
      expect(normalQuantile(1 - p)).to.be.closeTo(-normalQuantile(p), 1e-9);
    }
    expect(normalQuantile(0.975)).to.be.closeTo(1.959963984540054, 1e-12);
  });

  it('refuses what is no probability', () => {
    for (const p of [0, 1, -1, NaN]) expect(() => normalQuantile(p)).to.throw(ArgumentError, 'p must be in');
  });
});
