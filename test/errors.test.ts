import { expect } from 'chai';
import {
  ArgumentError,
  refuse,
  requireFinite,
  requireFunction,
  requireInteger,
  requireLength,
  requireNonNegative,
  requirePositive,
  requireProbability,
  requireSymmetric,
  requireVector,
} from '../src/errors.ts';

/** Numbers on either side of every line that a validator draws, and what only looks like a number. */
const numbers = [-Infinity, -1, -Number.MIN_VALUE, -0, 0, Number.MIN_VALUE, 0.5, 1, 2, 1e300, Infinity, NaN];
const noNumbers = ['1', true, null, undefined, [1], 1n] as unknown as number[];

function checkValidator(
  check: (name: string, value: number) => number,
  accepts: (value: number) => boolean,
  requirement: string,
): void {
  for (const value of numbers) {
    if (accepts(value)) expect(check('width', value)).to.equal(value);
    else expect(() => check('width', value)).to.throw(ArgumentError, `width must ${requirement}, got ${value}`);
  }
  for (const value of noNumbers) {
    expect(() => check('width', value)).to.throw(ArgumentError, `width must ${requirement}, got `);
  }
}

describe('refuse', () => {
  it('names the argument, the value and the way out', () => {
    expect(() => refuse('rows', 'be at least 8', 3, 'use fewer steps')).to.throw(
      ArgumentError,
      /^rows must be at least 8, got 3; use fewer steps$/,
    );
    expect(() => refuse('rows', 'be at least 8', 3)).to.throw(ArgumentError, /^rows must be at least 8, got 3$/);
  });

  it('throws an error that says what it is', () => {
    expect(new ArgumentError('x', 'ERR_ARGUMENT', { argument: 'x' }))
      .to.be.an.instanceOf(Error)
      .with.property('name', 'ArgumentError');
  });

  it('shows values as a reader would write them', () => {
    const shown: [value: unknown, text: string][] = [
      ['wide', '"wide"'],
      [{ least: 1 }, '{"least":1}'],
      [null, 'null'],
      [undefined, 'undefined'],
      [2n, '2'],
      [Float64Array.of(1, NaN), '[1, NaN]'],
      [[], '[]'],
      [['a', Infinity], '[a, Infinity]'],
    ];
    for (const [value, text] of shown) {
      expect(() => refuse('it', 'be right', value)).to.throw(ArgumentError, `it must be right, got ${text}`);
    }
  });

  it('cuts long lists short, whatever they are made of', () => {
    for (const list of [new Float64Array(1e6), new Float32Array(1e6), new Array(1e6).fill(0)]) {
      expect(() => refuse('it', 'be short', list)).to.throw(
        ArgumentError,
        /^it must be short, got \[0, 0, 0, 0, … 1000000 in all\]$/,
      );
    }
  });
});

describe('the validators of numbers', () => {
  it('take what they name and refuse the rest', () => {
    checkValidator(requireFinite, Number.isFinite, 'be a finite number');
    checkValidator(requirePositive, v => v > 0 && v < Infinity, 'be a finite number above 0');
    checkValidator(requireNonNegative, v => v >= 0 && v < Infinity, 'be a finite number of at least 0');
    checkValidator(requireProbability, v => v > 0 && v < 1, 'be in (0, 1)');
  });

  it('take whole numbers of a range, ends included', () => {
    checkValidator(
      (name, value) => requireInteger(name, value, 1),
      v => v === 1 || v === 2,
      'be a whole number of at least 1',
    );
    checkValidator(
      (name, value) => requireInteger(name, value, 0, 1),
      v => v === 0 || v === 1,
      'be a whole number from 0 to 1',
    );
  });

  it('take no whole number that a double cannot count to', () => {
    expect(requireInteger('rows', Number.MAX_SAFE_INTEGER, 1)).to.equal(Number.MAX_SAFE_INTEGER);
    expect(() => requireInteger('rows', 2 ** 53, 1)).to.throw(ArgumentError, 'rows must be a whole number');
  });
});

describe('requireFunction', () => {
  it('returns a function and refuses anything else by name', () => {
    expect(requireFunction('mean', Math.tanh)).to.equal(Math.tanh);
    expect(() => requireFunction('mean', 1)).to.throw(ArgumentError, 'mean must be a function, got 1');
  });
});

describe('requireVector', () => {
  it('returns the vector itself', () => {
    const vector = Float64Array.of(1, -2);
    expect(requireVector('start', vector)).to.equal(vector);
    expect(requireVector('start', vector, 2)).to.equal(vector);
  });

  it('names the coordinate that is not finite', () => {
    for (const bad of [NaN, Infinity, -Infinity]) {
      expect(() => requireVector('start', Float64Array.of(0, 0, bad, bad))).to.throw(
        ArgumentError,
        `start[2] must be a finite number, got ${bad}`,
      );
    }
  });

  it('refuses arrays that are empty, of another type or of another length', () => {
    expect(() => requireVector('start', new Float64Array())).to.throw(
      ArgumentError,
      'start must have at least one coordinate, got []',
    );
    const wrong = [[1, 2], Float32Array.of(1, 2), '12', null] as unknown as Float64Array[];
    for (const value of wrong) {
      expect(() => requireVector('start', value)).to.throw(ArgumentError, 'start must be a Float64Array, got');
    }
    expect(() => requireVector('start', Float64Array.of(1, 2), 3)).to.throw(
      ArgumentError,
      'the length of start must be 3, got 2',
    );
  });
});

describe('requireLength', () => {
  it('returns what has the length and names what has not', () => {
    const list = ['a', 'b'];
    expect(requireLength('columns', list, 2)).to.equal(list);
    expect(() => requireLength('columns', list, 1)).to.throw(ArgumentError, 'the length of columns must be 1, got 2');
  });
});

describe('requireSymmetric', () => {
  it('takes an asymmetry of rounding, judged beside the diagonal', () => {
    for (const matrix of [
      [2, 1, 1 + Number.EPSILON, 2],
      [1e10, 1e-8, 0, 1e10],
      [1e-300, 1e-310, 1e-310, 1e-300],
      [0, 0, 0, 0],
      [-2, 3, 3, -2],
    ]) {
      const square = Float64Array.from(matrix);
      expect(requireSymmetric('matrix', square, 2)).to.equal(square);
    }
  });

  it('names an entry that differs from its transpose', () => {
    const matrix = Float64Array.of(1, 2, 0, 2, 5, 6, 0, 6.5, 9);
    expect(() => requireSymmetric('matrix', matrix, 3)).to.throw(
      ArgumentError,
      'matrix[2][1] must equal matrix[1][2] = 6, got 6.5',
    );
    expect(() => requireSymmetric('matrix', Float64Array.of(1, 0, 1e-7, 1), 2)).to.throw(ArgumentError, 'matrix[1][0]');
  });

  it('refuses matrices that are not square, not finite or of no size', () => {
    expect(() => requireSymmetric('matrix', new Float64Array(5), 2)).to.throw(
      ArgumentError,
      'the length of matrix must be 4, got 5',
    );
    expect(() => requireSymmetric('matrix', Float64Array.of(1, NaN, NaN, 1), 2)).to.throw(
      ArgumentError,
      'matrix[1] must be a finite number, got NaN',
    );
    for (const size of [0, -1, 1.5, NaN]) {
      expect(() => requireSymmetric('matrix', new Float64Array(1), size)).to.throw(
        ArgumentError,
        `size must be a whole number of at least 1, got ${size}`,
      );
    }
  });
});
