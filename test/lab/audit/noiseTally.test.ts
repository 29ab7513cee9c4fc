import { expect } from 'chai';
import { noiseTally } from '../../../src/lab/audit/drawNoise.ts';
import { discreteGaussian } from '../../../src/math/random/discreteGaussian.ts';
import { seeded } from '../../../src/math/random/seeded.ts';

const drawn = (count: number, scale: number, seed = 1): Float64Array => {
  const random = seeded(seed, 'tally');
  return Float64Array.from({ length: count }, () => discreteGaussian(random, scale));
};

describe('noiseTally', () => {
  it('bounds the scale of every release from above, closer with more draws', () => {
    const tally = noiseTally();
    tally.add(0, drawn(100_000, 1024));
    tally.add(1, drawn(1000, 512));
    const [many, few] = tally.largestScales(1e-9);
    expect(many).to.be.within(1024, 1.02 * 1024);
    expect(few).to.be.within(512, 1.25 * 512);
  });

  it('says nothing of a scale from a handful of draws', () => {
    const tally = noiseTally();
    tally.add(0, drawn(50, 1024));
    expect(tally.largestScales(1e-9)).to.deep.equal([Infinity]);
  });

  it('sees noise that comes again, anywhere, and none that does not', () => {
    const fresh = noiseTally();
    for (const seed of [1, 2, 3]) fresh.add(seed, drawn(5000, 2 ** 20, seed));
    expect(fresh.repeats()).to.equal(false);
    const again = noiseTally();
    again.add(0, drawn(501, 2 ** 20, 1));
    again.add(1, drawn(77, 2 ** 20, 2));
    again.add(2, drawn(501, 2 ** 20, 1));
    expect(again.repeats()).to.equal(true);
  });

  it('takes silence for noise that repeats', () => {
    const tally = noiseTally();
    tally.add(0, new Float64Array(100));
    expect(tally.repeats()).to.equal(true);
  });
});
