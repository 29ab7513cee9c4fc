import { expect } from 'chai';
import { estimateIn, huberEstimator } from '../../../src/engine/kernel/huberEstimator.ts';
import { normal } from '../../../src/math/random/normal.ts';
import { seeded } from '../../../src/math/random/seeded.ts';
import { distance, type Vector } from '../../../src/math/vector.ts';

const random = seeded('estimateIn', 'points');
const [count, size] = [400, 3];
const values = Float64Array.from({ length: count * size }, () => 1 + normal(random));
const estimate = huberEstimator({ contamination: 0.1, failureProbability: 0.05 });

describe('estimateIn', () => {
  it('is the estimate itself in the same coordinates', () => {
    const found = estimateIn({ ofGradient: (g: Vector) => g }, estimate)({ count, size, values });
    expect(distance(found, estimate({ count, size, values }))).to.be.below(1e-12);
  });

  it('carries the estimate back to points of other units and origins', () => {
    const moved = values.map((value, at) => (at % size === 0 ? 1e6 * value + 1e3 * values[at + 2]! : value));
    const ofGradient = ([a, b, c]: Vector) => Float64Array.of((a! - 1e3 * c!) / 1e6, b!, c!);
    const found = estimateIn({ ofGradient }, estimate)({ count, size, values: moved });
    expect(distance(ofGradient(found), estimate({ count, size, values }))).to.be.below(1e-9);
  });

  it('finds its way where coordinates are fewer than those of the points', () => {
    const ofGradient = ([a, b]: Vector) => Float64Array.of(a!, b!);
    const found = estimateIn({ ofGradient }, estimate)({ count, size, values });
    const two = values.filter((_, at) => at % size < 2);
    expect(distance(ofGradient(found), estimate({ count, size: 2, values: two }))).to.be.below(1e-9);
  });
});
