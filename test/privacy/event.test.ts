import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import { gaussianEvent, nonPrivateEvent, type RowSet } from '../../src/privacy/event.ts';
import { refusesBad } from '../support/badArguments.ts';

describe('gaussianEvent', () => {
  it('is a frozen record of what was released, with mu = sensitivity / sigma', () => {
    const event = gaussianEvent({ chunk: 3, sensitivity: 0.5, sigma: 2 });
    expect(event).to.deep.equal({ kind: 'gaussian', chunk: 3, sensitivity: 0.5, sigma: 2, mu: 0.25 });
    expect(event).to.be.frozen;
  });

  it('refuses noise and sensitivities that are no finite numbers above 0', () => {
    refusesBad(
      gaussianEvent,
      { chunk: 'all', sensitivity: 1, sigma: 1 },
      {
        sensitivity: 'positive',
        sigma: 'positive',
      },
    );
  });
});

describe('nonPrivateEvent', () => {
  it('is a frozen record with its reason', () => {
    const event = nonPrivateEvent({ chunk: 'all', reason: 'no noise' });
    expect(event).to.deep.equal({ kind: 'nonPrivate', chunk: 'all', reason: 'no noise' });
    expect(event).to.be.frozen;
  });
});

describe('a set of rows', () => {
  it('is all of them, or a chunk by its index', () => {
    for (const make of [
      (chunk: RowSet) => gaussianEvent({ chunk, sensitivity: 1, sigma: 1 }),
      (chunk: RowSet) => nonPrivateEvent({ chunk, reason: 'none' }),
    ]) {
      expect(make('all').chunk).to.equal('all');
      expect(make(0).chunk).to.equal(0);
      for (const bad of [Number.NaN, -1, 0.5, Infinity]) {
        expect(() => make(bad)).to.throw(ArgumentError, `chunk must be a whole number of at least 0, got ${bad}`);
      }
      expect(() => make('some' as never)).to.throw(
        ArgumentError,
        'chunk must be an index, "all" or "each", got "some"',
      );
    }
  });
});
