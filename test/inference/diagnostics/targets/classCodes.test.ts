import { expect } from 'chai';
import { classCodes } from '../../../../src/inference/diagnostics/targets/targetValues.ts';
import { uniform } from '../../../../src/math/random/random.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';

const ofCounts = (...counts: readonly number[]): Float64Array =>
  Float64Array.from(counts.flatMap((count, value) => Array.from({ length: count }, () => value)));

describe('classCodes', () => {
  it('finds a few whole values from 0 or 1 on that are about equally frequent', () => {
    expect(classCodes(ofCounts(50, 50, 50))).to.deep.equal({ first: 0, count: 3 });
    expect(classCodes(ofCounts(59, 71, 48))).to.deep.equal({ first: 0, count: 3 });
    expect(classCodes(ofCounts(0, 20, 20, 20, 20, 20, 20))).to.deep.equal({ first: 1, count: 6 });
  });

  it('finds none in two values, many, with gaps, halves, signs, from 2 on, or with a tail', () => {
    for (const counts of [
      [50, 50],
      [20, 20, 20, 20, 20, 20, 20],
      [50, 0, 50, 50],
      [0, 0, 50, 50, 50],
      [90, 60, 30],
      [10, 10, 10],
    ])
      expect(classCodes(ofCounts(...counts)), String(counts)).to.equal(null);
    expect(classCodes(ofCounts(50, 50, 50).map(value => value / 2))).to.equal(null);
    expect(classCodes(ofCounts(50, 50, 50).map(value => value - 1))).to.equal(null);
  });

  it('takes fewer than one sample of counts in a hundred for codes', () => {
    const random = seeded('class codes', 'poisson');
    const poisson = (mean: number): number => {
      let count = -1;
      for (let product = 1; product > Math.exp(-mean); count++) product *= uniform(random);
      return count;
    };
    for (const mean of [0.5, 1, 1.5, 2, 3]) {
      const samples = Array.from({ length: 500 }, () => Float64Array.from({ length: 50 }, () => poisson(mean)));
      expect(samples.filter(sample => classCodes(sample) !== null).length, String(mean)).to.be.below(5);
    }
  });
});
