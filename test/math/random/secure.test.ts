import { expect } from 'chai';
import { secure } from '../../../src/math/random/secure.ts';
import { mean, meanThreshold } from '../../support/statistics.ts';

const words = (count: number): number[] => {
  const random = secure();
  return Array.from({ length: count }, () => random.word());
};

// These draws cannot be seeded: false alarms, all together, are below 1e-6.
describe('secure', () => {
  it('never repeats itself, from one source to the next or across refills', () => {
    const sample = [...words(10_000), ...words(10_000)];
    const seen = Array.from({ length: 5000 }, (_, i) => sample.slice(4 * i, 4 * i + 4).join());
    expect(new Set(seen).size).to.equal(seen.length);
  });

  it('has words of 32 fair bits', () => {
    const sample = words(10_000);
    for (const word of sample)
      expect(word).to.satisfy((w: number) => Number.isInteger(w) && w >= 0 && w < 2 ** 32);
    for (let bit = 0; bit < 32; bit++) {
      expect(mean(sample.map(word => (word >>> bit) & 1))).to.be.closeTo(1 / 2, meanThreshold(10_000, 1));
    }
  });

  it('says that it is secure', () => {
    expect(secure().isSecure).to.equal(true);
  });
});
