import { expect } from 'chai';
import { hiddenFeatures } from '../../../../src/inference/intervals/private/privateUncertainty.ts';

describe('hiddenFeatures', () => {
  const axis = (direction: readonly number[], moment: number, floor: number) => ({
    direction: Float64Array.from(direction),
    moment,
    floor,
    spread: Math.sqrt(moment + floor),
  });
  const hiddenBy = (...axes: readonly ReturnType<typeof axis>[]) =>
    hiddenFeatures({ centre: new Float64Array(2), axes, intercept: true }).map(({ place }) => place);

  it('are those that vary by two floors or less', () => {
    expect(hiddenBy(axis([1, 0], 0.3, 0.01), axis([0, 1], 0.021, 0.01))).to.deep.equal([]);
    expect(hiddenBy(axis([1, 0], 0.3, 0.01), axis([0, 1], 0.019, 0.01))).to.deep.equal([1]);
    expect(hiddenBy(axis([1, 0], 0, 0.01), axis([0, 1], -0.01, 0.01))).to.deep.equal([0, 1]);
  });

  it('have the spread that moments and noise leave possible', () => {
    const axes = [axis([0.6, 0.8], 0.01, 0.01), axis([-0.8, 0.6], 0.01, 0.02)];
    const [first, second] = hiddenFeatures({ centre: new Float64Array(2), axes, intercept: false });
    expect(first!.spread).to.be.closeTo(Math.sqrt(0.36 * 0.02 + 0.64 * 0.03), 1e-12);
    expect(second!.spread).to.be.closeTo(Math.sqrt(0.64 * 0.02 + 0.36 * 0.03), 1e-12);
  });

  it('are none of two that vary, but alike: what is hidden is what tells them apart', () => {
    const half = Math.SQRT1_2;
    expect(hiddenBy(axis([half, half], 0.6, 0.01), axis([half, -half], 0, 0.01))).to.deep.equal([]);
  });
});
