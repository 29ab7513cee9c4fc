import { expect } from 'chai';
import { ArgumentError } from '../../src/errors.ts';
import type { Random } from '../../src/math/random/random.ts';
import { secure } from '../../src/math/random/secure.ts';
import { seeded } from '../../src/math/random/seeded.ts';
import { ledger } from '../../src/privacy/ledger.ts';
import { simulatedGaussian } from '../../src/privacy/simulatedGaussian.ts';
import { checkMechanism } from '../laws/checkMechanism.ts';

checkMechanism('simulatedGaussian', simulatedGaussian, { isPrivateWhenSecure: false });

describe('simulatedGaussian', () => {
  it('refuses sums on a grid: its noise is in the units of gradients', () => {
    const sums = {
      sums: new Float64Array(2),
      blocks: 1,
      rowsPerBlock: 1,
      privacy: 'raw',
      grid: 0.5,
    } as const;
    expect(() => simulatedGaussian(seeded(1, 'noise')).perturb(sums, { chunk: 0, sensitivity: 1, sigma: 1 })).to.throw(
      ArgumentError,
      'a grid of 0.5',
    );
  });

  it('is never private, whichever words it draws, and says why', () => {
    const forged: Random = { isSecure: true, word: () => 0 };
    for (const [random, reason] of [
      [seeded(1, 'noise'), 'seeded noise'],
      [secure(), 'floating-point noise leaks through its low bits'],
      [forged, 'floating-point noise leaks through its low bits'],
    ] as const) {
      const event = simulatedGaussian(random).event({ chunk: 'all', sensitivity: 1e-9, sigma: 1e9 });
      expect(event).to.deep.equal({ kind: 'nonPrivate', chunk: 'all', reason });
      expect(ledger([event]).epsilon(0.5)).to.equal(Infinity);
    }
  });
});
