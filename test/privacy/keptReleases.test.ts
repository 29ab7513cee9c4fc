import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { secure } from '../../src/math/random/secure.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { discreteGaussianMechanism } from '../../src/privacy/discreteGaussianMechanism.ts';
import { integerNoise, integerRelease } from '../../src/privacy/integerNoise.ts';
import { type KeptRun, keptReleases } from '../../src/privacy/keptReleases.ts';
import { openLedgerFile } from '../../src/privacy/ledgerFile/openLedgerFile.ts';
import { readLedgerFile } from '../../src/privacy/ledgerFile/readLedgerFile.ts';
import type { BlockSums } from '../../src/sample/gradientSums.ts';

const TOTAL = 4;
const noise = integerNoise({ lipschitz: 1, features: 2, touches: TOTAL, epsilon: 1, delta: 1e-6 });
const release = integerRelease(noise, { chunk: 'all', rowsPerBlock: 10 });
const sums: BlockSums<'raw'> = {
  sums: Float64Array.of(3, 4),
  blocks: 1,
  rowsPerBlock: 10,
  privacy: 'raw',
  grid: noise.grid,
  squaredNorm: noise.squaredNorm,
};
const plan = {
  target: 'y',
  createdWith: 'sluice',
  guarantee: { epsilon: 1, delta: 1e-6, mu: noise.mu },
  protects: 'row',
} as const;

class Killed extends Error {}

/** A disk that keeps what is written, and a process that dies after so many writes to disk or ledger. */
function world(path: string) {
  const disk: unknown[] = [];
  let id: string | undefined;
  return {
    disk,
    /** Runs until all releases are seen, or the process dies; returns what was seen. */
    process(writes: number, from = disk) {
      const seen: Float64Array[] = [];
      const file = openLedgerFile(path, { dataset: 'people' });
      let left = writes;
      const alive = (): void => {
        if (left-- <= 0) throw new Killed();
      };
      try {
        const run = id === undefined ? file.begin(plan) : file.resume(id, plan);
        id = run.id;
        const mechanism = discreteGaussianMechanism(noise, secure());
        const events = Array.from({ length: TOTAL }, () => mechanism.event(release));
        const kept = keptReleases({
          store: {
            known: from.length,
            at: index => from[index],
            keep: (_, value) => {
              alive();
              from.push(value);
            },
          },
          events,
          run: {
            protects: run.protects,
            get charges() {
              return run.charges;
            },
            get isFinished() {
              return run.isFinished;
            },
            charge: event => {
              alive();
              run.charge(event);
            },
            finish: () => {
              alive();
              run.finish();
            },
          },
        });
        const wrapped = kept.wrap(mechanism);
        for (let t = 0; t < TOTAL; t++) {
          expect(wrapped.isKnown!()).to.equal(t < kept.known);
          seen.push(wrapped.perturb(sums, release).sums);
        }
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      } finally {
        file.close();
      }
      return seen;
    },
  };
}

describe('kept releases', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are each drawn once for whoever saw one, and charged once, whenever a process dies', () => {
    let files = 0;
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2 * TOTAL + 1 }), { maxLength: 6 }), deaths => {
        const path = join(folder, `${files++}.jsonl`);
        const { process } = world(path);
        const seen: Float64Array[][] = [...deaths, Infinity].map(writes => process(writes));
        const last = seen.at(-1)!;
        expect(last).to.have.length(TOTAL);
        for (const earlier of seen) expect(earlier).to.deep.equal(last.slice(0, earlier.length));
        const [account] = readLedgerFile(path).accounts[0]!.runs;
        expect(account).to.include({ charges: TOTAL, isFinished: true });
        // What is done is there again, at no further cost.
        expect(process(Infinity)).to.deep.equal(last);
        expect(readLedgerFile(path).accounts[0]!.runs[0]!.charges).to.equal(TOTAL);
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  it('are refused from an older copy, if any release that it lacks may have been seen', () => {
    // Writes of a run: charge, keep, charge, keep, ... keep, finish.
    for (let writes = 0; writes <= 2 * TOTAL; writes++) {
      for (let copied = 0; copied <= TOTAL; copied++) {
        const { process, disk } = world(join(folder, `${writes}-${copied}.jsonl`));
        const seen = process(writes);
        if (copied > disk.length) continue;
        const again = (): Float64Array[] => process(Infinity, disk.slice(0, copied));
        if (copied < seen.length)
          expect(again).to.throw('an older copy of it').with.property('code', 'ERR_NOT_PRIVATE');
        else expect(again().slice(0, seen.length)).to.deep.equal(seen);
      }
    }
  });

  it('are refused with another copy of the ledger, which would count too little', () => {
    const path = join(folder, 'ledger.jsonl');
    const { process, disk } = world(path);
    process(1);
    expect(() => process(0, [...disk, {}, {}]))
      .to.throw('another copy of the ledger')
      .with.property('code', 'ERR_NOT_PRIVATE');
  });

  it('go on with the noise of a seed where it was', () => {
    const drawn = (known: readonly unknown[]): KeptRun['store'] & { all: unknown[] } => {
      const all = [...known];
      const store = {
        known: all.length,
        at: (index: number) => all[index],
        keep: (_: number, it: unknown) => all.push(it),
        all,
      };
      const mechanism = discreteGaussianMechanism(noise, seeded('7', 'noise'));
      const events = Array.from({ length: TOTAL }, () => mechanism.event(release));
      const wrapped = keptReleases({ store, events, run: null }).wrap(mechanism);
      for (let t = 0; t < TOTAL; t++)
        wrapped.perturb(t < store.known ? { ...sums, sums: new Float64Array(2) } : sums, release);
      return store;
    };
    const whole = drawn([]).all;
    for (let known = 0; known <= TOTAL; known++) expect(drawn(whole.slice(0, known)).all).to.deep.equal(whole);
  });

  it('are those that were planned, protected as the run states', () => {
    const mechanism = discreteGaussianMechanism(noise, secure());
    const store = { known: 0, at: () => null, keep: () => {} };
    const other = integerRelease(noise, { chunk: 'all', rowsPerBlock: 20 });
    const kept = keptReleases({ store, events: [mechanism.event(other)], run: null });
    expect(() => kept.wrap(mechanism).perturb(sums, release)).to.throw('not the one that the run was planned with');
    const run = {
      protects: { unit: 'person', maxPerUnit: 3 },
      charges: 0,
      isFinished: false,
      charge: () => {},
      finish: () => {},
    };
    expect(() => keptReleases({ store, events: [], run }).wrap(mechanism)).to.throw('protect the 3 rows');
  });
});
