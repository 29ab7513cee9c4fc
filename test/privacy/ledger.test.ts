import { expect } from 'chai';
import fc from 'fast-check';
import { squared } from '../../src/method/loss/squared.ts';
import { projectedGradient } from '../../src/method/rule/projectedGradient.ts';
import { planFit } from '../../src/plan/planFit.ts';
import { geometricChunks } from '../../src/plan/schedule.ts';
import { gaussianEvent, nonPrivateEvent, type PrivacyEvent, type RowSet } from '../../src/privacy/event.ts';
import { epsilonFor, muFor } from '../../src/privacy/gaussianDp.ts';
import { ledger } from '../../src/privacy/ledger.ts';
import { holdsForAll, uniform } from '../laws/holdsForAll.ts';
import { expectClose } from '../support/close.ts';

const release = (chunk: RowSet, mu: number): PrivacyEvent => gaussianEvent({ chunk, sensitivity: mu, sigma: 1 });

const rowSets: fc.Arbitrary<RowSet> = fc.oneof(fc.constant('all' as const), fc.integer({ min: 0, max: 4 }));
const releases = fc.tuple(rowSets, uniform(0.01, 2)).map(([chunk, mu]) => release(chunk, mu));

describe('ledger', () => {
  it('is free while it is empty', () => {
    const empty = ledger();
    expect(empty.entries).to.deep.equal([]);
    expect(empty).to.include({ isPrivate: true, mu: 0, rho: 0 });
    expect(empty.epsilon(1e-6)).to.equal(0);
  });

  it('costs sqrt(k) mu for k releases of the same rows', () => {
    for (const chunk of ['all', 7] as const) {
      for (const k of [1, 2, 25, 1000]) {
        expectClose(ledger(Array(k).fill(release(chunk, 0.1))).mu, 0.1 * Math.sqrt(k));
      }
    }
  });

  it('costs one mu for any number of disjoint chunks, and the largest where they differ', () => {
    expect(ledger(Array.from({ length: 50 }, (_, t) => release(t, 0.3))).mu).to.equal(0.3);
    expect(ledger([release(0, 0.1), release(1, 0.4), release(2, 0.2)]).mu).to.equal(0.4);
  });

  it('costs sqrt(E) mu for E epochs over the chunks', () => {
    const epoch = Array.from({ length: 6 }, (_, t) => release(t, 0.3));
    expectClose(ledger([...epoch, ...epoch, ...epoch, ...epoch]).mu, 0.6);
  });

  it('adds releases of all rows to whichever chunk cost most', () => {
    expectClose(ledger([release('all', 3), release(0, 4), release(1, 2)]).mu, 5);
    expectClose(ledger([release(0, 0.3), release(0, 0.4), release('all', 1.2), release(1, 0.45)]).mu, 1.3);
  });

  it('is max over records of the root of the summed squares of the releases that each record enters', () => {
    holdsForAll(
      fc.property(fc.array(releases, { maxLength: 12 }), events => {
        const costs = [0, 1, 2, 3, 4, 5].map(home =>
          events.reduce(
            (sum, event) =>
              event.kind === 'gaussian' && (event.chunk === 'all' || event.chunk === home)
                ? sum + (event.sensitivity / event.sigma) ** 2
                : sum,
            0,
          ),
        );
        const { mu, rho, isPrivate } = ledger(events);
        expectClose(mu, Math.sqrt(Math.max(...costs)));
        expectClose(rho, Math.max(...costs) / 2);
        expect(isPrivate).to.equal(true);
      }),
    );
  });

  it('does not depend on the order of its entries', () => {
    holdsForAll(
      fc.property(
        fc
          .array(releases, { minLength: 2, maxLength: 12 })
          .chain(events => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length }))),
        ([events, shuffled]) => {
          expectClose(ledger(shuffled).mu, ledger(events).mu, 1e-15 * events.length);
        },
      ),
    );
  });

  it('never gets cheaper by a charge', () => {
    holdsForAll(
      fc.property(fc.array(releases, { maxLength: 8 }), releases, (events, next) => {
        const before = ledger(events);
        expect(before.charge(next).mu).to.be.at.least(before.mu);
      }),
    );
  });

  it('states epsilon by its mu', () => {
    const spent = ledger([release('all', 0.6), release(0, 0.8)]);
    for (const delta of [1e-9, 1e-3, 0.3]) expectClose(spent.epsilon(delta), epsilonFor(1, delta));
  });

  it('is not private after a single event that is not, whatever else there is', () => {
    for (const chunk of ['all', 2] as const) {
      const spent = ledger([release(0, 0.1), nonPrivateEvent({ chunk, reason: 'a plot' }), release('all', 0.1)]);
      expect(spent).to.include({ isPrivate: false, mu: Infinity, rho: Infinity });
      for (const delta of [1e-12, 0.999]) expect(spent.epsilon(delta)).to.equal(Infinity);
    }
  });

  it('is a frozen value: a charge makes a new one and leaves the old', () => {
    const first = ledger([release(0, 0.3)]);
    const second = first.charge(release(0, 0.4));
    expect(first.entries).to.have.length(1);
    expect(first.mu).to.equal(0.3);
    expectClose(second.mu, 0.5);
    expect(second.entries).to.deep.equal([release(0, 0.3), release(0, 0.4)]);
    for (const value of [first, first.entries, second, second.entries]) expect(value).to.be.frozen;
  });

  it('takes no charge back when the list it was made from shrinks', () => {
    const events = [release(0, 0.3)];
    const spent = ledger(events);
    events.pop();
    expect(spent.entries).to.have.length(1);
    expect(spent.charge(release(1, 0.1)).mu).to.equal(0.3);
  });

  it('shares its entries with the ledgers before it: keeping one for each of 30,000 steps takes no room for 450 million', () => {
    const kept = [ledger()];
    for (let t = 0; t < 30_000; t++) kept.push(kept.at(-1)!.charge(release('all', 0.01)));
    expectClose(kept[10_000]!.mu, 1, 1e-10);
    expect(kept.at(-1)!.entries).to.have.length(30_000);
  });

  it('counts hundreds of thousands of chunks', () => {
    const events = Array.from({ length: 300_000 }, (_, t) => release(t, t === 12_345 ? 0.5 : 0.1));
    expect(ledger(events).mu).to.equal(0.5);
  });
});

describe("the ledger of a private plan's releases", () => {
  const budget = { epsilon: 0.9, delta: 1e-6, lipschitz: 2 };
  const common = { rows: 10_000, features: 3, loss: squared(), rule: projectedGradient({ stepSize: 1 }) };
  const spentBy = (plan: ReturnType<typeof planFit>) =>
    ledger(plan.steps.map(({ release }) => gaussianEvent(release!)));

  for (const aggregate of ['mean', 'median-of-means'] as const) {
    it(`spends exactly the budget in disjoint chunks of any sizes, by ${aggregate}`, () => {
      for (const schedule of [undefined, geometricChunks({ rows: 10_000, steps: 7, ratio: 0.6, least: 200 })]) {
        const plan = planFit({
          ...common,
          steps: 7,
          aggregate,
          ...(schedule && { schedule }),
          privacy: { ...budget, calibration: 'parallel' },
        });
        expectClose(spentBy(plan).mu, muFor(0.9, 1e-6), 1e-14);
        expectClose(spentBy(plan).epsilon(1e-6), 0.9);
      }
    });

    it(`spends exactly the budget in full batches, by ${aggregate}`, () => {
      const plan = planFit({
        ...common,
        steps: 40,
        mode: 'full',
        aggregate,
        privacy: { ...budget, calibration: 'exact' },
      });
      expectClose(spentBy(plan).mu, muFor(0.9, 1e-6), 1e-14);
      expectClose(spentBy(plan).epsilon(1e-6), 0.9);
    });
  }

  it("spends a small part of it under the paper's calibration", () => {
    for (const mode of ['full', 'fresh'] as const) {
      const plan = planFit({
        ...common,
        steps: 10,
        mode,
        aggregate: 'mean',
        privacy: { ...budget, calibration: 'paper' },
      });
      expect(spentBy(plan).epsilon(1e-6)).to.be.within(1e-4, 0.1);
    }
  });

  it('stays as it is over a million chunks of a stream, whose entry has the largest mu', () => {
    const event = gaussianEvent({ chunk: 'each', sensitivity: 0.5, sigma: 1 });
    let spent = ledger([gaussianEvent({ chunk: 'all', sensitivity: 1, sigma: 1 })]).charge(event);
    const first = spent;
    for (let t = 0; t < 1_000_000; t++) spent = spent.charge(event);
    expect(spent).to.equal(first);
    spent = spent.charge(gaussianEvent({ chunk: 'each', sensitivity: 2, sigma: 1 }));
    expect(spent.entries).to.have.length(2);
    expect(spent.rho).to.be.closeTo(2.5, 1e-12);
  });
});
