import { expect } from 'chai';
import fc from 'fast-check';
import { wasmSummer } from '../../../src/engine/kernel/wasmSummer.ts';
import { gemanMcClure } from '../../../src/method/loss/gemanMcClure.ts';
import { logistic } from '../../../src/method/loss/logistic.ts';
import { pseudoHuber } from '../../../src/method/loss/pseudoHuber.ts';
import { squared } from '../../../src/method/loss/squared.ts';
import { tukey } from '../../../src/method/loss/tukey.ts';
import { weightedLogistic } from '../../../src/method/loss/weightedLogistic.ts';
import { casesOf, holdsForAll, uniform } from '../../laws/holdsForAll.ts';
import { kernelSlope } from '../../support/kernelSlope.ts';

const compiled = [
  squared(),
  logistic(),
  weightedLogistic(),
  pseudoHuber(0.2),
  pseudoHuber(1e-200),
  pseudoHuber(1e200),
  gemanMcClure(3),
  gemanMcClure(1e-200),
  tukey(3),
  tukey(1e-200),
];

const scores = fc.oneof(
  uniform(-5, 5),
  uniform(-800, 800),
  fc.double(),
  fc.constantFrom(-746, -745.2, -708.4, -0, 0, 5e-324, 1e308, Infinity, -Infinity, NaN),
);
const targets = fc.oneof(uniform(0, 1), fc.constantFrom(0, 1), fc.double());

/** Blocks of one row and no feature: their sums are slopes, at the score of the intercept. */
function compiledSlope(loss: (typeof compiled)[number], score: number, target: number): number {
  const summer = wasmSummer({
    loss,
    at: Float64Array.of(1, 0),
    blocks: 1,
    rowsPerBlock: 1,
    intercept: true,
  });
  summer.add({ rows: 1, columns: [Float64Array.of(score)], target: Float64Array.of(target) });
  return summer.finish().sums[1]!;
}

describe('kernelSlope', () => {
  for (const loss of compiled) {
    const slope = kernelSlope(loss.kernel!);

    it(`equals the compiled slope in every bit: ${loss.name}`, () => {
      fc.assert(
        fc.property(scores, targets, (score, target) => {
          // The sum starts at 0, so it has no -0.
          expect(0 + slope(score, target)).to.deep.equal(compiledSlope(loss, score, target));
        }),
        { seed: 1, numRuns: casesOf(5000) },
      );
    });

    it(`is the loss's slope to its last digits: ${loss.name}`, () => {
      holdsForAll(
        fc.property(uniform(-700, 700), uniform(0, 1), (score, target) => {
          const expected = loss.slope(score, target);
          expect(slope(score, target)).to.be.closeTo(expected, 2e-15 * (Math.abs(expected) + Number.MIN_VALUE));
        }),
      );
    });
  }
});
