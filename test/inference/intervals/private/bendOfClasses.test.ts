import { expect } from 'chai';
import { bendOfClasses } from '../../../../src/inference/intervals/private/riskAxes.ts';
import { normal } from '../../../../src/math/random/normal.ts';
import { seeded } from '../../../../src/math/random/seeded.ts';
import { logistic } from '../../../../src/method/loss/logistic.ts';
import { pseudoHuber } from '../../../../src/method/loss/pseudoHuber.ts';
import { weightedLogistic } from '../../../../src/method/loss/weightedLogistic.ts';

describe('bendOfClasses', () => {
  it('is even where there is no slope, and of losses that bend by residuals', () => {
    const { along, between } = bendOfClasses(logistic(), 0, -2);
    expect(along).to.be.closeTo(1, 1e-6);
    expect(between).to.be.closeTo(0, 1e-9);
    expect(bendOfClasses(pseudoHuber(0.2), 7, 1)).to.deep.equal({ along: 1, between: 0 });
  });

  it('agrees with means over drawn places', () => {
    // Of logistic regression the bend is p (1 - p), whatever the class; of the weighed one e^-|s| / 2 times the chance
    // of the class that the score has: p (1 - p) (1 + e^-|s|) / 2.
    const chance = (score: number): number => 1 / (1 + Math.exp(-score));
    const bends = [
      [logistic(), (s: number) => chance(s) * chance(-s)],
      [weightedLogistic(), (s: number) => (Math.exp(-Math.abs(s)) / 2) * chance(Math.abs(s))],
    ] as const;
    for (const [loss, bend] of bends)
      for (const [length, intercept] of [
        [1, 0],
        [3, -2],
        [6, 1],
      ] as const) {
        const random = seeded(length, 'bendOfClasses');
        let [all, place, square] = [0, 0, 0];
        for (let i = 0; i < 200_000; i++) {
          const t = normal(random);
          const b = bend(intercept + length * t);
          all += b;
          place += b * t;
          square += b * t * t;
        }
        const found = bendOfClasses(loss, length, intercept);
        // The seeds are fixed; standard errors are below 0.004.
        expect(found.along).to.be.closeTo(square / all, 0.012);
        expect(found.between).to.be.closeTo(place / all, 0.012);
      }
  });

  it('is small along steep slopes: as 1 / l^2, since only places near 0 are in doubt', () => {
    const ratio = bendOfClasses(logistic(), 40, 0).along / bendOfClasses(logistic(), 20, 0).along;
    expect(ratio).to.be.closeTo(1 / 4, 0.01);
  });
});
