import { expect } from 'chai';
import fc from 'fast-check';
import { ArgumentError } from '../../src/errors.ts';
import { solveIncreasing } from '../../src/math/solveIncreasing.ts';
import { holdsForAll, uniform } from '../laws/holdsForAll.ts';

const cubic = (root: number) => (x: number) => ({
  value: (x - root) * (1 + (x - root) ** 2),
  slope: 1 + 3 * (x - root) ** 2,
});

describe('solveIncreasing', () => {
  it('finds the root to the last digits, from any start in the bracket', () => {
    holdsForAll(
      fc.property(uniform(-5, 5), uniform(0, 1), (root, share) => {
        const [low, high] = [root - 3, root + 7];
        const start = low + share * (high - low);
        const found = solveIncreasing(cubic(root), { low, high, start });
        expect(found).to.be.closeTo(root, 2e-15 * Math.max(Math.abs(low), Math.abs(high)));
      }),
    );
  });

  it('starts in the middle unless told otherwise', () => {
    const asked: number[] = [];
    const line = (x: number) => {
      asked.push(x);
      return { value: x - 1, slope: 1 };
    };
    expect(solveIncreasing(line, { low: 0, high: 8 })).to.equal(1);
    expect(asked).to.deep.equal([4, 1]);
  });

  it('never asks for a value outside the bracket, where Newton would leave it', () => {
    for (const [low, high] of [
      [-20, 30],
      [-0.5, 1e3],
    ] as const) {
      const asked: number[] = [];
      const found = solveIncreasing(
        x => {
          asked.push(x);
          return { value: Math.atan(x - 0.25), slope: 1 / (1 + (x - 0.25) ** 2) };
        },
        { low, high, start: high },
      );
      expect(found).to.be.closeTo(0.25, 1e-15);
      expect(Math.min(...asked)).to.be.at.least(low);
      expect(Math.max(...asked)).to.be.at.most(high);
    }
  });

  it('is quick where Newton creeps: on a steep exponential', () => {
    for (const rate of [1, 100, 400]) {
      let asked = 0;
      const found = solveIncreasing(
        x => {
          asked++;
          return { value: Math.expm1(rate * (x - 1)), slope: rate * Math.exp(rate * (x - 1)) };
        },
        { low: -10, high: 10 },
      );
      expect(found).to.be.closeTo(1, 1e-14);
      expect(asked).to.be.below(60);
    }
  });

  it('bisects where the slope is no help: infinite, zero or unknown', () => {
    for (const slope of [Infinity, 0, NaN, -1]) {
      const found = solveIncreasing(x => ({ value: x ** 3 - 2, slope }), { low: 0, high: 2 });
      expect(found).to.be.closeTo(Math.cbrt(2), 4e-15);
    }
  });

  it('finds a root at 0, where every tolerance relative to it vanishes', () => {
    const found = solveIncreasing(x => ({ value: Math.cbrt(x), slope: Math.cbrt(x) ** -2 / 3 }), {
      low: -1,
      high: 2,
    });
    expect(Math.abs(found)).to.be.at.most(1e-300);
  });

  it('finds a root at either end', () => {
    expect(solveIncreasing(cubic(0), { low: 0, high: 5 })).to.be.closeTo(0, 1e-15);
    expect(solveIncreasing(cubic(5), { low: 0, high: 5 })).to.be.closeTo(5, 5e-15);
    expect(solveIncreasing(cubic(5), { low: 5, high: 5 })).to.equal(5);
  });

  it('stops sooner at a wider tolerance', () => {
    const count = (tolerance: number) => {
      let asked = 0;
      solveIncreasing(
        x => {
          asked++;
          return { value: x ** 3 - 2, slope: 0 };
        },
        { low: 0, high: 2, tolerance },
      );
      return asked;
    };
    expect(count(1e-3)).to.be.below(15);
    expect(count(1e-15)).to.be.above(40);
  });

  it('refuses a bracket or a start that is none, and a function without a value', () => {
    const f = cubic(0);
    for (const bad of [NaN, Infinity, -Infinity]) {
      expect(() => solveIncreasing(f, { low: bad, high: 1 })).to.throw(ArgumentError, `low must be a finite`);
      expect(() => solveIncreasing(f, { low: -1, high: bad })).to.throw(ArgumentError, `high must be a finite`);
    }
    for (const start of [-2, 2, NaN]) {
      expect(() => solveIncreasing(f, { low: -1, high: 1, start })).to.throw(
        ArgumentError,
        `start must be from low = -1 to high = 1, got ${start}`,
      );
    }
    expect(() => solveIncreasing(f, { low: 1, high: -1 })).to.throw(ArgumentError, 'start must be from low = 1');
    expect(() => solveIncreasing(() => ({ value: NaN, slope: 1 }), { low: 0, high: 2 })).to.throw(
      ArgumentError,
      'f(1) must be a number, got NaN',
    );
  });
});
