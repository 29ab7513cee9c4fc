import { expect } from 'chai';
import type { Vector } from '../../src/math/vector.ts';
import { chiSquareThreshold } from './statistics.ts';

const RELEASES = 100;
/** Of each bound on all numbers together, and of the two bounds on each number by itself, over all of them. */
const FALSE_ALARM = 2e-8;

/**
 * Expects of numbers that are released again and again that noise of the declared size is added to each of them, and
 * nothing else. False alarms: 1e-7, by Laurent and Massart for the squares and by the tail of a normal law for the sum.
 */
export async function expectStandardNoise(
  exact: Vector,
  release: () => Promise<{ readonly values: Vector; readonly sigma: number }>,
): Promise<void> {
  const squares = new Float64Array(exact.length);
  let sum = 0;
  for (let k = 0; k < RELEASES; k++) {
    const { values, sigma } = await release();
    expect(values).to.have.length(exact.length);
    values.forEach((value, j) => {
      const drawn = (value - exact[j]!) / sigma;
      squares[j]! += drawn ** 2;
      sum += drawn;
    });
  }
  const count = RELEASES * exact.length;
  expectChiSquare(
    squares.reduce((total, square) => total + square, 0),
    count,
    FALSE_ALARM,
  );
  for (const square of squares) expectChiSquare(square, RELEASES, FALSE_ALARM / (2 * exact.length));
  expect(Math.abs(sum)).to.be.below(Math.sqrt(2 * count * Math.log(2 / FALSE_ALARM)));
}

function expectChiSquare(value: number, degrees: number, falseAlarm: number): void {
  const least = degrees - 2 * Math.sqrt(-degrees * Math.log(falseAlarm));
  expect(value).to.be.within(least, chiSquareThreshold(degrees, falseAlarm));
}
