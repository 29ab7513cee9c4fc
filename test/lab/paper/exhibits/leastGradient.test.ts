import { expect } from 'chai';
import { leastGradient } from '../../../../src/lab/paper/exhibits/lowerBound.ts';
import { lowerBoundData } from '../../../../src/lab/synthetic/lowerBoundData.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { norm, scaled } from '../../../../src/math/vector.ts';
import { sampleBatch } from '../../../../src/sample/sampleBatch.ts';

describe('leastGradient', () => {
  it('is that of one feature: the gradient shrinks towards the solution', () => {
    // ||x||^2 = 5 and x.y = 10: |5 theta - 10| / (5 D) is least at theta = D = 1.
    const batch = sampleBatch([Float64Array.of(1, 2)], Float64Array.of(2, 4));
    expect(leastGradient(batch, 1)).to.be.closeTo(1, 1e-9);
  });

  it('is 0 where the solution lies in the ball', () => {
    const batch = sampleBatch([Float64Array.of(1, 2)], Float64Array.of(2, 4));
    expect(leastGradient(batch, 3)).to.be.closeTo(0, 1e-9);
  });

  it('is below the gradients at many points of the ball, and near the least of them', () => {
    const random = seeded(1, 'least gradient');
    const columns = [0, 1].map(() => Float64Array.from({ length: 50 }, () => normal(random)));
    const target = columns[0]!.map((x, i) => 3 * x - 2 * columns[1]![i]! + normal(random));
    const [gram, moment] = [columns.map(a => columns.map(b => sum(a, b))), columns.map(a => sum(a, target))];
    const [[a, b], [, d]] = gram as [[number, number], [number, number]];
    const largest = (a + d) / 2 + Math.hypot((a - d) / 2, b);
    let least = Infinity;
    for (let k = 0; k < 4000; k++) {
      const angle = (2 * Math.PI * k) / 4000;
      const theta = scaled(Float64Array.of(Math.cos(angle), Math.sin(angle)), 0.5);
      const gradient = Float64Array.from(gram, (row, i) => row[0]! * theta[0]! + row[1]! * theta[1]! - moment[i]!);
      least = Math.min(least, norm(gradient) / (0.5 * largest));
    }
    expect(leastGradient(sampleBatch(columns, target), 0.5)).to.be.within(least * (1 - 1e-5), least * (1 + 1e-12));
  });

  it('is at least S1 on the data of the lower bound, as proposition MatchData says, and not on others', () => {
    for (const orthogonalRows of [64, 256]) {
      const { batch, radius, gradientFloor } = lowerBoundData({
        features: 16,
        codeRows: (10 * orthogonalRows) / 16,
        orthogonalRows,
        random: seeded(1, 'lower bound'),
      });
      expect(leastGradient(batch, radius)).to.be.at.least(gradientFloor);
      expect(
        leastGradient(
          sampleBatch(
            batch.columns,
            batch.target.map(y => y / 4),
          ),
          radius,
        ),
      ).to.be.below(gradientFloor);
    }
  });
});

const sum = (a: Float64Array, b: Float64Array): number => a.reduce((total, x, i) => total + x * b[i]!, 0);
