import { expect } from 'chai';
import { numberProfile } from '../../../src/source/inspect/numberProfile.ts';

describe('numberProfile', () => {
  const medianOf = (values: readonly number[]) => {
    const profile = numberProfile();
    for (const value of values) profile.add(value);
    return profile.summary()!.median;
  };
  const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, k) => most - k);

  it('has the median between the two middle values, exactly, while values are held', () => {
    expect(medianOf(upTo(100))).to.deep.equal({ value: 50.5, within: 0 });
    expect(medianOf(upTo(50))).to.deep.equal({ value: 25.5, within: 0 });
    expect(medianOf(upTo(51))).to.deep.equal({ value: 26, within: 0 });
    expect(medianOf([7])).to.deep.equal({ value: 7, within: 0 });
    expect(medianOf([1, 5, 5, 5, 9, 9])).to.deep.equal({ value: 5, within: 0 });
    expect(medianOf([-1e308, 1e308].flatMap(value => [value, value]))).to.deep.equal({ value: 0, within: 0 });
  });

  it('and of more different values says how far it may be off', () => {
    const { value, within } = medianOf(upTo(5000));
    expect(within).to.be.above(0);
    expect(Math.abs(value - 2500.5)).to.be.at.most(within);
  });
});
