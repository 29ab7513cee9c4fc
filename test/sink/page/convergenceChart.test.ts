import { expect } from 'chai';
import { convergenceChart } from '../../../src/sink/page/convergenceChart.ts';
import { modelOf } from '../../support/modelOf.ts';

const chartOf = (norms: readonly number[], sigma: number | null = null, blocks = 1): string => {
  const steps = norms.map((gradientNorm, k) => ({ step: k + 1, rows: 10, gradientNorm, sigma }));
  const chart = convergenceChart({ ...modelOf([1, 2, 3], { intercept: 0 }), plan: { blocks }, steps });
  return chart === '' ? '' : chart.markup;
};

const numbers = (chart: string, pattern: RegExp): number[] =>
  [...chart.matchAll(pattern)].map(match => Number(match[1]));

describe('convergenceChart', () => {
  it('sets steps apart evenly, and norms by their logarithms', () => {
    const chart = chartOf([100, 10, 1]);
    expect(numbers(chart, /<circle cx="([\d.]+)%/g)).to.deep.equal([0, 50, 100]);
    const [high, middle, low] = numbers(chart, /cy="([\d.]+)"/g) as [number, number, number];
    expect(middle - high)
      .to.be.closeTo(low - middle, 0.11)
      .and.above(50);
    expect(chart).to.include('from 100 at step 1 to 1 at step 3');
    expect([...chart.matchAll(/class="y"[^>]*>([^<]+)/g)].map(match => match[1])).to.deep.equal(['10⁰', '10¹', '10²']);
  });

  it('draws nothing where all norms are rounding beside what sampling makes', () => {
    const model = { ...modelOf([1, 2, 3], { intercept: 0 }), plan: { blocks: 1, samplingNorm: 0.1 } };
    const stepsOf = (norms: readonly number[]) =>
      norms.map((gradientNorm, k) => ({ step: k + 1, rows: 10, gradientNorm, sigma: null }));
    expect(convergenceChart({ ...model, steps: stepsOf([3e-14, 7e-14, 1e-15]) })).to.equal('');
    expect(convergenceChart({ ...model, steps: stepsOf([1e-3, 7e-14, 1e-15]) })).not.to.equal('');
  });

  it('draws nothing over a set where norms stay the same, for they need not vanish there', () => {
    const model = { ...modelOf([1, 2, 3], { intercept: 0 }), plan: { set: 'l1Ball(1)' } };
    const stepsOf = (norms: readonly number[]) =>
      norms.map((gradientNorm, k) => ({ step: k + 1, rows: 10, gradientNorm, sigma: null }));
    expect(convergenceChart({ ...model, steps: stepsOf([0.35, 0.35, 0.35]) })).to.equal('');
    expect(convergenceChart({ ...model, steps: stepsOf([0.5, 0.35, 0.35]) })).not.to.equal('');
    expect(convergenceChart({ ...model, plan: {}, steps: stepsOf([0.35, 0.35]) })).not.to.equal('');
  });

  it('labels norms within one power of ten by round numbers, or by the ends if there are none', () => {
    const labels = (chart: string) => [...chart.matchAll(/class="y"[^>]*>([^<]+)/g)].map(match => match[1]);
    expect(labels(chartOf([0.7, 0.15]))).to.deep.equal(['0.2', '0.5']);
    expect(labels(chartOf([0.31, 0.34]))).to.have.length(2);
  });

  it('gives long labels more room', () => {
    expect(chartOf([100, 10, 1])).to.include('<div class="plot">');
    expect(chartOf([2e-16, 5e-17])).to.include('<div class="plot wide">');
  });

  it('labels round steps between the first and the last', () => {
    const steps = (count: number) => numbers(chartOf(Array.from({ length: count }, () => 1)), /class="x"[^>]*>(\d+)/g);
    expect(steps(3)).to.deep.equal([1, 2, 3]);
    expect(steps(39)).to.deep.equal([1, 10, 20, 30, 39]);
    expect(steps(500)).to.deep.equal([1, 100, 200, 300, 400, 500]);
  });

  it('shows the norm of the noise alone, sigma sqrt(p), where a gradient is one mean', () => {
    // p = 4, so the noise has norm 1 and lies on the last step.
    const chart = chartOf([100, 10, 1], 0.5);
    const level = numbers(chart, /class="floor"[^>]*? y1="([\d.]+)" x2="[\d.]+%"/g);
    expect(level).to.deep.equal(Array(2).fill(numbers(chart, /cy="([\d.]+)"/g)[2]));
    expect(chartOf([100, 10, 1], 0.5, 7)).not.to.include('class="floor"');
  });

  it('leaves out norms that have no logarithm, and is empty without two others', () => {
    expect(numbers(chartOf([4, 0, 1]), /<circle cx="([\d.]+)%/g)).to.deep.equal([0, 100]);
    for (const norms of [[], [1], [1, 0], [1, Number.NaN]]) expect(chartOf(norms)).to.equal('');
  });
});
