import { expect } from 'chai';
import fc from 'fast-check';
import { composition } from '../../src/privacy/composition.ts';
import { gaussianEvent, nonPrivateEvent, type PrivacyEvent, type RowSet } from '../../src/privacy/event.ts';
import { holdsForAll, uniform } from '../laws/holdsForAll.ts';

const rowSets: fc.Arbitrary<RowSet> = fc.oneof(fc.constant('all' as const), fc.integer({ min: 0, max: 4 }));
const releases: fc.Arbitrary<PrivacyEvent> = fc
  .tuple(rowSets, uniform(0.01, 2))
  .map(([chunk, mu]) => gaussianEvent({ chunk, sensitivity: mu, sigma: 1 }));

describe('composition', () => {
  it('is, after each release, the most that a record has entered', () => {
    const cost = composition();
    const squares = [
      [0, 3, 9],
      [1, 4, 16],
      [0, 3, 18],
      ['all', 2, 22],
      [1, 1, 22],
      [1, 2, 25],
    ] as const;
    for (const [chunk, mu, expected] of squares) {
      cost.enter(gaussianEvent({ chunk, sensitivity: mu, sigma: 1 }));
      expect(cost.squaredMu).to.equal(expected);
    }
    cost.enter(nonPrivateEvent({ chunk: 3, reason: 'a plot' }));
    expect(cost.squaredMu).to.equal(Infinity);
  });

  it('tells beforehand what a release will bring it to, and enters nothing by that', () => {
    holdsForAll(
      fc.property(fc.array(releases, { maxLength: 12 }), releases, (events, next) => {
        const cost = composition();
        for (const event of events) cost.enter(event);
        const before = cost.squaredMu;
        const told = cost.squaredMuWith(next);
        expect(cost.squaredMu).to.equal(before);
        cost.enter(next);
        expect(cost.squaredMu).to.equal(told);
      }),
    );
  });

  it('charges the releases of a stream as one: the largest, beside whatever else there is', () => {
    const cost = composition();
    for (const mu of [0.3, 0.5, 0.4]) cost.enter(gaussianEvent({ chunk: 'each', sensitivity: mu, sigma: 1 }));
    expect(cost.squaredMu).to.equal(0.25);
    cost.enter(gaussianEvent({ chunk: 'all', sensitivity: 1, sigma: 1 }));
    cost.enter(gaussianEvent({ chunk: 7, sensitivity: 2, sigma: 1 }));
    expect(cost.squaredMu).to.equal(5.25);
    expect(cost.squaredMuWith(gaussianEvent({ chunk: 'each', sensitivity: 3, sigma: 1 }))).to.equal(14);
    cost.enter(nonPrivateEvent({ chunk: 'each', reason: 'seeded noise' }));
    expect(cost.squaredMu).to.equal(Infinity);
  });
});
