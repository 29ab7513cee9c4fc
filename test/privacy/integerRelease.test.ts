import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { meanSensitivity } from '../../src/privacy/gaussianNoise.ts';
import { integerNoise, integerRelease } from '../../src/privacy/integerNoise.ts';
import { holdsForAll, uniform } from '../laws/holdsForAll.ts';
import { expectClose } from '../support/close.ts';

describe('integerRelease', () => {
  it('has sensitivity 2 L2/m, and spends the mu of the calibration over all touches', () => {
    holdsForAll(
      fc.property(
        uniform(0.1, 100),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 20 }),
        (lipschitz, rowsPerBlock, touches) => {
          const noise = integerNoise({ lipschitz, features: 5, touches, epsilon: 0.9, delta: 1e-6 });
          const release = integerRelease(noise, { chunk: 3, rowsPerBlock });
          expect(release).to.be.frozen;
          expect(release.chunk).to.equal(3);
          expectClose(release.sensitivity, meanSensitivity(lipschitz, rowsPerBlock));
          expectClose((release.sensitivity / release.sigma) * Math.sqrt(touches), noise.mu, 1e-9);
        },
      ),
    );
  });

  it('refuses a number of rows that is none', () => {
    const noise = integerNoise({ lipschitz: 1, features: 5, touches: 1, epsilon: 0.9, delta: 1e-6 });
    for (const rowsPerBlock of [0, 1.5, NaN]) {
      expect(() => integerRelease(noise, { chunk: 'all', rowsPerBlock })).to.throw(
        ArgumentError,
        `rowsPerBlock must be a whole number of at least 1, got ${rowsPerBlock}`,
      );
    }
  });
});
