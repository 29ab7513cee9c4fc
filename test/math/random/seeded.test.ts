import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { mean, meanThreshold } from '../../support/statistics.ts';

const words = (seed: number | string, label: string, count = 8): number[] => {
  const random = seeded(seed, label);
  return Array.from({ length: count }, () => random.word());
};

describe('seeded', () => {
  it('repeats itself for the same seed and label', () => {
    expect(words(7, 'noise', 1000)).to.deep.equal(words(7, 'noise', 1000));
  });

  it('keeps its words from one release to the next', () => {
    expect(words(1, 'noise', 3)).to.deep.equal([3509977355, 3106203014, 2092041417]);
  });

  it('gives every pair of seed and label a stream of its own', () => {
    const pairs: [number | string, string][] = [
      [1, '2x'],
      [12, 'x'],
      ['1', '2x'],
      ['12', 'x'],
      [1, '2x","'],
      ['', '12x'],
      ['1,', '2x'],
      ['a\0a', 'x'],
      ['a', 'x'],
      [0.1, 'x'],
      [-1, 'x'],
    ];
    expect(new Set(pairs.map(pair => words(...pair).join())).size).to.equal(pairs.length);
  });

  it('has unrelated streams for neighbouring seeds', () => {
    const count = 1e4;
    for (let seed = 0; seed < 20; seed++) {
      const next = words(seed + 1, 'x', count);
      const agreeing = words(seed, 'x', count).map((word, i) => 32 - ones(word ^ next[i]!));
      expect(mean(agreeing)).to.be.closeTo(16, meanThreshold(count, 32));
    }
  });

  it('has words of 32 fair bits', () => {
    const sample = words(3, 'bits', 1e4);
    for (const word of sample) expect(word).to.satisfy((w: number) => Number.isInteger(w) && w >= 0 && w < 2 ** 32);
    for (let bit = 0; bit < 32; bit++) {
      expect(mean(sample.map(word => (word >>> bit) & 1))).to.be.closeTo(1 / 2, meanThreshold(1e4, 1));
    }
  });

  it('says that it is not secure', () => {
    expect(seeded(1, 'x').isSecure).to.equal(false);
  });

  it('refuses a seed that is no number and a label that names nothing', () => {
    expect(() => seeded(NaN, 'x')).to.throw(ArgumentError, 'seed must be a finite number, got NaN');
    expect(() => seeded(Infinity, 'x')).to.throw(ArgumentError, 'seed must be a finite number, got Infinity');
    expect(() => seeded(1, '')).to.throw(ArgumentError, 'label must be a non-empty string, got ""');
  });
});

const ones = (word: number): number => (word >>> 0).toString(2).replaceAll('0', '').length;
