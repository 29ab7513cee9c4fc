import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { secure } from '../../src/math/random/secure.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { discreteGaussianMechanism } from '../../src/privacy/discreteGaussianMechanism.ts';
import { gaussianEvent, type PrivacyEvent } from '../../src/privacy/event.ts';
import { integerNoise, integerRelease } from '../../src/privacy/integerNoise.ts';
import { openLedgerFile } from '../../src/privacy/ledgerFile/openLedgerFile.ts';
import { readLedgerFile } from '../../src/privacy/ledgerFile/readLedgerFile.ts';
import { type Mechanism, type Release, recorded } from '../../src/privacy/mechanism.ts';
import { simulatedGaussian } from '../../src/privacy/simulatedGaussian.ts';
import type { BlockSums } from '../../src/sample/gradientSums.ts';
import { checkMechanism } from '../laws/checkMechanism.ts';
import { promising } from '../support/ledgerPlans.ts';

const sums: BlockSums<'raw'> = {
  sums: Float64Array.of(1, 2),
  blocks: 1,
  rowsPerBlock: 10,
  privacy: 'raw',
};
const release: Release = { chunk: 3, sensitivity: 0.1, sigma: 2 };

checkMechanism(
  'a recorded mechanism',
  random => recorded(simulatedGaussian(random), { charge: () => {}, protects: 'row' }),
  {
    isPrivateWhenSecure: false,
  },
);

describe('recorded', () => {
  it('has each release on disk before the inner mechanism draws its noise', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-recorded-'));
    try {
      const path = join(folder, 'ledger.jsonl');
      const seen: number[] = [];
      const inner: Mechanism = {
        name: 'inner',
        event: gaussianEvent,
        perturb: given => {
          seen.push(readLedgerFile(path).accounts[0]!.runs[0]!.charges);
          return { ...given, privacy: 'released' };
        },
      };
      const file = openLedgerFile(path, { dataset: 'people' });
      const mechanism = recorded(inner, file.begin(promising(1)));
      mechanism.perturb(sums, release);
      mechanism.perturb(sums, { ...release, chunk: 4 });
      file.close();
      expect(seen).to.deep.equal([1, 2]);
      expect(() => mechanism.perturb(sums, release)).to.throw('is closed');
      expect(seen).to.have.length(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('spends what a run of discrete Gaussian noise has promised, and not a chunk more', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-recorded-'));
    try {
      const budget = { epsilon: 0.9, delta: 1e-6 };
      const noise = integerNoise({ ...budget, lipschitz: 1, features: 2, touches: 1 });
      const file = openLedgerFile(join(folder, 'ledger.jsonl'), { dataset: 'people', budget });
      const run = file.begin({ ...promising(0.9), guarantee: { ...budget, mu: noise.mu } });
      const mechanism = recorded(discreteGaussianMechanism(noise, secure()), run);
      const { grid, squaredNorm } = noise;
      const perturb = (chunk: number) =>
        mechanism.perturb({ ...sums, grid, squaredNorm }, integerRelease(noise, { chunk, rowsPerBlock: 10 }));
      for (let chunk = 0; chunk < 5; chunk++) expect(perturb(chunk).privacy).to.equal('released');
      expect(file.account.epsilon).to.be.within(0.9 - 1e-6, 0.9);
      expect(() => perturb(4)).to.throw('the run guarantees mu');
      run.finish();
      expect(file.account.runs[0]).to.include({ charges: 5, isFinished: true });
      expect(() => file.begin(promising(0.1))).to.throw('has nothing left');
      file.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses a run that states more rows of a unit than the noise protects, and takes one that states fewer', () => {
    const noiseFor = (group: number): Mechanism =>
      discreteGaussianMechanism(
        integerNoise({ epsilon: 0.9, delta: 1e-6, lipschitz: 1, features: 2, touches: 1, group }),
        secure(),
      );
    const of = (maxPerUnit: number) => ({ charge: () => {}, protects: { unit: 'person', maxPerUnit } });
    expect(() => recorded(noiseFor(1), of(2))).to.throw(
      'the noise must protect the 2 rows of one unit that the run states, got 1; plan with unitRows: 2',
    );
    expect(() => recorded(noiseFor(4), of(5))).to.throw('got 4; plan with unitRows: 5');
    for (const [group, most] of [
      [1, 1],
      [5, 5],
      [5, 2],
    ] as const) {
      expect(recorded(noiseFor(group), of(most)).group).to.equal(group);
    }
    expect(recorded(noiseFor(5), { charge: () => {}, protects: 'row' }).name).to.equal('discrete-gaussian');
  });

  it('draws no noise when the charge is refused, and otherwise the noise of the inner mechanism', () => {
    const charged: PrivacyEvent[] = [];
    const outer = recorded(simulatedGaussian(seeded(1, 'recorded')), {
      protects: 'row',
      charge: event => {
        if (event.chunk === 9) throw new Error('nothing is left');
        charged.push(event);
      },
    });
    expect(() => outer.perturb(sums, { ...release, chunk: 9 })).to.throw('nothing is left');
    const inner = simulatedGaussian(seeded(1, 'recorded'));
    expect(outer.perturb(sums, release)).to.deep.equal(inner.perturb(sums, release));
    expect(charged).to.deep.equal([inner.event(release)]);
  });
});
