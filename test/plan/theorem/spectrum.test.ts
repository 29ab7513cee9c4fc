import { expect } from 'chai';
import { ArgumentError } from '../../../src/errors.ts';
import { summarizeSpectrum } from '../../../src/plan/theorem/spectrum.ts';
import { expectClose } from '../../support/close.ts';

describe('summarizeSpectrum', () => {
  const eigenvalues = Float64Array.of(2, 0, 0.5, 0);
  const truth = Float64Array.of(3, 1, 4, -2);

  it('splits the truth into what the covariance sees and what it hides, in any order of the axes', () => {
    const summary = summarizeSpectrum({ eigenvalues, truth });
    expect(summary).to.include({ largest: 2, smallestPositive: 0.5 });
    expectClose(summary.visibleNorm, 5);
    expectClose(summary.hiddenNorm, Math.sqrt(5));
  });

  it('has the norm of (Sigma + g I)^-1 Sigma theta*', () => {
    const { shrunkenNorm } = summarizeSpectrum({ eigenvalues, truth });
    expectClose(shrunkenNorm(0.5), Math.hypot((2 / 2.5) * 3, (0.5 / 1) * 4));
    expectClose(shrunkenNorm(0), 5);
  });

  it('refuses a spectrum that is none', () => {
    const call = (values: number[], along: number[]) => () =>
      summarizeSpectrum({ eigenvalues: Float64Array.from(values), truth: Float64Array.from(along) });
    expect(call([], [])).to.throw(ArgumentError, 'eigenvalues must have at least one coordinate');
    expect(call([1, Number.NaN], [1, 1])).to.throw(ArgumentError, 'eigenvalues[1] must be a finite number, got NaN');
    expect(call([1, -1], [1, 1])).to.throw(ArgumentError, 'eigenvalues[1] must be at least 0, got -1');
    expect(call([0, 0], [1, 1])).to.throw(ArgumentError, 'eigenvalues must hold a positive value, got [0, 0]');
    expect(call([1, 1], [1])).to.throw(ArgumentError, 'the length of truth must be 2, got 1');
    expect(call([1, 1], [1, Infinity])).to.throw(ArgumentError, 'truth[1] must be a finite number, got Infinity');
  });
});
